"""Outcomes computed again from stored evidence: with today's evaluators, another task file, another grader.

The run is only read. What was learnt in it stays what it was: with other outcomes a judge that knows them would have
taught other lessons. Episodes of which something cannot be evaluated again are in neither of the two numbers.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, cast

from pydantic import Field

from eval.analysis.origin import Origin
from eval.analysis.records import RunRecord, StreamRecord, attempt_file
from eval.analysis.summary import Block, IntervalValue, success_metric, summarize_streams
from eval.attempt import AttemptRecord, attempt_of
from eval.build import build, build_suite
from eval.config.settings import Settings
from eval.grading.model import ModelGrader
from eval.grading.normalised import normalised_grader
from eval.journal import AttemptResult, EpisodeResult, Outcome, episode_folder, group_and_trial
from eval.returned import check_outcome, tasks_of
from eval.scopes import role_settings, scope_key
from eval.suites.base import Grader, KnowsItsEvidence, NotEvaluated, Suite, asks_grader
from eval.transport import Limiters, transport_of
from reasoningbank.boundary import expect
from reasoningbank.files import path_name, write_atomic
from reasoningbank.interfaces import LLM, ChecksSetup, Evidence, ReadsFiles
from reasoningbank.llm.calls import EpisodeScopes
from reasoningbank.llm.record import CallLogs
from reasoningbank.llm.transport import Transport
from reasoningbank.prompts import PromptPack
from reasoningbank.types import Record, Role, Spent, Stored, SuccessMetric, Task, digest, together

FOLDER = "rescored"
"""In a run's folder: what was computed again, and the records of a grader's calls."""


class Figure(Record):
    """A success rate with its 95 % interval."""

    n: int
    success_rate: float | None
    interval: IntervalValue | None

    @classmethod
    def of(cls, block: Block) -> Figure:
        """That of a summary's block."""
        return cls(n=block.n, success_rate=block.success_rate, interval=block.interval)


class Numbers(Record):
    """Before and after, of the same episodes."""

    old: Figure
    new: Figure
    left_out: int = Field(description="episodes of which something could not be evaluated again")


class Change(Record):
    """An attempt whose outcome is another now."""

    attempt_id: str
    task_id: str
    old: Outcome
    new: Outcome


class Rescored(Stored):
    """What is written beside a run."""

    run: str
    simulated: bool
    gold_doors: tuple[str, ...]
    given_lessons: tuple[str, ...]
    origin_known: bool
    changed_settings: dict[str, Any] = Field(description="what was asked for that the run was not made with")
    suite: dict[str, str] = Field(description="its id, its version now, and hashes of the files that it reads")
    grading: str = Field(description="the model that graded, or comparison")
    success_metric: SuccessMetric
    overall: Numbers
    streams: dict[str, Numbers]
    changes: tuple[Change, ...]
    not_rescored: dict[str, int] = Field(description="why episodes were left out, with how many each")
    ungraded: int
    spent: dict[Role, Spent]

    @property
    def origin(self) -> Origin:
        """What had a say in the run."""
        return Origin(**{name: getattr(self, name) for name in Origin.model_fields})


class Unfit(Exception):
    """An episode that cannot be evaluated again, and why."""


@dataclass(frozen=True)
class Grading:
    """Who grades: a model, asked as in a run, or a comparison where it is a simulated one. `place` is where a model's
    replies are kept, so that none is paid for twice."""

    settings: Settings
    llm: LLM
    transport: Transport
    prompts: PromptPack
    place: Path

    @property
    def name(self) -> str:
        return "comparison" if self.llm.simulated else self.llm.id

    def scopes(self, suite: Suite, episode: EpisodeResult, trial: int) -> EpisodeScopes:
        """The calls of one episode's grader, with the seeds that they have in a run."""
        folder = episode_folder(self.place / path_name(episode.stream), episode.position, episode.task_id)
        folder.mkdir(parents=True, exist_ok=True)
        return EpisodeScopes(
            llms={"grader": self.llm},
            key=scope_key(self.settings, suite, trial, episode.task_id),
            settings={"grader": role_settings(self.settings, "grader")},
            transport=self.transport,
            logs=CallLogs(folder, of="grader"),
        )


