"""SWE-bench's predictions of a run at code: files beside its journals, kept up to date with every line of them.

A set of predictions has one patch a task. A run has one set for each trial, and where its success rate is a mean over
attempts one for each of them; with best-of-N it is the selected attempt's, and of checked answers the last one's. The
first set is `preds.json`, others are `preds.t1.json` (trial 1), `preds.a1.json` (attempt 1) or `preds.t1.a1.json`.
An episode in which something around its attempts failed is in none: its task stays open.
"""

from __future__ import annotations

import fcntl
import os
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import ValidationError

from eval.analysis.records import RunRecord, attempt_file, load_run, read_meta
from eval.analysis.summary import success_metric
from eval.attempt import attempt_of
from eval.journal import AttemptResult, EpisodeResult, JournalLine, group_and_trial
from eval.suites.base import LeavesPatches, Suite
from eval.suites.code.evidence import CodeEvidence
from eval.suites.swebench.predictions import Prediction, read_predictions, write_predictions
from reasoningbank.errors import SetupError
from reasoningbank.text import counted
from reasoningbank.types import SuccessMetric

FILES = re.compile(r"preds(\.t[1-9]\d*)?(\.a[1-9]\d*)?\.json")
"""Their names, in a run's folder."""
LOCK = ".preds.lock"
PatchOf = Callable[[dict[str, object]], str]
"""What stored evidence has of a patch."""


@dataclass(frozen=True)
class SetName:
    """Of which trial and which attempt a set is, as far as a run has sets of others."""

    trial: int | None = None
    attempt: int | None = None

    def __str__(self) -> str:
        """As a person names it: `t0`, `a1`, `t0.a1`; empty for the only one."""
        return ".".join(f"{letter}{number}" for letter, number in self._parts if number is not None)

    @property
    def file(self) -> str:
        return ".".join(["preds", *(f"{letter}{number}" for letter, number in self._parts if number), "json"])

    @property
    def _parts(self) -> tuple[tuple[str, int | None], ...]:
        return ("t", self.trial), ("a", self.attempt)


@dataclass(frozen=True)
class Sets:
    """How the attempts of a run make sets of predictions."""

    run: RunRecord
    metric: SuccessMetric
    by_trial: bool
    by_attempt: bool

    @classmethod
    def of(cls, run: RunRecord) -> Sets:
        """By its meta alone, so that its journals need not be read."""
        metric = success_metric(run)
        streams = run.meta.get("streams") or [stream.name for stream in run.streams]
        trials = {group_and_trial(name)[1] for name in streams}
        return cls(run, metric, len(trials) > 1, metric == "pass_at_1" and (run.k or 1) > 1)

    @property
    def model(self) -> str:
        """As the predictions name it."""
        model = str(self.run.meta["identity"]["models"]["agent"])
        return f"simulated/{model}" if self.run.simulated else model

    def name(self, trial: int, attempt: int) -> SetName:
        return SetName(trial if self.by_trial else None, attempt if self.by_attempt else None)

    def counting(self, episode: EpisodeResult) -> list[AttemptResult]:
        """The attempts of an episode that its run's success rate is made of."""
        if self.metric == "pass_at_1":
            return list(episode.attempts)
        if self.metric == "last_answer":
            return list(episode.attempts[-1:])
        if episode.skipped:
            return list(episode.attempts[:1])
        return [attempt for attempt in episode.attempts if attempt.index == episode.selected]

    def prediction(self, episode: EpisodeResult, attempt: AttemptResult, patch: PatchOf) -> Prediction:
        """Of an attempt whose changes could not be taken it is empty. SetupError where its file is not as it was."""
        path = attempt_file(self.run, episode, attempt.index)
        record = attempt_of(path)
        if record is None or record.trajectory.digest() != attempt.trajectory_hash:
            raise SetupError(f"{path}, with the patch, is missing or was changed: without it no prediction can be made")
        return Prediction(
            instance_id=episode.task_id, model_name_or_path=self.model, model_patch=patch(record.evidence)
        )


@dataclass
class PredictionSet:
    """A set's predictions by task, and why other tasks have none."""

    name: SetName
    model: str
    predictions: dict[str, Prediction] = field(default_factory=dict)
    without: Counter[str] = field(default_factory=Counter)
    sha256: str = ""
    """Of what was written."""

    @property
    def file(self) -> str:
        return self.name.file


