"""`python -m eval list [RESULTS]`: the runs and sweeps there are, one row each, and what tells them apart.

On a terminal a table, into a pipe or a file one line each, with tabs between; `--json` with everything.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING

from eval.terminal.program import Arguments

if TYPE_CHECKING:
    from collections.abc import Sequence

    from eval.commands._runs import Entry

HELP = "the runs and sweeps there are, and what tells them apart"

EXAMPLES = """examples:
  python -m eval list                                   those below results/
  python -m eval list FOLDER --json                     of another folder, with everything
"""

COLUMNS = ("run", "tasks", "success", "k", "settings", "started")
NUMBERS = (True, True, True, False)
"""Which of the columns between the run's name and its settings, and of the last one, are numbers."""
GAP, INDENT = 2, 4
LEGEND = "below each: what tells it from others, but for what is left at its default; started: UTC"


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
    settings = "; ".join(f"{key}={','.join(values)}" for key, values in entry.telling.items())
    ks = ",".join(map(str, entry.k))
    return [name, tasks, _success(entry), ks or "-", settings or "-", entry.started.partition("+")[0]]


def _short_time(started: str, year: str) -> str:
    """`11-30 04:59`, or `2025-11-30` of another year than the newest run's."""
    return started[5:16].replace("T", " ") if started.startswith(year) else started[:10]


def _success(entry: Entry) -> str:
    from eval.analysis.tables import interval, percent

    if not entry.success:
        return "-"
    low, high = min(entry.success), max(entry.success)
    if entry.sweep:
        return percent(low) if low == high else f"{100 * low:.1f} to {percent(high)}"
    return f"{percent(low)} {interval(entry.interval)}" if entry.interval else percent(low)


def _print(rows: Sequence[Sequence[str]]) -> None:
    """Into a pipe a line each; on a terminal what tells a run apart stands below its row, in the whole width."""
    from eval.terminal.rows import new_console, one_line_cell, print_rows, remark

    console = new_console()
    if not console.is_terminal:
        print_rows(console, COLUMNS, rows)
        return
    place = COLUMNS.index("settings")
    year = max((row[-1][:4] for row in rows), default="")
    lines = [[*map(one_line_cell, row[:-1]), _short_time(row[-1], year)] for row in rows]
    table = [_without(list(COLUMNS), place), *(_without(row, place) for row in lines)]
    widths = [max(len(row[column]) for row in table) for column in range(len(table[0]))]
    widths[0] = max(8, min(widths[0], console.width - sum(widths[1:]) - GAP * (len(widths) - 1)))
    console.file.write(_aligned(table[0], widths) + "\n" + "─" * min(console.width, sum(widths) + 8) + "\n")
    for row, whole in zip(table[1:], lines, strict=True):
        console.file.write(_aligned(row, widths) + "\n")
        for text in _broken(whole[place], console.width - INDENT) if whole[place] != "-" else ():
            console.file.write(" " * INDENT + text + "\n")
    remark(console, LEGEND)


def _without(row: list[str], place: int) -> list[str]:
    return [*row[:place], *row[place + 1 :]]


def _aligned(row: Sequence[str], widths: Sequence[int]) -> str:
    """A row; a name that is longer than its column goes on a line of its own."""
    name, *cells = row
    start = f"{name}\n{'':<{widths[0]}}" if len(name) > widths[0] else f"{name:<{widths[0]}}"
    sides = zip(cells, widths[1:], NUMBERS, strict=True)
    shown = [f"{cell:>{width}}" if number else f"{cell:<{width}}" for cell, width, number in sides]
    return (" " * GAP).join([start, *shown]).rstrip()


def _broken(settings: str, width: int) -> list[str]:
    """Lines that end between two settings; one that is wider than a line by itself is left to the terminal."""
    lines: list[str] = []
    for part in settings.split("; "):
        if lines and len(lines[-1]) + 2 + len(part) <= width:
            lines[-1] += f"; {part}"
        else:
            lines.append(part)
    return [f"{line};" if number < len(lines) else line for number, line in enumerate(lines, 1)]
