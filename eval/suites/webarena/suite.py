"""The suite: WebArena's tasks without their gold, environments on the sites' servers, the evaluation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from eval.journal import Outcome
from eval.names import known_ids, nearest
from eval.suites.base import Grader
from eval.suites.web.backend import WebBackend
from eval.suites.web.chromium.find import browser_packages, find_chromium
from eval.suites.webarena.backends import Backends, Throttle, Use
from eval.suites.webarena.chromium import ChromiumSession
from eval.suites.webarena.environment import RealEnvironment, Surroundings
from eval.suites.webarena.evaluation import lacks, outcome_at_end, outcome_each_step
from eval.suites.webarena.evidence import RealEvidence
from eval.suites.webarena.health import check_sites, run_reset, split_command
from eval.suites.webarena.kept import SignedIn
from eval.suites.webarena.sites import (
    API_ACCOUNT,
    NOBODY,
    NOT_GIVEN,
    PAPER,
    SITES,
    Account,
    accounts_of,
    addresses,
    check_groups,
)
from eval.suites.webarena.task_file import RealTask, TaskFile, read_tasks
from eval.suites.webarena.verified import HINT, Verified
from reasoningbank.errors import SetupError
from reasoningbank.files import source_digest
from reasoningbank.interfaces import Environment, Evidence
from reasoningbank.types import Task, digest

FOLDER = Path(__file__).parent
Seconds = Annotated[float, Field(ge=0, allow_inf_nan=False)]
HOMEPAGE = "WA_HOMEPAGE"
_HINT = "(Note: the homepage at {url} has a list of the websites that you can visit.)"


class WebArena:
    """Implements `Suite`.

    `sites` chooses groups of tasks: a site's own, and `multi` for those of several sites, of which those that need the
    map are there with `map` alone. `urls` has a site's server, or several of which each attempt takes one; a site that
    is not in it is where its variable says (WA_SHOPPING ...). `reset` says for whom `reset_command` is run: never, for
    every attempt (`task`), or once when a stream begins (`stream`).

    Seconds: `task_seconds` an attempt's actions may take, with their pages, and without the wait for the model or for a
    turn; `throttle` between two actions on one site, `observation_delay` after an action before the agent is shown the
    page, `look_wait` before one is looked at for evidence, `patience` for one to load.
    """

    id = "webarena"
    agent = "web"
    seed = 0
    browser_alone = True
    transport_keys: ClassVar[frozenset[str]] = frozenset(
        {"urls", "accounts", "throttle", "reset_seconds", "verified_python"}
    )

    def __init__(
        self,
        *,
        sites: Sequence[str] = PAPER,
        task_ids: Sequence[int | str] | None = None,
        task_file: str | None = None,
        urls: Mapping[str, str | list[str] | None] = NOT_GIVEN,
        accounts: Mapping[str, Account | Mapping[str, Any] | None] = NOBODY,
        evaluator: Literal["webarena", "verified"] = "webarena",
        verified_python: str | None = None,
        evaluate: Literal["end", "each_step"] = "end",
        network_trace: bool = False,
        answer_form: Literal["text", "verified"] = "text",
        homepage_hint: bool = False,
        reset: Literal["never", "task", "stream"] = "never",
        reset_command: str | None = None,
        reset_seconds: Seconds = 600.0,
        task_seconds: Seconds | None = 1800.0,
        throttle: Seconds | Mapping[str, Seconds] = 0.0,
        observation_delay: Seconds = 0.5,
        look_wait: Seconds = 3.0,
        patience: Seconds = 60.0,
        web: WebBackend | None = None,
    ) -> None:
        check_groups(sites)
        if (reset == "never") != (reset_command is None):
            raise SetupError(
                f"suite.reset={reset} and suite.reset_command={reset_command} do not go together: a command is run for "
                "every attempt (task) or when a stream begins (stream), and none with never"
            )
        if reset_command is not None:
            split_command(reset_command)
        least = throttle if isinstance(throttle, Mapping) else dict.fromkeys(SITES, throttle)
        if unknown := [name for name in least if name not in SITES]:
            raise SetupError(f"suite.throttle.{unknown[0]}: no such site; {nearest(unknown[0], list(SITES))}")
        known_accounts = accounts_of(accounts)
        self._groups = tuple(sites)
        self._wanted = None if task_ids is None else [str(each) for each in task_ids]
        self._task_file = task_file
        self._each_step = evaluate == "each_step"
        if evaluator == "verified" and self._each_step:
            raise SetupError("suite.evaluator=verified evaluates once, at the end: leave out suite.evaluate=each_step")
        if answer_form == "verified" and evaluator != "verified":
            raise SetupError(
                "suite.answer_form=verified asks for answers that suite.evaluator=webarena cannot compare: set "
                "suite.evaluator=verified too"
            )
        self._verified = Verified(verified_python) if evaluator == "verified" else None
        self._answer_form = answer_form
        self._homepage_hint = homepage_hint
        self._reset = reset
        self._reset_command = reset_command
        self._reset_seconds = reset_seconds
        self._observation_delay = observation_delay
        self._look_wait = look_wait
        self._patience = patience
        self._web = web or WebBackend()
        self._backends = Backends(addresses(urls))
        self._use: Use | None = None
        home = addresses_of_homepage()
        if homepage_hint and not home:
            raise SetupError(f"suite.homepage_hint=true: {HOMEPAGE} is not set; it is the address of the homepage")
        self._home = home
        self._around = Surroundings(
            backends=self._backends,
            throttle=Throttle(least),
            accounts=known_accounts,
            api_account=known_accounts.get("shopping_admin", API_ACCOUNT),
            signed_in=SignedIn(),
            known=tuple(filter(None, (home, *(url for each in self._backends.urls.values() for url in each)))),
            each_step=self._each_step,
            screenshots=self._web.screenshots,
            traced=network_trace or evaluator == "verified",
            task_seconds=task_seconds,
            reset_command=reset_command if reset == "task" else None,
            reset_seconds=reset_seconds,
        )

    @cached_property
    def _file(self) -> TaskFile:
        return read_tasks(self._task_file)

    @cached_property
    def version(self) -> str:
        """A hash of what evaluates and what looks; the tasks' own hash is in `digests`."""
        return source_digest((FOLDER, FOLDER.parent / "web"), without=("practice.py",))

    def digests(self) -> Mapping[str, str]:
        """Hashes: of the task file, in the place of its name, and of who signs in, who may see other pages than others;
        passwords have no part in it."""
        names = {name: account.username for name, account in self._around.accounts.items()}
        return {"task_file": self._file.sha256, "accounts": digest(names)}

    @cached_property
    def chosen(self) -> dict[str, RealTask]:
        """The chosen tasks with their gold, by id, in ascending order."""
        every = self._file.tasks
        if missing := [task_id for task_id in self._wanted or () if task_id not in every]:
            raise SetupError(f"suite.task_ids: no task {missing[0]}; {known_ids(missing[0], every)}")
        found = {
            task_id: task
            for task_id, task in every.items()
            if task.group in self._groups
            and ("map" not in task.sites or "map" in self._groups)
            and (self._wanted is None or task_id in self._wanted)
        }
        if not found:
            raise SetupError("no task is of suite.sites and of suite.task_ids; leave one of them out")
        return found

    def tasks(self) -> list[Task]:
        """The chosen tasks in ascending order, without gold. Their start has placeholders: which server an attempt
        gets is known when it begins."""
        return [
            Task(
                id=task_id,
                suite=self.id,
                group=task.group,
                intent=task.intent,
                note=self._told(),
                template_id=str(task.template_id),
                start=task.start_url,
            )
            for task_id, task in self.chosen.items()
        ]

    def _told(self) -> str:
        """What the agent is told beside a task's own words."""
        home = _HINT.format(url=self._home) if self._homepage_hint else ""
        return "\n\n".join(filter(None, (home, HINT if self._answer_form == "verified" else "")))

    def check(self) -> str:
        """By which browser pages are looked at. SetupError where there is none, or a site's address is not known.
        Nothing is started."""
        self._backends.addresses(dict.fromkeys(name for task in self.chosen.values() for name in task.sites))
        return f"{self._program}; {browser_packages()}"

    @cached_property
    def _program(self) -> Path:
        """Chromium's. There is no other way in, whatever web.backend says: the sites' pages need their scripts."""
        return find_chromium(self._web.chromium)

    def check_health(self) -> None:
        """Whether every server of the chosen tasks' sites answers. InfraError names the first that does not."""
        sites = dict.fromkeys(name for task in self.chosen.values() for name in task.sites)
        check_sites(self._backends.addresses(sites))

    def begin_stream(self, tasks: Sequence[Task], *, fresh: bool) -> None:
        """Whether the servers of these tasks answer. Of a fresh stream they are put back where that is wanted: that
        waits until no other stream uses any of them, and none of them is put back by another one until this one has
        ended."""
        self.end_stream()
        sites = dict.fromkeys(name for task in tasks for name in self._task(task).sites)
        resets = fresh and self._reset == "stream"
        self._use = self._backends.use(sites, alone=resets)
        check_sites(self._backends.addresses(sites))
        if resets:
            self._put_back(sites)
            self._use.share()

    def end_stream(self) -> None:
        """Others may put its servers back."""
        use, self._use = self._use, None
        if use is not None:
            use.release()

    def _put_back(self, sites: Iterable[str]) -> None:
        assert self._reset_command is not None
        lease = self._backends.lease_all(sites)
        try:
            for server in lease.addresses:
                name, _, url = server.partition(" ")
                run_reset(self._reset_command, {name: url}, within=self._reset_seconds)
                self._around.signed_in.forget([url])
        finally:
            lease.release()

    def environment(self, task: Task) -> Environment:
        """A browser of its own, on servers that nobody else has meanwhile."""
        real = self._task(task)
        self._backends.addresses(real.sites)
        session = ChromiumSession(
            program=self._program,
            patience=self._patience,
            observation_delay=self._observation_delay,
            look_wait=self._look_wait,
        )
        return RealEnvironment(sites=real.sites, looks=real.looks, session=session, around=self._around)

    def evaluate(self, task: Task, evidence: Evidence, grader: Grader) -> Outcome:
        """WebArena's evaluators on what the attempt has left, or on what it left at each step."""
        real = self._task(task)
        if not isinstance(evidence, RealEvidence):
            raise TypeError(f"evidence of real sites is needed, not {type(evidence).__name__}")
        if self._verified is not None:
            return self._verified.outcome(real, evidence)
        return (outcome_each_step if self._each_step else outcome_at_end)(real, evidence, grader)

    def lacks(self, task: Task, evidence: Evidence) -> list[str]:
        """What an evaluation would look at and the evidence does not have."""
        assert isinstance(evidence, RealEvidence)
        if self._verified is not None:
            return [] if evidence.traced else ["what the browser has sent (suite.network_trace=true)"]
        missing = lacks(self._task(task), evidence)
        if self._each_step and not evidence.each_step:
            missing.append("the state after each step (suite.evaluate=each_step)")
        return missing

    def load_evidence(self, data: dict[str, object]) -> RealEvidence:
        """Evidence from its stored JSON."""
        return RealEvidence.model_validate(data)

    def _task(self, task: Task) -> RealTask:
        found = self.chosen.get(task.id)
        if found is None:
            raise SetupError(f"task {task.id} is not among the chosen tasks of {self._file.path}")
        return found


def addresses_of_homepage() -> str:
    """What WA_HOMEPAGE says; empty where it says nothing."""
    import os

    return os.environ.get(HOMEPAGE, "").strip().rstrip("/")
