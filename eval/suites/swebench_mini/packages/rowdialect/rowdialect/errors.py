"""The errors of this library; `RowError` is the base of all."""


class RowError(ValueError):
    """Something is wrong with a table or with what is asked of it."""


class DialectError(RowError):
    """A dialect that there is not, or that cannot be."""


class QuoteError(RowError):
    """A quoted cell that never ends, or goes on after its end."""

    def __init__(self, line: int, cell: str, reason: str) -> None:
        super().__init__(f"line {line}: the quoted cell {cell[:30]!r} {reason}")
        self.line = line
        self.cell = cell


class WidthError(RowError):
    """A row with too few or too many cells."""

    def __init__(self, number: int, cells: list[str], expected: int) -> None:
        super().__init__(f"row {number} has {len(cells)} cells instead of {expected}: {cells!r}")
        self.number = number


class ColumnError(RowError):
    """A column that the table does not have."""

    def __init__(self, name: str, header: list[str]) -> None:
        super().__init__(f"there is no column {name!r}, only {', '.join(header)}")
        self.name = name


class CellError(RowError):
    """A cell that is not of its column's type."""

    def __init__(self, text: str, kind: str) -> None:
        super().__init__(f"{text!r} is no {kind}")
        self.text = text
        self.kind = kind