@dataclass
class Rescorer:
    """Evaluates the episodes of one run again, and keeps what has come of it."""

    run: RunRecord
    suite: Suite
    grading: Grading
    tasks: Mapping[str, Task]
    changes: list[Change] = field(default_factory=list)
    ungraded: int = 0
    spent: dict[Role, Spent] = field(default_factory=dict)

    def episode(self, episode: EpisodeResult, trial: int) -> EpisodeResult:
        """The same with outcomes of now. Raises Unfit."""
        if episode.open:
            raise Unfit("no outcome yet: `python -m eval score` gets it one")
        if not episode.counted:
            raise Unfit("no outcome: something around its attempts failed")
        if episode.task_id not in self.tasks:
            raise Unfit("the suite has no such task now")
        task = self.tasks[episode.task_id]
        kept = [self._kept(episode, attempt) for attempt in episode.attempts]
        for evidence in (each for record in kept for each in self._evidences(record)):
            if isinstance(self.suite, KnowsItsEvidence) and (missing := self.suite.lacks(task, evidence)):
                raise Unfit(f"its evidence lacks {missing[0]}")
        scopes = None if self.grading.llm.simulated else self.grading.scopes(self.suite, episode, trial)
        attempts, changes = [], []
        for attempt, record in zip(episode.attempts, kept, strict=True):
            grader = None if scopes is None else ModelGrader(prompts=self.grading.prompts, calls=scopes(attempt.index))
            new = self._attempt(attempt, record, task, grader or normalised_grader)
            self.ungraded += 0 if grader is None else grader.ungraded
            assert attempt.outcome is not None
            assert new.outcome is not None
            if new.outcome != attempt.outcome:
                changes.append(
                    Change(attempt_id=attempt.attempt_id, task_id=task.id, old=attempt.outcome, new=new.outcome)
                )
            attempts.append(new)
        self.changes += changes
        if scopes is not None:
            self.spent = together(self.spent, *(scope.spent for scope in scopes.all()))
        return episode.model_copy(update={"attempts": tuple(attempts)})

    def _kept(self, episode: EpisodeResult, attempt: AttemptResult) -> AttemptRecord:
        record = attempt_of(attempt_file(self.run, episode, attempt.index))
        if record is None:
            raise Unfit("the file of an attempt is missing or was changed")
        if record.trajectory.digest() != attempt.trajectory_hash:
            raise Unfit("the file of an attempt is of another one than the journal's")
        if len(record.rounds) != len(attempt.rounds):
            raise Unfit("the file of an attempt has other rounds than the journal")
        return record

    def _evidences(self, record: AttemptRecord) -> list[Evidence]:
        stored = [record.evidence, *(each.evidence for each in record.rounds if each.evidence is not None)]
        return [expect(self.suite.load_evidence(each), Evidence, self.suite, "load_evidence") for each in stored]

    def _attempt(self, attempt: AttemptResult, record: AttemptRecord, task: Task, grader: Grader) -> AttemptResult:
        def now(evidence: dict[str, Any]) -> Outcome:
            read = expect(self.suite.load_evidence(evidence), Evidence, self.suite, "load_evidence")
            try:
                return check_outcome(self.suite.evaluate(task, read, grader), task, self.suite)
            except NotEvaluated as error:
                raise Unfit(str(error)) from error

        rounds = [
            old.model_copy(update={"outcome": None if each.evidence is None else now(each.evidence)})
            for old, each in zip(attempt.rounds, record.rounds, strict=True)
        ]
        return attempt.model_copy(update={"outcome": now(record.evidence), "rounds": tuple(rounds)})


