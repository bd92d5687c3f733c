"""One episode: recall once, attempt k times, judge and evaluate each, select, learn. It stores attempts alone."""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pydantic import Field, ValidationError

from eval.attempt import AttemptRecord, Round, load_attempt, run_attempt, save_attempt
from eval.grading.model import ModelGrader
from eval.journal import (
    AttemptResult,
    EpisodeResult,
    JournalLine,
    Outcome,
    RecalledExperience,
    RoleTokens,
    RoundResult,
    Telemetry,
    episode_folder,
    episode_id,
)
from eval.returned import check_attempts, check_learnt, check_outcome, check_selection, refuse
from eval.suites.base import EvaluatedElsewhere, Grader
from eval.workbench import Workbench
from reasoningbank.boundary import expect
from reasoningbank.errors import BudgetSpent, InfraError
from reasoningbank.failpoints import failpoint
from reasoningbank.files import remove_temporary, write_atomic
from reasoningbank.interfaces import AnswerCheck, BankReader, Episode, Evidence
from reasoningbank.llm.calls import CallScope
from reasoningbank.llm.record import CallLogs
from reasoningbank.tokens import estimate_tokens
from reasoningbank.types import (
    Distilled,
    JudgedAttempt,
    Recall,
    Refused,
    Role,
    Selection,
    Spent,
    Stored,
    Task,
    Usage,
    Verdict,
    canonical_json,
    derive_seed,
    together,
)


class Lost(Stored):
    """What an episode has spent on calls whose replies are in no result: those of attempts and tries that failed, as
    far as no record keeps them: what is recorded, the next try finds there."""

    tokens: Usage = Usage()
    spent: dict[Role, Spent] = Field(default_factory=dict)
    retries: int = 0
    """Calls made again, and tries of the episode that failed. To stop where a budget is spent is no failure."""

    @classmethod
    def of(cls, folder: Path) -> Lost:
        """That of the episode whose folder it is."""
        try:
            return cls.model_validate_json((folder / "lost.json").read_bytes())
        except (FileNotFoundError, ValidationError):
            return cls()

    def save(self, folder: Path) -> None:
        """So that who is stopped here, and continued by another process, knows what it has cost."""
        folder.mkdir(parents=True, exist_ok=True)
        write_atomic(folder / "lost.json", canonical_json(self.model_dump(mode="json")))

    def with_calls(self, scopes: Iterable[CallScope], *, failed: bool) -> Lost:
        """What is lost when these scopes are, with the try that they belong to, which has `failed` or was stopped."""
        lost = list(scopes)
        return Lost(
            tokens=sum((scope.lost for scope in lost), self.tokens),
            spent=together(self.spent, *(scope.lost_spent for scope in lost)),
            retries=self.retries + failed + sum(scope.retries for scope in lost),
        )


