"""Everything a run's streams share, built once a process from the settings."""

from __future__ import annotations

from collections.abc import Collection, Mapping, MutableSequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from eval.analysis.origin import Origin
from eval.build import build, build_llms, build_suite, construct
from eval.config.keys import check_setup
from eval.config.settings import Settings
from eval.outcome_judges import OutcomeJudge, door_of
from eval.scopes import role_settings, scope_key
from eval.suites.base import EvaluatedElsewhere, Grader, Suite, asks_grader
from eval.transport import Limiters, retry_policy, transport_of
from reasoningbank.embed.cache import CachedEmbedder
from reasoningbank.embed.recorded import RecordedEmbedder
from reasoningbank.errors import SetupError
from reasoningbank.interfaces import (
    LLM,
    Agent,
    AsksRoles,
    Calls,
    ChecksSetup,
    Embedder,
    GivesLessons,
    Judge,
    MemoryMethod,
    RemoteEmbedder,
    SaysIfBankIsUsed,
    ScalingStrategy,
)
from reasoningbank.llm.budget import Ledger
from reasoningbank.llm.calls import EpisodeScopes
from reasoningbank.llm.record import CallLogs
from reasoningbank.llm.transport import Transport
from reasoningbank.memory.base import Learning, Retrieval
from reasoningbank.prompts import PromptPack
from reasoningbank.types import ROLES, Role

EMBEDDINGS = ".embeddings.sqlite"
"""In a results folder: the vectors that remote embedders made for its runs."""


@dataclass(frozen=True)
class Workbench:
    """The objects of one run. `judge` is None where an outcome judge (a door in the gold wall) stands in for it."""

    settings: Settings
    suite: Suite
    agent: Agent
    memory: MemoryMethod
    scaling: ScalingStrategy
    judge: Judge | None
    outcome_judge: OutcomeJudge | None
    embedder: CachedEmbedder
    retrieval: Retrieval
    prompts: PromptPack
    llms: Mapping[Role, LLM]
    transport: Transport

    @property
    def simulated(self) -> bool:
        """Whether a simulated model had a say. The grader is none: offline it compares, and no model is asked."""
        return any(llm.simulated for role, llm in self.llms.items() if role != "grader")

    @property
    def parts(self) -> dict[str, object]:
        """The replaceable objects, under the settings that chose them."""
        settings = self.settings
        parts: dict[str, object] = {
            f"suite={settings.suite['type']}": self.suite,
            f"agent={self.suite.agent}": self.agent,
            f"memory={settings.memory['type']}": self.memory,
            f"scaling={settings.scaling['type']}": self.scaling,
            f"embedder={settings.embedder['type']}": self.embedder.embedder,
            f"judge={settings.judge['type']}": self.outcome_judge or self.judge,
        }
        for role, llm in self.llms.items():
            parts[f"llm={settings.client(role)['type']}"] = llm
        return parts

    @property
    def judges(self) -> bool:
        """Whether attempts get verdicts: only what is learnt depends on them."""
        return self.memory.needs_verdicts and not self.settings.bank.frozen

    @property
    def asks(self) -> frozenset[Role]:
        """The roles whose models its runs may ask, whatever happens in them."""
        learns = [] if self.settings.bank.frozen else [self.memory]
        judges = [self.judge] if self.judges and self.judge is not None else []
        parts = [self.agent, self.scaling, *learns, *judges]
        grades: list[Role] = ["grader"] if asks_grader(self.suite) else []
        return frozenset({*grades, *(role for part in parts for role in roles_of(part))})

    @property
    def embeds(self) -> bool:
        """Whether its runs may ask the embedder. A bank that they start from is embedded whoever looks into it."""
        unused = isinstance(self.memory, SaysIfBankIsUsed) and not self.memory.uses_bank
        return not unused or self.settings.bank.init_from is not None

    @property
    def gold_doors(self) -> list[str]:
        """The settings that let outcomes reach what is learnt."""
        return [f"judge={self.settings.judge['type']}"] if self.outcome_judge is not None and self.judges else []

    @property
    def origin(self) -> Origin:
        """What has a say in its runs, whatever they start from."""
        given = (self.memory.given_lessons,) if isinstance(self.memory, GivesLessons) else ()
        return Origin(simulated=self.simulated, gold_doors=tuple(self.gold_doors), given_lessons=given)

    def grader(self, calls: Calls) -> Grader:
        """Fuzzy match. Where the model is a simulated one, a normalised comparison: no simulated reply grades."""
        from eval.grading.model import ModelGrader
        from eval.grading.normalised import normalised_grader

        simulated = self.llms["grader"].simulated
        return normalised_grader if simulated else ModelGrader(prompts=self.prompts, calls=calls)

    def logs(self, folder: Path, run_folder: Path, *, grader: bool = False) -> CallLogs | None:
        """Records of the calls of the episode whose attempts are in `folder`, those of the grader or of all other
        roles; None where none are kept or replayed."""
        given, of = self.settings.calls, "grader" if grader else ""
        if given.replay is not None:
            return CallLogs(folder, of=of, source=Path(given.replay) / folder.relative_to(run_folder))
        remote = any(not llm.simulated for role, llm in self.llms.items() if (role == "grader") is grader)
        return CallLogs(folder, of=of) if (remote if given.record is None else given.record) else None

    def scopes(self, trial: int, task_id: str, logs: CallLogs | None = None) -> EpisodeScopes:
        """New call scopes for one episode: their call numbers start at 0."""
        key = scope_key(self.settings, self.suite, trial, task_id)
        roles = {role: role_settings(self.settings, role) for role in ROLES}
        return EpisodeScopes(llms=self.llms, key=key, settings=roles, transport=self.transport, logs=logs)