def prediction_sets(run: RunRecord) -> dict[str, PredictionSet]:
    """All sets of a run, by their names. SetupError where it is no run at code, or a file of it was changed."""
    made = Sets.of(run)
    sets: dict[str, PredictionSet] = {}

    def set_of(trial: int, attempt: int) -> PredictionSet:
        name = made.name(trial, attempt)
        return sets.setdefault(str(name), PredictionSet(name, made.model))

    def patch(evidence: dict[str, object]) -> str:
        try:
            return CodeEvidence.model_validate({"patch": None, **evidence}).evaluated
        except ValidationError:
            raise SetupError(f"{run.folder} is no run at code: its attempts leave no patches") from None

    for stream in run.streams:
        _, trial = group_and_trial(stream.name)
        for line in stream.lines:
            episode = line.result
            counting = made.counting(episode)
            if not counting:
                set_of(trial, 0).without["none of its attempts was selected"] += 1
            for attempt in counting:
                which = set_of(trial, attempt.index)
                if attempt.exit == "infra_error":
                    which.without["something around its attempt failed"] += 1
                    continue
                if episode.task_id in which.predictions:
                    raise SetupError(f"{run.folder}: two streams of trial {trial} have the task {episode.task_id}")
                which.predictions[episode.task_id] = made.prediction(episode, attempt, patch)
    return sets


def write_sets(folder: Path) -> tuple[RunRecord, dict[str, PredictionSet]]:
    """Writes all sets of a run, which may be going on. Returns it as it was then, and them. SetupError as of
    `prediction_sets`, and where there are none yet."""
    with turn(folder):
        run = load_run(folder)
        sets = prediction_sets(run)
        if not any(each.predictions for each in sets.values()):
            raise SetupError(f"{folder} has no attempt yet that left anything to evaluate")
        for each in sets.values():
            each.sha256 = write_predictions(folder / each.file, each.predictions.values())
    return run, sets


class StreamPredictions:
    """Keeps what a run's files of predictions have of one stream as its journal has it.

    The streams of a run may be in processes of their own: each reads what the others have written, and takes turns
    with them.
    """

    def __init__(self, run: Path, stream: str, tasks: Sequence[str], patch: PatchOf) -> None:
        self._folder = run
        self._tasks = frozenset(tasks)
        self._trial = group_and_trial(stream)[1]
        self._sets = Sets.of(RunRecord(run.name, run, read_meta(run), ()))
        self._patch = patch

    def begin(self, lines: Sequence[JournalLine]) -> str:
        """The journal has these lines. What the files have of other tasks of the stream goes; where the file of an
        attempt is gone, what they have of it stays. Returns what a person should know, or nothing."""
        lost: list[SetupError] = []
        with turn(self._folder):
            for left in self._folder.glob(".preds*.tmp"):  # by a process that was killed: nobody else writes now
                left.unlink()
            for name in self._names():
                path = self._folder / name.file
                kept = read_predictions(path)
                found = {task: each for task, each in kept.items() if task not in self._tasks}
                for line in lines:
                    episode = line.result
                    try:
                        found |= self._of(episode, name)
                    except SetupError as error:
                        if episode.task_id in kept:
                            found[episode.task_id] = kept[episode.task_id]
                        else:
                            lost.append(error)
                if found != kept:
                    write_predictions(path, found.values())
        return f"{counted(len(lost), 'prediction')} missing: {lost[0]}" if lost else ""

    def add(self, line: JournalLine) -> None:
        """One line more, or in the place of one whose episode was skipped."""
        with turn(self._folder):
            for name in self._names():
                if made := self._of(line.result, name):
                    path = self._folder / name.file
                    write_predictions(path, {**read_predictions(path), **made}.values())

    def _names(self) -> list[SetName]:
        attempts = range((self._sets.run.k or 1) if self._sets.by_attempt else 1)
        return [self._sets.name(self._trial, index) for index in attempts]

    def _of(self, episode: EpisodeResult, name: SetName) -> dict[str, Prediction]:
        """By its task; at most one, since no episode has two attempts in a set."""
        made = (
            self._sets.prediction(episode, attempt, self._patch)
            for attempt in self._sets.counting(episode)
            if attempt.exit != "infra_error" and self._sets.name(self._trial, attempt.index) == name
        )
        return {each.instance_id: each for each in made}


def stream_predictions(suite: Suite, run: Path, stream: str, tasks: Sequence[str]) -> StreamPredictions | None:
    """None for a suite whose attempts leave no patches."""
    if not isinstance(suite, LeavesPatches):
        return None
    return StreamPredictions(run, stream, tasks, lambda evidence: suite.patch(suite.load_evidence(evidence)))


@contextmanager
def turn(run: Path) -> Iterator[None]:
    """Nobody else changes a run's files of predictions meanwhile."""
    handle = os.open(run / LOCK, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)
