"""A run's report: summary.json, table.txt and cumulative.png in its folder, made from its journals alone."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from eval.analysis.records import RunRecord, load_run, runs_below
from eval.analysis.stats import mean
from eval.analysis.summary import Summary, summarize
from reasoningbank.errors import SetupError
from reasoningbank.files import write_atomic
from reasoningbank.types import SCHEMA_VERSION, canonical_json

if TYPE_CHECKING:
    from rich.console import Console


@dataclass(frozen=True)
class Report:
    """What was written for one run."""

    folder: Path
    summary: Summary

    def render(self, console: Console) -> None:
        """Print the table."""
        from eval.analysis.tables import run_table

        console.print(run_table(self.summary))
        console.print(f"written to {self.folder}: summary.json, table.txt, cumulative.png", highlight=False)


@dataclass(frozen=True)
class SweepReport:
    """What was written for several runs below one folder."""

    folder: Path
    summaries: dict[str, Summary]
    steps_solved_by_all: dict[str, float | None]

    def table(self) -> str:
        """The comparison as text."""
        from eval.analysis.tables import comparison_table, plain

        return plain(comparison_table(self.folder.name, self.summaries, self.steps_solved_by_all), width=200)

    def render(self, console: Console) -> None:
        """Print the comparison."""
        # wider than many a terminal, which then breaks the lines: better than columns that are cut off
        console.print(self.table(), soft_wrap=True, markup=False, highlight=False, end="")
        console.print(f"written to {self.folder}: summary.json, table.txt", highlight=False)


def write_report(run_dir: Path) -> Report:
    """Read a run (finished or not), write its three files, return what to print."""
    from eval.analysis.plots import cumulative_figure
    from eval.analysis.tables import plain, run_table

    run = load_run(run_dir)
    summary = summarize(run)
    write_atomic(run_dir / "summary.json", _json(summary.model_dump(mode="json")))
    write_atomic(run_dir / "table.txt", plain(run_table(summary)))
    write_atomic(run_dir / "cumulative.png", cumulative_figure(run, summary))
    return Report(run_dir, summary)


def write_sweep_report(folder: Path) -> SweepReport:
    """Compare all runs below `folder` (each run's own files are left alone)."""
    runs = {str(path.relative_to(folder)): load_run(path) for path in runs_below(folder)}
    if not runs:
        raise SetupError(f"{folder} holds no runs: no meta.json at any depth")
    summaries = {label: summarize(run) for label, run in runs.items()}
    shared = steps_solved_by_all(runs)
    data = {
        "schema_version": SCHEMA_VERSION,
        "simulated": any(summary.simulated for summary in summaries.values()),
        "complete": all(summary.complete for summary in summaries.values()),
        "runs": {label: summary.model_dump(mode="json") for label, summary in summaries.items()},
        "steps_mean_solved_by_all": shared,
    }
    write_atomic(folder / "summary.json", _json(data))
    report = SweepReport(folder, summaries, shared)
    write_atomic(folder / "table.txt", report.table())
    return report


def steps_solved_by_all(runs: dict[str, RunRecord]) -> dict[str, float | None]:
    """Each run's mean steps over solved attempts on the tasks that every one of the runs solved at least once.

    None for runs over different worlds, which have no task in common.
    """
    if len({canonical_json(run.suite) for run in runs.values()}) > 1:
        return dict.fromkeys(runs)
    steps: dict[str, dict[tuple[str, str], list[int]]] = {}
    for label, run in runs.items():
        mine = steps[label] = {}
        for episode in (line.result for stream in run.streams for line in stream.lines):
            if episode.counted and any(attempt.solved for attempt in episode.attempts):
                key = (episode.stream, episode.task_id)
                mine[key] = [attempt.steps for attempt in episode.attempts if attempt.solved]
    common = set.intersection(*map(set, steps.values())) if steps else set()
    means: dict[str, float | None] = {}
    for label, mine in steps.items():
        per_task = [sum(mine[key]) / len(mine[key]) for key in sorted(common)]
        means[label] = mean(per_task)
    return means


def _json(data: object) -> str:
    return json.dumps(data, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
