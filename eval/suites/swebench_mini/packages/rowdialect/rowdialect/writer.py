"""Rows to texts."""

from collections.abc import Iterable, Sequence

from rowdialect.dialects import COMMA, Dialect
from rowdialect.errors import RowError
from rowdialect.table import Table


def needs_quotes(cell: str, dialect: Dialect, *, first: bool = False, only: bool = False) -> bool:
    """Whether a cell would be read as another, or as none, without quotes."""
    if any(mark in cell for mark in (dialect.delimiter, dialect.quote, "\n", "\r")):
        return True
    if dialect.trim and cell != cell.strip(" "):
        return True
    if first and dialect.comment and cell.startswith(dialect.comment):
        return True
    return only and not cell.strip(" ")


def quoted(cell: str, dialect: Dialect) -> str:
    """A cell between quotes, its own quotes doubled."""
    quote = dialect.quote
    return quote + cell.replace(quote, quote * 2) + quote


def write_row(row: Sequence[str], dialect: Dialect = COMMA) -> str:
    """One row, with its newline. A row of no cells cannot be written."""
    if not row:
        raise RowError(f"{row!r} has no cells")
    cells = [
        quoted(cell, dialect) if needs_quotes(cell, dialect, first=not place, only=len(row) == 1) else cell
        for place, cell in enumerate(row)
    ]
    return dialect.delimiter.join(cells) + "\n"


def write(table: Table | Iterable[Sequence[str]], dialect: Dialect = COMMA) -> str:
    """The text of a table, header first, or of rows."""
    rows = [table.header, *table.rows] if isinstance(table, Table) else table
    return "".join(write_row(row, dialect) for row in rows)
