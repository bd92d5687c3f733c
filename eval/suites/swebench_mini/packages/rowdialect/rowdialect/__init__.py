"""Reads and writes tables in the many dialects of separated values."""

from rowdialect.converters import to_bool, to_date, to_decimal, to_int, typed
from rowdialect.dialects import COMMA, PIPE, SEMICOLON, TAB, Dialect, dialect, guess
from rowdialect.errors import CellError, ColumnError, DialectError, QuoteError, RowError, WidthError
from rowdialect.scanner import scan
from rowdialect.table import Table, read
from rowdialect.writer import write

__all__ = [
    "COMMA",
    "PIPE",
    "SEMICOLON",
    "TAB",
    "CellError",
    "ColumnError",
    "Dialect",
    "DialectError",
    "QuoteError",
    "RowError",
    "Table",
    "WidthError",
    "dialect",
    "guess",
    "read",
    "scan",
    "to_bool",
    "to_date",
    "to_decimal",
    "to_int",
    "typed",
    "write",
]
