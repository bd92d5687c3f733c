"""Cells to values. Each converter is a function of a text, and CONVERTERS has them by the names that `typed` takes."""

import datetime
from collections.abc import Callable, Mapping
from decimal import Decimal, InvalidOperation

from rowdialect.errors import CellError, RowError
from rowdialect.table import Table

Value = str | int | bool | Decimal | datetime.date | None


def to_int(text: str) -> int:
    """A whole number, with or without blanks or underscores between its digits."""
    digits = text.replace(" ", "").replace("_", "")
    if not digits.removeprefix("-").isdecimal():
        raise CellError(text, "whole number")
    return int(digits)


def to_decimal(text: str) -> Decimal:
    """A number with all its digits."""
    try:
        number = Decimal(text.strip())
    except InvalidOperation:
        raise CellError(text, "number") from None
    if not number.is_finite():
        raise CellError(text, "number")
    return number


def to_bool(text: str) -> bool:
    """True of yes, true, on, y and 1, False of no, false, off, n and 0, in any case and with any blanks around."""
    word = text.strip().lower()
    if word in ("yes", "true", "on", "y", "1"):
        return True
    if word in ("no", "false", "off", "n", "0"):
        return False
    raise CellError(text, "yes or no")


def to_date(text: str) -> datetime.date:
    """A date such as 1815-12-10."""
    try:
        return datetime.date.fromisoformat(text.strip())
    except ValueError:
        raise CellError(text, "date") from None


CONVERTERS: dict[str, Callable[[str], Value]] = {
    "int": to_int,
    "decimal": to_decimal,
    "bool": to_bool,
    "date": to_date,
}


def typed(table: Table, kinds: Mapping[str, str]) -> list[dict[str, Value]]:
    """The rows as dictionaries, with the cells of these columns converted. An empty cell of them is None.

    Columns that are not named stay texts.
    """
    for name, kind in kinds.items():
        table.place(name)
        if kind not in CONVERTERS:
            raise RowError(f"column {name!r}: unknown kind {kind!r}, one of {', '.join(CONVERTERS)}")
    rows: list[dict[str, Value]] = []
    for record in table.records():
        row: dict[str, Value] = dict(record)
        for name, kind in kinds.items():
            row[name] = CONVERTERS[kind](record[name]) if record[name].strip() else None
        rows.append(row)
    return rows