@dataclass(frozen=True)
class Seat:
    """A worker's place among those of a command: number `number` (from 0) of `workers`, with what they share."""

    number: int
    workers: int
    cells: MutableSequence[float] | None
    place: int
    """Where in `cells` it notes what it spends."""


@dataclass(frozen=True)
class Shared:
    """What is slow to make and the same for runs of equal settings: kept from one run to the next."""

    embedders: dict[str, Embedder] = field(default_factory=dict)
    suites: dict[str, Suite] = field(default_factory=dict)
    limiters: Limiters = field(default_factory=Limiters)
    ledger: Ledger | None = None
    """What all processes of the command have spent, where there is a budget."""

    @classmethod
    def at(cls, seat: Seat) -> Shared:
        """That of a worker, before it has built anything."""
        ledger = None if seat.cells is None else Ledger(seat.cells, seat.place)
        return cls(limiters=Limiters(seat.number, seat.workers), ledger=ledger)


def suite_name(settings: Settings) -> str:
    """What a suite is kept by."""
    return repr((sorted(settings.suite.items(), key=str), settings.web, settings.code, settings.plugins))


def check_calls(bench: Workbench, roles: Collection[Role] | None = None) -> None:
    """SetupError, on one line, for all that keeps models from being asked, those of `roles` or of those that the run
    asks; and the embedder, where it is asked, with the file of its vectors."""
    asked = bench.asks if roles is None else roles
    parts: list[object] = [llm for role, llm in bench.llms.items() if role in asked]
    check_setup([*parts, *([bench.embedder.embedder, bench.embedder] if bench.embeds else [])])


def roles_of(part: object) -> Collection[Role]:
    """Those that it may ask. Who does not say may ask any."""
    return part.roles if isinstance(part, AsksRoles) else ROLES


