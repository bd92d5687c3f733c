"""`python -m eval list [RESULTS]`: the runs and sweeps there are, one row each, and what tells them apart.

On a terminal a table, into a pipe or a file one line each, with tabs between; `--json` with everything.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING

from eval.terminal import Arguments

if TYPE_CHECKING:
    from collections.abc import Sequence

    from eval.commands._runs import Entry

HELP = "the runs and sweeps there are, and what tells them apart"

EXAMPLES = """examples:
  python -m eval list                                   those below results/
  python -m eval list FOLDER --json                     of another folder, with everything
"""

COLUMNS = ("run", "tasks", "success", "k", "settings", "started")


def main(argv: list[str]) -> int:
    parser = Arguments(
        prog="python -m eval list",
        description=f"{HELP}. A sweep is one row, whose success is the range of its runs'.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("results", metavar="RESULTS", nargs="?", type=Path, default=Path("results"))
    parser.add_argument("--json", action="store_true", help="JSON instead of a table")
    options = parser.parse_args(argv)

    from eval.commands._runs import entries
    from reasoningbank.errors import SetupError

    if not options.results.is_dir():
        raise SetupError(f"no folder {options.results}: nothing was run here; name the folder of results")
    found = entries(options.results)
    if options.json:
        print(json.dumps([entry.data() for entry in found], indent=2, ensure_ascii=False))
    else:
        _print([_row(entry) for entry in found])
    return 0


def _row(entry: Entry) -> list[str]:
    """The cells of COLUMNS."""
    if entry.error:
        return [entry.name, "-", "-", "-", entry.error, "-"]
    tasks = str(entry.done) if entry.done == entry.planned else f"{entry.done} of {entry.planned}"
    marks = [*([f"sweep of {entry.runs}"] if entry.sweep else []), *(["simulated"] if entry.simulated else [])]
    name = f"{entry.name} ({', '.join(marks)})" if marks else entry.name
    settings = "; ".join(f"{key}={','.join(values)}" for key, values in entry.settings.items())
    ks = ",".join(map(str, entry.k))
    return [name, tasks, _success(entry), ks or "-", settings or "-", entry.started.partition("+")[0]]


def _success(entry: Entry) -> str:
    from eval.analysis.tables import interval, percent

    if not entry.success:
        return "-"
    low, high = min(entry.success), max(entry.success)
    if entry.sweep:
        return percent(low) if low == high else f"{100 * low:.1f} to {percent(high)}"
    return f"{percent(low)} {interval(entry.interval)}" if entry.interval else percent(low)


def _print(rows: Sequence[Sequence[str]]) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from eval.analysis.tables import LOOK
    from eval.terminal import safe

    console = Console(highlight=False, markup=False, emoji=False)
    if not console.is_terminal:
        for row in (COLUMNS, *rows):
            console.file.write("\t".join(safe(" ".join(cell.split())) for cell in row) + "\n")
        return
    table = Table(**LOOK)
    for head in COLUMNS:
        right = head in ("tasks", "success", "k")
        table.add_column(head, justify="right" if right else "left", no_wrap=right, overflow="fold")
    for row in rows:
        table.add_row(*(Text(safe(cell)) for cell in row))
    console.print(table)