class EpisodeRun:
    """One task of one stream, from recall to what was learnt, in as many tries (`run`) as it takes."""

    def __init__(self, bench: Workbench, *, stream: str, trial: int, position: int, task: Task, folder: Path) -> None:
        self.bench = bench
        self.stream = stream
        self.trial = trial
        self.position = position
        self.task = task
        self.id = episode_id(stream, position, task.id)
        self.folder = episode_folder(folder, position, task.id)
        remove_temporary(self.folder)
        self._started = datetime.now(UTC).isoformat(timespec="seconds")
        self._clock = time.monotonic()
        self._lost = Lost.of(self.folder)
        self._cut_off: list[CallScope] = []
        """Of the try that failed last those whose calls are recorded."""
        self._open: set[CallScope] = set()
        """Of attempts and judges, what they called is in no record yet; and of graders."""
        self._logs = bench.logs(self.folder, folder.parent.parent)
        self._after = bench.scopes(trial, task.id, self._logs)
        """Of selection and learning."""
        self._grader_logs = bench.logs(self.folder, folder.parent.parent, grader=True)
        self._graders: dict[int, CallScope] = {}
        self._ungraded: dict[int, int] = {}
        self._memory = ""
        self._records: dict[int, AttemptRecord] = {}
        self._outcomes: dict[int, Outcome | None] = {}
        self._rounds: dict[int, tuple[RoundResult, ...]] = {}

    def run(self, bank: BankReader, *, learns: bool = True) -> JournalLine:
        """The episode's journal line. InfraError, BudgetSpent where an attempt could not be carried through."""
        try:
            return self._try(bank, learns)
        except (InfraError, BudgetSpent) as error:
            scopes = [*self._open, *self._after.all()]
            self._cut_off = [scope for scope in scopes if scope.recorded]
            self._lost = self._lost.with_calls(scopes, failed=isinstance(error, InfraError))
            self._open.clear()
            self._graders.clear()
            self._lost.save(self.folder)
            raise

    def _try(self, bank: BankReader, learns: bool) -> JournalLine:
        # scopes of their own: what an attempt called, and whether it was kept from before, must not move these seeds
        self._after = self.bench.scopes(self.trial, self.task.id, self._logs)
        memory = self.bench.memory
        recall = expect(memory.recall(self.task, bank), Recall, memory, "recall")
        self._memory = recall.text
        scaling = self.bench.scaling

        given: dict[int, JudgedAttempt] = {}

        def rollout(index: int, check: AnswerCheck | None = None) -> JudgedAttempt:
            # a function, not a method: it has no attribute by which a scaling could come to the suite and its gold
            if type(index) is not int or not 0 <= index < scaling.attempts:
                refuse(scaling, "run", f"asked for attempt {index!r} of {scaling.attempts}, numbered from 0")
            given[index] = self.rollout(index, check)
            return given[index]

        attempts = check_attempts(scaling.run(rollout), given, scaling)
        selection = scaling.select(attempts, self._after(None), seed=self._seed("order"))
        selection = check_selection(selection, given, scaling)
        learnt = Distilled()
        if learns:
            episode = Episode(id=self.id, task=self.task, position=self.position, attempts=attempts)
            learnt = check_learnt(memory.distill(episode, self._after), episode, memory)
        results = tuple(self._result(attempt) for attempt in attempts)
        return self._line(recall, results, selection, learnt, self._after.all(), teaches=learns)

    def given_up(self) -> JournalLine:
        """The line after the last try failed (`on_infra_error=skip`): no outcomes, nothing learnt.

        It tells what was paid for in vain; a later run that does the episode finds what is recorded of it.
        """
        self._lost = self._lost.model_copy(
            update={
                "tokens": sum((scope.paid for scope in self._cut_off), self._lost.tokens),
                "spent": together(self._lost.spent, *(scope.spent for scope in self._cut_off)),
            }
        )
        attempts = tuple(
            AttemptResult(
                attempt_id=f"{self.id}/{index}",
                index=index,
                exit="infra_error",
                answer=None,
                steps=0,
                errors=0,
                trajectory_hash="",
                verdict=None,
                outcome=None,
            )
            for index in range(self.bench.scaling.attempts)
        )
        return self._line(Recall(), attempts, Selection(), Distilled(), [], teaches=False)

    def rollout(self, index: int, check: AnswerCheck | None = None) -> JudgedAttempt:
        """Attempt `index`, kept from an earlier run of this command where its file is whole, and its verdict."""
        attempt_id = f"{self.id}/{index}"
        record = load_attempt(self._path(index), attempt_id, self.task)
        if record is None:
            scope = self._open_scope(index, self._logs)
            record = run_attempt(
                self.bench,
                self.task,
                scope,
                trial=self.trial,
                index=index,
                attempt_id=attempt_id,
                memory=self._memory,
                images=self.folder / str(index),
                check=check,
            ).with_calls(scope)
            self._keep(index, record, scope)
        self._records[index] = record
        # asked anew at each try: the file of an attempt tells nothing of gold
        self._graders[index] = self._open_scope(index, self._grader_logs)
        grader = self.bench.grader(self._graders[index])
        outcome = self._evaluate(record.evidence, grader)
        self._rounds[index] = tuple(self._round(each, grader) for each in record.rounds)
        self._ungraded[index] = grader.ungraded if isinstance(grader, ModelGrader) else 0
        if self.bench.judges and not record.judged:
            failpoint("judge")
            # a scope of its own, so that a judge after a resume makes the same calls as one without
            scope = self._open_scope(index, self._logs)
            verdict = self._judge(record, outcome, index, scope)
            record = record.with_calls(scope, judged=True, verdict=verdict)
            self._keep(index, record, scope)
        self._outcomes[index] = outcome
        return JudgedAttempt(index=index, trajectory=record.trajectory, verdict=record.verdict)

    def _evaluate(self, evidence: dict[str, Any], grader: Grader) -> Outcome | None:
        suite = self.bench.suite
        if isinstance(suite, EvaluatedElsewhere) and suite.elsewhere:
            return None
        read = expect(suite.load_evidence(evidence), Evidence, suite, "load_evidence")
        return check_outcome(suite.evaluate(self.task, read, grader), self.task, suite)

    def _round(self, each: Round, grader: Grader) -> RoundResult:
        return RoundResult(
            step=each.held.step,
            exit=each.held.exit,
            answer=each.held.answer,
            outcome=None if each.evidence is None else self._evaluate(each.evidence, grader),
        )

    def _path(self, index: int) -> Path:
        return self.folder / f"{index}.json"

    def _open_scope(self, index: int, logs: CallLogs | None) -> CallScope:
        scope = self.bench.scopes(self.trial, self.task.id, logs)(index)
        self._open.add(scope)
        return scope

    def _keep(self, index: int, record: AttemptRecord, scope: CallScope) -> None:
        """Save a record that holds the account of `scope`."""
        save_attempt(self._path(index), record)
        self._records[index] = record
        self._open.discard(scope)

    def _judge(self, record: AttemptRecord, outcome: Outcome | None, index: int, scope: CallScope) -> Verdict:
        if self.bench.outcome_judge is not None:
            assert outcome is not None, "checked when the bench was built"
            return self.bench.outcome_judge.verdict(outcome, seed=self._seed("judge", index))
        assert self.bench.judge is not None
        return expect(self.bench.judge.judge(record.trajectory, scope), Verdict, self.bench.judge, "judge")

    def _seed(self, role: str, index: int = -1) -> int:
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
            rounds=self._rounds[attempt.index],
        )

    def _line(
        self,
        recall: Recall,
        attempts: tuple[AttemptResult, ...],
        selection: Selection,
        learnt: Distilled,
        after: list[CallScope],
        *,
        teaches: bool,
    ) -> JournalLine:
        """`after`: the scopes of selection and learning."""
        records, graders = ([kept[index] for index in sorted(kept)] for kept in (self._records, self._graders))
        sources: list[AttemptRecord | CallScope] = [*records, *graders, *after]
        result = EpisodeResult(
            stream=self.stream,
            position=self.position,
            task_id=self.task.id,
            template_id=self.task.template_id,
            group=self.task.group,
            recalled=recalled(recall, self.task),
            injected_tokens=estimate_tokens(recall.text) if recall.text else 0,
            attempts=attempts,
            selected=selection.index,
            selected_by_lot=selection.by_lot,
            teaches=teaches,
            learnt=learnt.experiences,
            refused=tuple(without_gold(refused) for source in sources for refused in source.refused),
            ungraded=sum(self._ungraded[index] for index in self._graders),
            tokens=tokens(source.usage for source in sources),
        )
        telemetry = Telemetry(
            started=self._started,
            seconds=round(time.monotonic() - self._clock, 3),
            attempt_seconds=tuple(self._records[index].seconds for index in sorted(self._records)),
            retries=self._lost.retries + sum(source.retries for source in sources),
            failed_tokens=sum((source.failed for source in sources), self._lost.tokens),
            spent=together(self._lost.spent, *(source.spent for source in sources)),
            cached_tokens=sum(usage.cached_tokens for source in sources for usage in source.usage.values()),
            host=socket.gethostname(),
            pid=os.getpid(),
        )
        return JournalLine(result=result, telemetry=telemetry)


def without_gold(refused: Refused) -> Refused:
    """A grader's words may repeat what it was shown, and stand in its own record alone."""
    if refused.role != "grader":
        return refused
    return Refused(role="grader", reason="it cannot be read as a grade; the grader's record has it", text="")


def recalled(recall: Recall, task: Task) -> tuple[RecalledExperience, ...]:
    return tuple(
        RecalledExperience(
            experience_id=hit.experience.id,
            task_id=hit.experience.task_id,
            score=hit.score,
            item_ids=tuple(item.id for item in hit.items),
            later=bool(task.date) and hit.experience.date > task.date,
        )
        for hit in recall.hits
    )


def tokens(usages: Iterable[dict[Role, Usage]]) -> dict[Role, RoleTokens]:
    """Summed by role, roles in a fixed order."""
    sums: dict[Role, Usage] = {}
    for one in usages:
        for role, usage in one.items():
            sums[role] = sums.get(role, Usage()) + usage
    return {role: RoleTokens.of(sums[role]) for role in sorted(sums)}
