"""Reports, made from journals alone: a run's summary.json, table.txt and cumulative.png, a sweep's comparison.png."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from eval.analysis.records import RunRecord, load_run, runs_below
from eval.analysis.stats import mean
from eval.analysis.summary import Summary, summarize
from eval.analysis.sweep import Setting, in_order, parts, pool_settings
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

    def table(self) -> str:
        """The figures as text."""
        from eval.analysis.tables import plain, run_table

        return plain(run_table(self.summary))

    def render(self, console: Console) -> None:
        """Print the table."""
        _print_plain(console, self.table())
        console.print(f"written to {self.folder}: summary.json, table.txt, cumulative.png", highlight=False)


@dataclass(frozen=True)
class SweepReport:
    """What was written for several runs below one folder."""

    folder: Path
    summaries: dict[str, Summary]
    settings: dict[str, Setting]
    varied: dict[str, list[str]]
    """What tells each run apart, as `key=value`."""
    steps_solved_by_all: dict[str, float | None]
    why_not_by_all: str
    """Empty where there are tasks that every run solved."""

    def table(self) -> str:
        """The comparison as text."""
        from eval.analysis.comparison import comparison
        from eval.analysis.tables import plain

        return plain(
            comparison(
                self.folder.name,
                self.settings,
                self.summaries,
                self.varied,
                self.steps_solved_by_all,
                self.why_not_by_all,
            ),
            width=200,
        )

    def render(self, console: Console) -> None:
        """Print the comparison."""
        _print_plain(console, self.table())
        console.print(f"written to {self.folder}: summary.json, table.txt, comparison.png", highlight=False)


def write_report(run_dir: Path) -> Report:
    """Read a run (finished or not), write its three files, return what to print."""
    from eval.analysis.plots import cumulative_figure

    run = load_run(run_dir)
    summary = summarize(run)
    write_atomic(run_dir / "summary.json", _json(summary.model_dump(mode="json")))
    report = Report(run_dir, summary)
    write_atomic(run_dir / "table.txt", report.table())
    write_atomic(run_dir / "cumulative.png", cumulative_figure(run, summary))
    return report


def write_sweep_report(folder: Path) -> SweepReport:
    """Compare all runs below `folder` (each run's own files are left alone)."""
    from eval.analysis.plots import comparison_figure

    runs = in_order({str(path.relative_to(folder)): load_run(path) for path in runs_below(folder)})
    if not runs:
        raise SetupError(f"{folder} holds no runs: no meta.json at any depth")
    summaries = {label: summarize(run) for label, run in runs.items()}
    settings = pool_settings(runs)
    shared, why = steps_solved_by_all(runs)
    simulated = any(summary.simulated for summary in summaries.values())
    complete = all(summary.complete for summary in summaries.values())
    data = {
        "schema_version": SCHEMA_VERSION,
        "simulated": simulated,
        "complete": complete,
        "settings": {name: setting.model_dump(mode="json") for name, setting in settings.items()},
        "runs": {label: summary.model_dump(mode="json") for label, summary in summaries.items()},
        "steps_mean_solved_by_all": shared,
    }
    write_atomic(folder / "summary.json", _json(data))
    varied = {label: parts(label, run) for label, run in runs.items()}
    report = SweepReport(folder, summaries, settings, varied, shared, why)
    write_atomic(folder / "table.txt", report.table())
    title = folder.name if complete else f"{folder.name} - incomplete"
    write_atomic(folder / "comparison.png", comparison_figure(title, settings, simulated=simulated))
    return report


def steps_solved_by_all(runs: dict[str, RunRecord]) -> tuple[dict[str, float | None], str]:
    """Each run's mean steps over solved attempts on the tasks that every one of the runs solved at least once.

    None, and the reason, for runs over different worlds, which have no task in common, and where no task is such.
    """
    if len({canonical_json(run.suite) for run in runs.values()}) > 1:
        return dict.fromkeys(runs), "the runs are over different worlds, which have no task in common"
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
    return means, "" if common else "no task was solved by every run"


def _print_plain(console: Console, table: str) -> None:
    # a terminal that is too narrow breaks the lines: better than columns that are cut off
    console.print(table, soft_wrap=True, markup=False, highlight=False, end="")


def _json(data: object) -> str:
    return json.dumps(data, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