def rescore(run: RunRecord, settings: Settings, changed: Mapping[str, Any]) -> Path:
    """Evaluates a run again by these settings, of which `changed` are others than its own. Returns the file that it
    writes, in the run's folder FOLDER: the same question has the same file."""
    suite = build_suite(settings)
    llm = cast(
        LLM, build("llm", settings.client("grader"), settings.plugins, {"where": "roles.grader"}, "roles.grader")
    )
    if asks_grader(suite) and isinstance(llm, ChecksSetup) and not llm.simulated:
        llm.check()
    files = dict(suite.digests()) if isinstance(suite, ReadsFiles) else {}
    made_from = {"id": suite.id, "version": suite.version, **files}
    prompts = PromptPack(Path(settings.prompts.pack) if settings.prompts.pack else None)
    name = digest([made_from, changed, llm.id, prompts.digest()])[:8]
    grading = Grading(
        settings=settings,
        llm=llm,
        transport=transport_of(settings, {"grader": llm}, Limiters()),
        prompts=prompts,
        place=run.folder / FOLDER / name,
    )
    rescorer = Rescorer(run, suite, grading, {task.id: task for task in tasks_of(suite)})
    again = each_again(run, rescorer.episode)
    return write_rescored(
        run,
        again,
        name,
        changed_settings=changed,
        suite=made_from,
        grading=grading.name,
        changes=rescorer.changes,
        ungraded=rescorer.ungraded,
        spent=rescorer.spent,
    )


@dataclass(frozen=True)
class Again:
    """A run's streams with the episodes that have outcomes anew, as they were and as they are, and why others have
    none."""

    pairs: dict[str, tuple[StreamRecord, StreamRecord]]
    unfit: Counter[str]


def each_again(run: RunRecord, changed: Callable[[EpisodeResult, int], EpisodeResult]) -> Again:
    """All episodes as `changed` gives them, by themselves and their trial; it raises Unfit for those it cannot."""
    again = Again({}, Counter())
    for stream in run.streams:
        _, trial = group_and_trial(stream.name)
        old, new = [], []
        for line in stream.lines:
            try:
                result = changed(line.result, trial)
            except Unfit as reason:
                again.unfit[str(reason)] += 1
                continue
            old.append(line)
            new.append(line.model_copy(update={"result": result}))
        again.pairs[stream.name] = replace(stream, lines=tuple(old)), replace(stream, lines=tuple(new))
    return again


def write_rescored(
    run: RunRecord,
    again: Again,
    name: str,
    *,
    changed_settings: Mapping[str, Any],
    suite: Mapping[str, str],
    grading: str,
    changes: Sequence[Change],
    ungraded: int = 0,
    spent: Mapping[Role, Spent] | None = None,
) -> Path:
    """Writes beside the run what has come of it. Returns the file, which is called by `name`."""
    metric = success_metric(run)
    found = Rescored(
        run=run.name,
        **run.origin.model_dump(),
        changed_settings=dict(changed_settings),
        suite=dict(suite),
        grading=grading,
        success_metric=metric,
        overall=numbers_of(run, again.pairs, list(again.pairs), metric),
        streams={name: numbers_of(run, again.pairs, [name], metric) for name in again.pairs},
        changes=tuple(changes),
        not_rescored=dict(sorted(again.unfit.items())),
        ungraded=ungraded,
        spent=dict(spent or {}),
    )
    path = run.folder / FOLDER / f"{name}.json"
    path.parent.mkdir(exist_ok=True)
    write_atomic(path, json.dumps(found.model_dump(mode="json"), indent=2, ensure_ascii=False) + "\n")
    return path


def numbers_of(
    run: RunRecord, pairs: Mapping[str, tuple[StreamRecord, StreamRecord]], names: Sequence[str], metric: SuccessMetric
) -> Numbers:
    """Before and after, of the streams of these names. `pairs` has each with what is left of it, old and new."""
    old, new = (
        summarize_streams([pairs[each][side] for each in names if pairs[each][side].lines], metric, run.k)
        for side in (0, 1)
    )
    lines = sum(len(stream.lines) for stream in run.streams if stream.name in names)
    kept = sum(len(pairs[each][0].lines) for each in names)
    return Numbers(old=Figure.of(old), new=Figure.of(new), left_out=lines - kept)


def read_rescored(path: Path) -> Rescored:
    """What `rescore` has written."""
    return Rescored.model_validate_json(path.read_bytes())
