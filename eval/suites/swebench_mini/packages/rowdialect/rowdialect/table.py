"""Tables: a header, and rows that are as wide as it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rowdialect.dialects import COMMA, Dialect
from rowdialect.errors import ColumnError, RowError, WidthError
from rowdialect.scanner import scan


@dataclass(frozen=True)
class Table:
    """Cells under their header. Methods give new tables."""

    header: list[str]
    rows: list[list[str]]

    def __post_init__(self) -> None:
        repeated = sorted({name for name in self.header if self.header.count(name) > 1})
        if repeated:
            raise RowError(f"the header has {', '.join(map(repr, repeated))} more than once")
        for number, row in enumerate(self.rows, 1):
            if len(row) != len(self.header):
                raise WidthError(number, row, len(self.header))

    def __len__(self) -> int:
        return len(self.rows)

    def place(self, name: str) -> int:
        """Where a column stands, from 0."""
        if name not in self.header:
            raise ColumnError(name, self.header)
        return self.header.index(name)

    def column(self, name: str) -> list[str]:
        """The cells of a column."""
        place = self.place(name)
        return [row[place] for row in self.rows]

    def records(self) -> list[dict[str, str]]:
        """The rows as dictionaries."""
        return [dict(zip(self.header, row, strict=True)) for row in self.rows]

    def select(self, *names: str) -> Table:
        """These columns, in this order."""
        places = [self.place(name) for name in names]
        return Table(list(names), [[row[place] for place in places] for row in self.rows])

    def sorted_by(self, *names: str) -> Table:
        """The rows in the order of these columns; rows that are alike in them keep their order."""
        places = [self.place(name) for name in names]
        return Table(list(self.header), sorted(self.rows, key=lambda row: [row[place] for place in places]))


def read(text: str, dialect: Dialect = COMMA, *, header: Sequence[str] | None = None) -> Table:
    """The table of a text. Its first row is the header, unless one is given."""
    rows = list(scan(text, dialect))
    if header is None:
        if not rows:
            raise RowError(f"{text[:20]!r} has no header")
        return Table(rows[0], rows[1:])
    return Table(list(header), rows)
