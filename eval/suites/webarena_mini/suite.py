"""The suite: tasks without their gold, an own copy of the sites for every attempt, and the evaluation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import cast

from eval.journal import Outcome
from eval.names import nearest
from eval.suites.base import Grader
from eval.suites.profile import SuiteProfile
from eval.suites.web.backend import WebBackend
from eval.suites.web.chromium.environment import BrowserEnvironment
from eval.suites.web.chromium.find import browser_packages, find_chromium
from eval.suites.web.environment import WebEnvironment, check_locator
from eval.suites.web.evaluators import EvalSpec, evaluate
from eval.suites.web.evidence import WebEvidence
from eval.suites.webarena_mini.selection import DIFFICULTIES, Selection
from eval.suites.webarena_mini.site_tasks import conventions_of, multi_sites, multi_tasks, tasks_of
from eval.suites.webarena_mini.sites import MULTI, SITES, open_sites, placeholders
from eval.suites.webarena_mini.tasks.base import SuiteTask
from reasoningbank.errors import SetupError
from reasoningbank.files import source_digest
from reasoningbank.interfaces import Evidence
from reasoningbank.types import Task

FOLDER = Path(__file__).parent
NOT_PART_OF_IT = ("solutions", "measure.py", "profile.py")
"""What changes no task, page or evaluator."""


class WebArenaMini:
    """Implements `Suite`. `seed` chooses the world, `sites` which of the sites' tasks there are; `multi` among them
    stands for the tasks of several sites.

    `templates`, `task_ids`, `difficulty` and `subset` leave only those tasks that fulfil all of them, under their ids.
    `redesign_at=N` leaves the first N of a site's chosen tasks, by ascending id, as they are; for the others the site
    comes in another design: other labels in another order, with the same data, tasks and conventions. `web` says how
    pages are looked at.
    """

    id = "webarena_mini"
    agent = "web"

    def __init__(
        self,
        *,
        seed: int = 0,
        sites: Sequence[str] = (*SITES, MULTI),
        templates: Sequence[str] | None = None,
        task_ids: Sequence[int | str] | None = None,
        difficulty: str | None = None,
        subset: str | None = None,
        redesign_at: int | None = None,
        web: WebBackend | None = None,
    ) -> None:
        if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
            raise SetupError(f"suite.seed={seed}: a whole number from 0 is needed")
        if isinstance(sites, str) or not sites:
            raise SetupError(f"suite.sites={sites!r}: a list of names is needed, such as [{', '.join(SITES)}]")
        for name in sites:
            if name not in (*SITES, MULTI):
                raise SetupError(f"suite.sites: no site {name!r}; {nearest(name, [*SITES, MULTI])}")
        if redesign_at is not None and (
            isinstance(redesign_at, bool) or not isinstance(redesign_at, int) or redesign_at < 0
        ):
            raise SetupError(
                f"suite.redesign_at={redesign_at}: a whole number from 0 is needed, after how many tasks of a site it "
                "comes in its second design; or null for never"
            )
        self.seed = seed
        self._web = web or WebBackend()
        self._redesign_at = redesign_at
        self._selection = Selection(templates, task_ids, difficulty, subset)
        self._sites = [site for site in SITES.values() if site.name in sites]
        self._multi = MULTI in sites

    @cached_property
    def version(self) -> str:
        """A hash of everything that tasks, pages and evaluators are made from."""
        return source_digest((FOLDER, FOLDER.parent / "web"), without=NOT_PART_OF_IT)

    @cached_property
    def suite_tasks(self) -> dict[str, SuiteTask]:
        """The chosen tasks with their gold, by id: for evaluation and tests, never for an agent."""
        made = {entry.task.task_id: entry for site in self._sites for entry in tasks_of(site, self.seed)}
        if self._multi:
            made |= {entry.task.task_id: entry for entry in multi_tasks(self.seed)}
        return self._selection.of({str(task_id): made[task_id] for task_id in sorted(made)})

    @cached_property
    def _specs(self) -> dict[str, EvalSpec]:
        """The evaluators' form of the gold, by task id. A template's mistake is told before the first attempt."""
        specs = {}
        for task_id, entry in self.suite_tasks.items():
            specs[task_id] = spec = EvalSpec.model_validate(entry.task.eval)
            for _, locator in spec.probes():
                check_locator(locator)
        return specs

    @cached_property
    def _redesigned(self) -> frozenset[str]:
        """Ids of the tasks whose sites come in the second design."""
        if self._redesign_at is None:
            return frozenset()
        counts: Counter[str] = Counter()
        found = set()
        for task_id, entry in self.suite_tasks.items():
            if counts[_group(entry)] >= self._redesign_at:
                found.add(task_id)
            counts[_group(entry)] += 1
        if not found:
            raise SetupError(
                f"suite.redesign_at={self._redesign_at} redesigns nothing: no site has more than "
                f"{max(counts.values())} of the chosen tasks; give a smaller number, or null"
            )
        return frozenset(found)

    def redesigned(self, task: Task) -> bool:
        """Whether a task's sites come in their second design."""
        return task.id in self._redesigned

    def difficulty(self, task: Task) -> float:
        """0 for easy, 1 for standard, 2 for hard."""
        return DIFFICULTIES.index(self.suite_tasks[task.id].difficulty)

    @property
    def conventions(self) -> dict[str, str]:
        """What the sites do without saying so, by code."""
        names = {site.name for site in self._sites} | (multi_sites() if self._multi else set())
        sites = [site for site in SITES.values() if site.name in names]
        return {code: says for site in sites for code, says in conventions_of(site).items()}

    def profile(self) -> SuiteProfile:
        """Runs the known solutions of the chosen tasks."""
        # solutions are loaded for this alone
        from eval.suites.webarena_mini.measure import measure

        return measure(self)

    def tasks(self) -> list[Task]:
        """The chosen tasks in ascending order, without gold."""
        _ = self._redesigned  # a number that makes no sense is told before the first task
        return list(self._faces)

    @cached_property
    def _faces(self) -> list[Task]:
        return [self._face(entry) for entry in self.suite_tasks.values()]

    def _face(self, entry: SuiteTask) -> Task:
        record = entry.task
        start = record.start_url
        for placeholder, base in placeholders(record.sites).items():
            start = start.replace(placeholder, base)
        return Task(
            id=str(record.task_id),
            suite=self.id,
            group=_group(entry),
            intent=record.intent,
            template_id=entry.template,
            kind=entry.kind,
            start=start,
        )

    def check(self) -> str:
        """How pages are looked at. SetupError where a browser is asked for and cannot be had. Nothing is started."""
        return "no browser is needed" if self._program is None else f"{self._program}; {browser_packages()}"

    @cached_property
    def _program(self) -> Path | None:
        """Chromium's, where pages are looked at by it."""
        return find_chromium(self._web.chromium) if self._web.backend == "browser" else None

    def environment(self, task: Task) -> WebEnvironment | BrowserEnvironment:
        """Fresh copies of the task's sites. It knows where to look in the end, but not for what: it holds names of
        sites, pages and data, and nothing of these leads to a task, its gold or its solution."""
        probes = self._spec(task).probes()
        names = self.suite_tasks[task.id].task.sites
        sites, known = partial(open_sites, names, self.seed, self.redesigned(task)), placeholders(names)
        if self._program is None:
            return WebEnvironment(open_sites=sites, placeholders=known, probes=probes)
        return BrowserEnvironment(
            open_sites=sites,
            program=self._program,
            placeholders=known,
            probes=probes,
            screenshots=self._web.screenshots,
        )

    def evaluate(self, task: Task, evidence: Evidence, grader: Grader) -> Outcome:
        """WebArena's evaluators on what the attempt left."""
        if not isinstance(evidence, WebEvidence):
            raise TypeError(f"evidence of a web environment is needed, not {type(evidence).__name__}")
        spec = self._spec(task)
        known = placeholders(self.suite_tasks[task.id].task.sites)
        return evaluate(spec, task.intent, evidence, grader, known)

    def lacks(self, task: Task, evidence: Evidence) -> list[str]:
        """Places that the evaluation reads and the evidence does not have, such as after the task was changed."""
        there = {(probe.url, probe.locator) for probe in cast(WebEvidence, evidence).probes}
        return [f"{url} {locator}".strip() for url, locator in self._spec(task).probes() if (url, locator) not in there]

    def load_evidence(self, data: dict[str, object]) -> WebEvidence:
        """Evidence from its stored JSON."""
        return WebEvidence.model_validate(data)

    def _spec(self, task: Task) -> EvalSpec:
        if task.id not in self._specs:
            raise SetupError(f"task {task.id} is not in {self.id} with suite.seed={self.seed}")
        return self._specs[task.id]


def _group(entry: SuiteTask) -> str:
    """The name of a task's site, or that of all tasks of several."""
    sites = entry.task.sites
    return sites[0] if len(sites) == 1 else MULTI
