"""`python -m eval report RUN...`: write and print the report of a run or a sweep, finished or not."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from eval.terminal.program import Arguments

if TYPE_CHECKING:
    from rich.console import Console

HELP = "write and print the report of a run or a sweep, finished or not"

EXAMPLES = """examples:
  python -m eval report RUN                             summary.json, table.txt and cumulative.png in the run's folder
  python -m eval report SWEEP                           those of each run, and the comparison in the sweep's folder
  python -m eval report results/one results/two         several, one after the other
"""


def main(argv: list[str]) -> int:
    parser = Arguments(
        prog="python -m eval report",
        description=f"{HELP}. It reads journals alone, and may be used while the run goes on.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "runs", metavar="RUN", nargs="+", help="a run's or a sweep's folder, or its name under the results folder"
    )
    parser.add_argument("--results", type=Path, default=Path("results"), help="where names are looked up")
    options = parser.parse_args(argv)

    from rich.console import Console

    from eval.analysis.records import find_run, find_sweep
    from eval.commands._jobs import WRITING

    # a file or a pipe has no width of its own
    console = Console(width=None if sys.stdout.isatty() else 160)
    sweeps = {name: find_sweep(name, options.results) for name in options.runs}
    folders = {name: sweep or find_run(name, options.results) for name, sweep in sweeps.items()}
    if sys.stderr.isatty():  # elsewhere an error is one line, and nothing else stands there
        print(WRITING, file=sys.stderr, flush=True)
    for name, folder in folders.items():
        report_on(folder, console, sweep=sweeps[name] is not None)
    return 0


def report_on(folder: Path, console: Console, *, sweep: bool) -> None:
    from eval.analysis.records import runs_below
    from eval.analysis.report import write_report, write_sweep_report

    if not sweep:
        write_report(folder).render(console)
        return
    for each in runs_below(folder):
        write_report(each)
    write_sweep_report(folder).render(console)
