"""Reports, made from journals alone: a run's summary.json, table.txt and cumulative.png, a sweep's comparison.png."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from eval.analysis.labels import in_order, parts
from eval.analysis.origin import united
from eval.analysis.records import load_run, runs_below
from eval.analysis.summary import Summary, summarize
from eval.analysis.sweep import Setting, pool_settings
from reasoningbank.errors import SetupError
from reasoningbank.files import write_atomic
from reasoningbank.types import SCHEMA_VERSION

if TYPE_CHECKING:
    from rich.console import Console


@dataclass(frozen=True)
class Report:
    """What was written for one run."""

    folder: Path
    summary: Summary
    files: tuple[str, ...]

    def table(self) -> str:
        """The figures as text."""
        from eval.analysis.tables import plain, run_table

        return plain(run_table(self.summary))

    def render(self, console: Console) -> None:
        """Print the table."""
        _print_plain(console, self.table())
        console.print(f"written to {self.folder}: {', '.join(self.files)}", highlight=False)


@dataclass(frozen=True)
class SweepReport:
    """What was written for several runs below one folder."""

    folder: Path
    summaries: dict[str, Summary]
    settings: dict[str, Setting]
    varied: dict[str, list[str]]
    """What tells each run apart, as `key=value`."""
    files: tuple[str, ...]

    def table(self) -> str:
        """The comparison as text."""
        from eval.analysis.comparison import comparison
        from eval.analysis.tables import plain

        return plain(comparison(self.folder.name, self.settings, self.summaries, self.varied), width=200)

    def render(self, console: Console) -> None:
        """Print the comparison."""
        _print_plain(console, self.table())
        console.print(f"written to {self.folder}: {', '.join(self.files)}", highlight=False)


def write_report(run_dir: Path, *, figure: bool = True) -> Report:
    """Read a run (finished or not), write its files, return what to print. An older figure goes where none is wanted:
    it would not be of this table."""
    run = load_run(run_dir)
    summary = summarize(run)
    report = Report(run_dir, summary, ("summary.json", "table.txt", *(("cumulative.png",) if figure else ())))
    write_atomic(run_dir / "summary.json", _json(summary.model_dump(mode="json")))
    write_atomic(run_dir / "table.txt", report.table())
    if figure:
        from eval.analysis.curves import cumulative_figure

        write_atomic(run_dir / "cumulative.png", cumulative_figure(run, summary))
    else:
        (run_dir / "cumulative.png").unlink(missing_ok=True)
    return report


def write_sweep_report(folder: Path, *, figure: bool = True) -> SweepReport:
    """Compare all runs below `folder` (each run's own files are left alone)."""
    runs = in_order({str(path.relative_to(folder)): load_run(path) for path in runs_below(folder)})
    if not runs:
        raise SetupError(f"{folder} holds no runs: no meta.json at any depth")
    summaries = {label: summarize(run) for label, run in runs.items()}
    settings = pool_settings(runs)
    origin = united(run.origin for run in runs.values())
    complete = all(summary.complete for summary in summaries.values())
    data = {
        "schema_version": SCHEMA_VERSION,
        **origin.model_dump(mode="json"),
        "complete": complete,
        "settings": {name: setting.model_dump(mode="json") for name, setting in settings.items()},
        "runs": {label: summary.model_dump(mode="json") for label, summary in summaries.items()},
    }
    write_atomic(folder / "summary.json", _json(data))
    varied = {label: parts(label, run) for label, run in runs.items()}
    files = ("summary.json", "table.txt", *(("comparison.png",) if figure else ()))
    report = SweepReport(folder, summaries, settings, varied, files)
    write_atomic(folder / "table.txt", report.table())
    if figure:
        from eval.analysis.arm_plots import notes
        from eval.analysis.arms import arms_of
        from eval.analysis.rates import comparison_figure

        drawn = comparison_figure(
            folder.name, settings, simulated=origin.simulated, complete=complete, notes=notes(arms_of(runs))
        )
        write_atomic(folder / "comparison.png", drawn)
    else:
        (folder / "comparison.png").unlink(missing_ok=True)
    return report


def _print_plain(console: Console, table: str) -> None:
    # a terminal that is too narrow breaks the lines: better than columns that are cut off
    console.print(table, soft_wrap=True, markup=False, highlight=False, end="")


def _json(data: object) -> str:
    return json.dumps(data, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
