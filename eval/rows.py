"""Rows of cells as every command lists them: a table on a terminal, lines with tabs between into a pipe or a file."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING

from eval.terminal import safe

if TYPE_CHECKING:
    from rich.console import Console


def new_console() -> Console:
    """Standard output, where what is printed is taken as it is."""
    from rich.console import Console

    return Console(highlight=False, markup=False, emoji=False, soft_wrap=True, tab_size=2)


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
        table.add_row(*(Text(one_line(cell)) for cell in row))
    if title:
        console.print(Text(safe(title), style="bold"))
    console.print(table, soft_wrap=False)
    console.print()


def write_lines(console: Console, heads: Sequence[str], rows: Iterable[Sequence[str]], *, title: str = "") -> None:
    """One line a row, for other programs; what is no row begins with `#`."""
    if title:
        remark(console, title)
    for row in (heads, *rows):
        console.file.write("\t".join(map(one_line, row)) + "\n")


def remark(console: Console, text: str) -> None:
    """A line beside the rows."""
    console.file.write(safe(text if console.is_terminal else f"# {text}") + "\n")


def one_line(cell: str) -> str:
    return safe(" ".join(cell.split()))
