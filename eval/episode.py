"""One episode: recall once, attempt k times, judge and evaluate each, select, learn. It stores attempts alone."""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

from eval.attempt import AttemptRecord, load_attempt, run_attempt, save_attempt
from eval.faults import expect
from eval.journal import (
    AttemptResult,
    EpisodeResult,
    JournalLine,
    Outcome,
    RecalledExperience,
    RoleTokens,
    Telemetry,
)
from eval.workbench import Workbench
from reasoningbank.failpoints import failpoint
from reasoningbank.interfaces import BankReader, Episode
from reasoningbank.llm.calls import CallScope
from reasoningbank.tokens import estimate_tokens
from reasoningbank.types import Distilled, JudgedAttempt, Recall, Role, Task, Usage, Verdict, derive_seed


def episode_id(stream: str, position: int, task: Task) -> str:
    return f"{stream}/{position:04d}/{task.id}"


class EpisodeRun:
    """One task of one stream, from recall to what was learnt."""

    def __init__(self, bench: Workbench, *, stream: str, trial: int, position: int, task: Task, folder: Path) -> None:
        self.bench = bench
        self.stream = stream
        self.trial = trial
        self.position = position
        self.task = task
        self.id = episode_id(stream, position, task)
        self.folder = folder / "attempts" / f"{position:04d}-{task.id}"
        self._scopes = bench.scopes(trial, task.id)
        self._memory = ""
        self._records: dict[int, AttemptRecord] = {}
        self._outcomes: dict[int, Outcome] = {}

    def run(self, bank: BankReader) -> JournalLine:
        """The episode's journal line. InfraError where an attempt could not be carried through."""
        started, clock = datetime.now(UTC).isoformat(timespec="seconds"), time.monotonic()
        memory = self.bench.memory
        recall = expect(memory.recall(self.task, bank), Recall, memory, "recall")
        self._memory = recall.text
        attempts = self.bench.scaling.run(self.rollout)
        # scopes of their own: what an attempt called, and whether it was kept from before, must not move these seeds
        scopes = self.bench.scopes(self.trial, self.task.id)
        selected = self.bench.scaling.select(attempts, scopes(None), seed=self._seed("selector"))
        episode = Episode(id=self.id, task=self.task, position=self.position, attempts=attempts)
        learnt = expect(memory.distill(episode, scopes), Distilled, memory, "distill")
        result = EpisodeResult(
            stream=self.stream,
            position=self.position,
            task_id=self.task.id,
            template_id=self.task.template_id,
            group=self.task.group,
            recalled=recalled(recall),
            injected_tokens=estimate_tokens(recall.text) if recall.text else 0,
            attempts=tuple(self._result(attempt) for attempt in attempts),
            selected=selected,
            learnt=learnt.experiences,
            refused=(*learnt.refused, *(each for scope in scopes.all() for each in scope.refused)),
            tokens=tokens(self._usages(scopes.all())),
        )
        return JournalLine(result=result, telemetry=self._telemetry(started, clock, scopes.all()))

    def rollout(self, index: int) -> JudgedAttempt:
        """Attempt `index`, kept from an earlier run of this command where its file is whole, and its verdict."""
        path = self.folder / f"{index}.json"
        attempt_id = f"{self.id}/{index}"
        record = load_attempt(path, attempt_id, self.task)
        if record is None:
            scope = self._scopes(index)
            record = run_attempt(
                self.bench, self.task, scope, trial=self.trial, attempt_id=attempt_id, memory=self._memory
            ).with_calls(scope)
            save_attempt(path, record)
        suite = self.bench.suite
        outcome = suite.evaluate(self.task, suite.load_evidence(record.evidence), self.bench.grader)
        expect(outcome, Outcome, suite, "evaluate")
        if self.bench.memory.needs_verdicts and not record.judged:
            failpoint("judge")
            # a scope of its own, so that a judge after a resume makes the same calls as one without
            scope = self.bench.scopes(self.trial, self.task.id)(index)
            verdict = self._judge(record, outcome, index, scope)
            record = record.with_calls(scope, judged=True, verdict=verdict)
            save_attempt(path, record)
        self._records[index] = record
        self._outcomes[index] = outcome
        return JudgedAttempt(index=index, trajectory=record.trajectory, verdict=record.verdict)

    def _judge(self, record: AttemptRecord, outcome: Outcome, index: int, scope: CallScope) -> Verdict:
        if self.bench.outcome_judge is not None:
            return self.bench.outcome_judge.verdict(outcome, seed=self._seed("judge", index))
        assert self.bench.judge is not None
        return expect(self.bench.judge.judge(record.trajectory, scope), Verdict, self.bench.judge, "judge")

    def _seed(self, role: Role, index: int = -1) -> int:
        suite = self.bench.suite
        return derive_seed(self.bench.settings.seed, self.trial, suite.id, suite.seed, self.task.id, index, role, 0)

    def _result(self, attempt: JudgedAttempt) -> AttemptResult:
        trajectory = attempt.trajectory
        return AttemptResult(
            attempt_id=trajectory.attempt_id,
            index=attempt.index,
            exit=trajectory.exit,
            answer=trajectory.answer,
            steps=len(trajectory.steps),
            errors=sum(1 for step in trajectory.steps if step.error),
            trajectory_hash=trajectory.digest(),
            verdict=attempt.verdict,
            outcome=self._outcomes[attempt.index],
        )

    def _usages(self, scopes: Iterable[CallScope]) -> list[dict[Role, Usage]]:
        return [
            *(self._records[index].usage for index in sorted(self._records)),
            *(scope.usage for scope in scopes),
        ]

    def _telemetry(self, started: str, clock: float, scopes: list[CallScope]) -> Telemetry:
        records = [self._records[index] for index in sorted(self._records)]
        failed = [source.failed for source in records] + [scope.failed for scope in scopes]
        retries = [source.retries for source in records] + [scope.retries for scope in scopes]
        return Telemetry(
            started=started,
            seconds=round(time.monotonic() - clock, 3),
            attempt_seconds=tuple(record.seconds for record in records),
            retries=sum(retries),
            failed_tokens=sum(failed, Usage()),
            cached_tokens=sum(usage.cached_tokens for one in self._usages(scopes) for usage in one.values()),
            host=socket.gethostname(),
            pid=os.getpid(),
        )


