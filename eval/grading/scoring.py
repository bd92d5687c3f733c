"""What SWE-bench's own evaluation says of a run's predictions, put beside the run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from eval.analysis.records import RunRecord
from eval.grading.rescoring import Change, Unfit, each_again, write_rescored
from eval.journal import EpisodeResult, Outcome
from eval.runs.predictions import PredictionSet, Sets
from eval.suites.swebench.reports import Report
from reasoningbank.errors import SetupError
from reasoningbank.types import digest

SCORED = "scored"
"""In a run's folder: what an evaluation writes."""
GRADING = "SWE-bench's own evaluation"


def merge(run: RunRecord, sets: Mapping[str, PredictionSet], reports: Mapping[str, Report]) -> Path:
    """Writes beside a run what reports say of its sets of predictions, as `rescore` does. Returns the file.

    SetupError where a report is of other predictions.
    """
    for name, report in reports.items():
        check_fits(sets[name], report)
    merger = Merger(Sets.of(run), reports)
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

    sets: Sets
    reports: Mapping[str, Report]
    changes: list[Change] = field(default_factory=list)

    def episode(self, episode: EpisodeResult, trial: int) -> EpisodeResult:
        """The same with the reports' outcomes. Raises Unfit."""
        if episode.skipped:
            raise Unfit("no outcome: something around its attempts failed")
        found = {
            attempt.index: self.outcome(episode.task_id, str(self.sets.name(trial, attempt.index)))
            for attempt in self.sets.counting(episode)
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
        # of a run that had none before, those of which no prediction was made stay without
        told = tuple(attempt for attempt in attempts if attempt.outcome is not None)
        if not told:
            raise Unfit("none of its attempts was selected")
        return episode.model_copy(update={"attempts": told})

    def outcome(self, task_id: str, name: str) -> Outcome:
        report = self.reports.get(name)
        if report is None:
            raise Unfit(f"no report of {name}")
        if task_id in report.around:
            raise Unfit("in its evaluation something around the tests failed")
        if task_id not in report.outcomes:
            raise Unfit("the report does not tell of it")
        return report.outcomes[task_id]
