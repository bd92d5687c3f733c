"""Predictions of a run at code, for SWE-bench's own evaluation, and what that says of them beside the run.

A set of predictions has one patch a task. A run has one set for each trial, and where its success rate is a mean over
attempts one for each of them; with best-of-N it is the selected attempt's, and of checked answers the last one's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import ValidationError

from eval.analysis.records import RunRecord, attempt_file
from eval.analysis.summary import success_metric
from eval.attempt import attempt_of
from eval.journal import AttemptResult, EpisodeResult, Outcome, group_and_trial
from eval.rescoring import Change, Unfit, each_again, write_rescored
from eval.suites.code.evidence import CodeEvidence
from eval.suites.swebench.predictions import Prediction
from eval.suites.swebench.reports import Report
from reasoningbank.errors import SetupError
from reasoningbank.types import SuccessMetric, digest

SCORED = "scored"
"""In a run's folder: its predictions, and what an evaluation writes."""
GRADING = "SWE-bench's own evaluation"


@dataclass
class PredictionSet:
    """A set's predictions by task, and why other tasks have none. `name` is empty where the run has no other set."""

    name: str
    model: str
    predictions: dict[str, Prediction] = field(default_factory=dict)
    without: Counter[str] = field(default_factory=Counter)

    @property
    def file(self) -> str:
        return f"preds.{self.name}.json" if self.name else "preds.json"


def prediction_sets(run: RunRecord) -> dict[str, PredictionSet]:
    """All sets of a run, by their names. SetupError where it is no run at code, or a file of it was changed."""
    metric = success_metric(run)
    model = str(run.meta["identity"]["models"]["agent"])
    named = f"simulated/{model}" if run.simulated else model
    sets: dict[str, PredictionSet] = {}
    namer = SetNames.of(run, metric)
    for stream in run.streams:
        _, trial = group_and_trial(stream.name)
        for line in stream.lines:
            episode = line.result
            if not counting(episode, metric):
                which = sets.setdefault(name := namer(trial, 0), PredictionSet(name, named))
                which.without["none of its attempts was selected"] += 1
            for attempt in counting(episode, metric):
                which = sets.setdefault(name := namer(trial, attempt.index), PredictionSet(name, named))
                if attempt.outcome is None:
                    which.without["something around its attempt failed"] += 1
                    continue
                if episode.task_id in which.predictions:
                    raise SetupError(f"{run.folder}: two streams of trial {trial} have the task {episode.task_id}")
                which.predictions[episode.task_id] = Prediction(
                    instance_id=episode.task_id,
                    model_name_or_path=named,
                    model_patch=patch_of(run, episode, attempt),
                )
    return sets


@dataclass(frozen=True)
class SetNames:
    """What tells a run's sets apart, and no more: `t<trial>`, `a<attempt>`."""

    by_trial: bool
    by_attempt: bool

    @classmethod
    def of(cls, run: RunRecord, metric: SuccessMetric) -> SetNames:
        trials = {group_and_trial(stream.name)[1] for stream in run.streams}
        return cls(len(trials) > 1, metric == "pass_at_1" and (run.k or 1) > 1)

    def __call__(self, trial: int, index: int) -> str:
        return ".".join([f"t{trial}"] * self.by_trial + [f"a{index}"] * self.by_attempt)


def counting(episode: EpisodeResult, metric: SuccessMetric) -> list[AttemptResult]:
    """The attempts of an episode that its run's success rate is made of."""
    if metric == "pass_at_1":
        return list(episode.attempts)
    if metric == "last_answer":
        return list(episode.attempts[-1:])
    if episode.skipped:
        return list(episode.attempts[:1])
    return [attempt for attempt in episode.attempts if attempt.index == episode.selected]


def patch_of(run: RunRecord, episode: EpisodeResult, attempt: AttemptResult) -> str:
    """What an attempt leaves to be evaluated: of one whose changes could not be taken, nothing."""
    path = attempt_file(run, episode, attempt.index)
    record = attempt_of(path)
    if record is None or record.trajectory.digest() != attempt.trajectory_hash:
        raise SetupError(f"{path}, with the patch, is missing or was changed: without it no prediction can be made")
    try:
        return CodeEvidence.model_validate({"patch": None, **record.evidence}).patch or ""
    except ValidationError:
        raise SetupError(f"{run.folder} is no run at code: its attempts leave no patches") from None


def merge(run: RunRecord, sets: Mapping[str, PredictionSet], reports: Mapping[str, Report]) -> Path:
    """Writes beside a run what reports say of its sets of predictions, as `rescore` does. Returns the file.

    SetupError where a report is of other predictions.
    """
    for name, report in reports.items():
        check_fits(sets[name], report)
    metric = success_metric(run)
    merger = Merger(metric, SetNames.of(run, metric), reports)
    again = each_again(run, merger.episode)
    told = {name or SCORED: report.sha256 for name, report in reports.items()}
    known = run.meta["identity"]["suite"]
    return write_rescored(
        run,
        again,
        digest(told)[:8],
        changed_settings={f"report{f' of {name}' * bool(name)}": str(each.source) for name, each in reports.items()},
        suite={"id": str(known["id"]), "version": str(known["version"]), **told},
        grading=GRADING,
        changes=merger.changes,
    )


def check_fits(given: PredictionSet, report: Report) -> None:
    """SetupError where a report cannot be of these predictions."""
    known = {*report.outcomes, *report.around}
    if strange := sorted(known - set(given.predictions)):
        raise SetupError(f"{report.source} tells of {strange[0]}, of which {given.file} has no prediction")
    for name in report.outcomes:
        empty = not given.predictions[name].model_patch.strip()
        if empty != (report.ending(name) == "empty_patch"):
            said = "empty, and the report evaluates one" if empty else "there, and the report says it is empty"
            raise SetupError(f"{report.source} is of other predictions: the patch of {name} in {given.file} is {said}")


@dataclass
class Merger:
    """Puts the reports' outcomes in the place of a run's own."""

    metric: SuccessMetric
    names: SetNames
    reports: Mapping[str, Report]
    changes: list[Change] = field(default_factory=list)

    def episode(self, episode: EpisodeResult, trial: int) -> EpisodeResult:
        """The same with the reports' outcomes. Raises Unfit."""
        if not episode.counted:
            raise Unfit("no outcome: something around its attempts failed")
        found = {
            attempt.index: self.outcome(episode.task_id, self.names(trial, attempt.index))
            for attempt in counting(episode, self.metric)
        }
        for attempt in episode.attempts:
            if attempt.outcome is not None and attempt.outcome != (new := found.get(attempt.index, attempt.outcome)):
                self.changes.append(
                    Change(attempt_id=attempt.attempt_id, task_id=episode.task_id, old=attempt.outcome, new=new)
                )
        attempts = [
            attempt.model_copy(update={"outcome": found.get(attempt.index, attempt.outcome)})
            for attempt in episode.attempts
        ]
        return episode.model_copy(update={"attempts": tuple(attempts)})

    def outcome(self, task_id: str, name: str) -> Outcome:
        report = self.reports.get(name)
        if report is None:
            raise Unfit(f"no report of {name}")
        if task_id in report.around:
            raise Unfit("in its evaluation something around the tests failed")
        if task_id not in report.outcomes:
            raise Unfit("the report does not tell of it")
        return report.outcomes[task_id]