def build_workbench(settings: Settings, kept: Shared | None = None, *, asked: bool = True) -> Workbench:
    """Build it all. `kept` has what earlier runs of this process were built from. Where models are going to be
    `asked`, it is made sure that those of all roles that a run asks, and the embedder, can be."""
    kept = kept or Shared()
    plugins = settings.plugins
    llms = build_llms(settings)
    name = repr((sorted(settings.embedder.items(), key=str), plugins))
    if name not in kept.embedders:
        kept.embedders[name] = build("embedder", settings.embedder, plugins, {})
    embedder = asked_once(kept.embedders[name], settings)
    name = suite_name(settings)
    if name not in kept.suites:
        kept.suites[name] = build_suite(settings)
    suite = kept.suites[name]
    prompts = PromptPack(Path(settings.prompts.pack) if settings.prompts.pack else None)
    retrieval = construct(Retrieval, settings.retrieval, {}, "retrieval")
    # a scaling's file may say how methods learn from its attempts, which is no business of the scaling's class
    learning = {key: value for key, value in settings.scaling.items() if key in Learning.model_fields}
    scaling = {key: value for key, value in settings.scaling.items() if key not in learning}
    shared: dict[str, Any] = {
        "prompts": prompts,
        "embedder": embedder,
        "k": settings.k,
        "retrieval": retrieval,
        "learning": construct(Learning, learning, {}, "scaling"),
    }
    door = door_of(settings.judge)
    judge = outcome_judge = None
    if door is None:
        judge = cast(Judge, build("judge", settings.judge, plugins, shared))
    else:
        keys = {key: value for key, value in settings.judge.items() if key != "type"}
        outcome_judge = cast(OutcomeJudge, construct(door, keys, {}, "judge"))
    strategy = cast(ScalingStrategy, build("scaling", scaling, plugins, shared))
    check_attempts_differ(settings, strategy)
    bench = Workbench(
        settings=settings,
        suite=suite,
        agent=cast(Agent, build("agent", {"type": suite.agent, **settings.agent}, plugins, shared)),
        memory=cast(MemoryMethod, build("memory", settings.memory, plugins, shared)),
        scaling=strategy,
        judge=judge,
        outcome_judge=outcome_judge,
        embedder=embedder,
        retrieval=retrieval,
        prompts=prompts,
        llms=llms,
        transport=transport_of(settings, llms, kept.limiters),
    )
    if bench.gold_doors and isinstance(suite, EvaluatedElsewhere) and suite.elsewhere:
        raise SetupError(f"judge={settings.judge['type']} needs outcomes as attempts end. {suite.elsewhere}")
    for part in (suite, bench.agent):
        if asked and isinstance(part, ChecksSetup):
            part.check()
    if asked:
        check_calls(bench)
    return bench


def asked_once(embedder: Embedder, settings: Settings) -> CachedEmbedder:
    """The embedder as all runs of a results folder ask it. What a remote one made is kept there, beside the runs: the
    arms of an experiment embed the same tasks, and a folder that is moved or deleted takes its vectors with it."""
    kept = kept_vectors(settings) if isinstance(embedder, RemoteEmbedder) else None
    replayed = settings.calls.replay is not None
    if kept is not None and replayed:
        embedder = RecordedEmbedder(embedder=embedder, path=kept)
    return CachedEmbedder(embedder=embedder, path=kept, writes=not replayed, retry=retry_policy(settings))


def kept_vectors(settings: Settings) -> Path:
    """The file of vectors: of a run that is replayed the recorded one's, where it is still there."""
    if settings.calls.replay is not None:
        for place in Path(settings.calls.replay).resolve().parents[:3]:
            if (place / EMBEDDINGS).is_file():
                return place / EMBEDDINGS
    return Path(settings.results_dir) / EMBEDDINGS


def check_attempts_differ(settings: Settings, scaling: ScalingStrategy) -> None:
    """SetupError where the attempts at a task would all be the same."""
    if scaling.attempts > 1 and settings.temperature["agent"] == 0 and not settings.allow_zero_temperature:
        raise SetupError(
            f"k={settings.k} at temperature.agent=0 makes {scaling.attempts} equal attempts: raise the temperature, "
            "or set allow_zero_temperature=true"
        )