def recalled(recall: Recall) -> tuple[RecalledExperience, ...]:
    return tuple(
        RecalledExperience(
            experience_id=hit.experience.id,
            task_id=hit.experience.task_id,
            score=hit.score,
            item_ids=tuple(item.id for item in hit.items),
        )
        for hit in recall.hits
    )


def tokens(usages: Iterable[dict[Role, Usage]]) -> dict[Role, RoleTokens]:
    """Summed by role, roles in a fixed order."""
    sums: dict[Role, Usage] = {}
    for one in usages:
        for role, usage in one.items():
            sums[role] = sums.get(role, Usage()) + usage
    return {
        role: RoleTokens(**{name: getattr(sums[role], name) for name in RoleTokens.model_fields})
        for role in sorted(sums)
    }


def infra_line(run: EpisodeRun) -> JournalLine:
    """The line of an episode that is given up on (`on_infra_error=skip`): no outcomes, nothing learnt."""
    attempts = tuple(
        AttemptResult(
            attempt_id=f"{run.id}/{index}",
            index=index,
            exit="infra_error",
            answer=None,
            steps=0,
            errors=0,
            trajectory_hash="",
            verdict=None,
            outcome=None,
        )
        for index in range(run.bench.settings.k)
    )
    result = EpisodeResult(
        stream=run.stream,
        position=run.position,
        task_id=run.task.id,
        template_id=run.task.template_id,
        group=run.task.group,
        recalled=(),
        injected_tokens=0,
        attempts=attempts,
        selected=None,
        learnt=(),
        refused=(),
        tokens={},
    )
    now = datetime.now(UTC).isoformat(timespec="seconds")
    return JournalLine(
        result=result, telemetry=Telemetry(started=now, seconds=0.0, host=socket.gethostname(), pid=os.getpid())
    )
