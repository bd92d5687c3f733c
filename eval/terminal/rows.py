"""What commands print: rows of cells as a table on a terminal and as lines with tabs elsewhere; long texts by pages."""

from __future__ import annotations

import io
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from eval.terminal.program import safe

if TYPE_CHECKING:
    from rich.console import Console


def new_console(**more: Any) -> Console:
    """Standard output, where what is printed is taken as it is."""
    from rich.console import Console

    return Console(highlight=False, markup=False, emoji=False, soft_wrap=True, tab_size=2, **more)


@contextmanager
def by_pages(*, wanted: bool) -> Iterator[Console]:
    """A console whose output goes through $PAGER, or less, where it is too long for the terminal that it goes to."""
    console = new_console()
    try:
        command = shlex.split(os.environ.get("PAGER") or "less")
    except ValueError:  # quotes that do not end
        command = []
    if not (wanted and sys.stdout.isatty() and command and shutil.which(command[0])):
        yield console
        return
    written = io.StringIO()
    yield new_console(file=written, force_terminal=True, width=console.width)
    text = written.getvalue()
    if text.count("\n") < console.height:
        console.file.write(text)
        return
    show_pages(command, text)


def show_pages(command: Sequence[str], text: str) -> None:
    """Ctrl-C ends the pager, too: it must not read on beside the shell."""
    env = {"LESS": "FRX", **os.environ}  # colours as colours
    with subprocess.Popen(command, stdin=subprocess.PIPE, text=True, encoding="utf-8", env=env) as process:
        try:
            process.communicate(text)
        except KeyboardInterrupt:
            process.terminate()
            raise


def print_rows(
    console: Console,
    heads: Sequence[str],
    rows: Iterable[Sequence[str]],
    *,
    title: str = "",
    right: Collection[str] = (),
    wide: str = "",
) -> None:
    """Print them below `title`. `right` are the heads of numbers, `wide` is the head of what takes the room left."""
    if not console.is_terminal:
        write_lines(console, heads, rows, title=title)
        return
    from rich.table import Table
    from rich.text import Text

    from eval.analysis.tables import LOOK

    table = Table(**LOOK)
    for head in heads:
        table.add_column(
            head,
            justify="right" if head in right else "left",
            overflow="fold",
            ratio=1 if head == wide else None,
        )
    for row in rows:
        table.add_row(*(Text(one_line_cell(cell)) for cell in row))
    if title:
        console.print(Text(safe(title), style="bold"))
    console.print(table, soft_wrap=False)
    console.print()


def write_lines(console: Console, heads: Sequence[str], rows: Iterable[Sequence[str]], *, title: str = "") -> None:
    """One line a row, for other programs; what is no row begins with `#`."""
    if title:
        remark(console, title)
    for row in (heads, *rows):
        console.file.write("\t".join(map(one_line_cell, row)) + "\n")


def remark(console: Console, text: str) -> None:
    """A line beside the rows."""
    console.file.write(safe(text if console.is_terminal else f"# {text}") + "\n")


def one_line_cell(cell: str) -> str:
    return safe(" ".join(cell.split()))
