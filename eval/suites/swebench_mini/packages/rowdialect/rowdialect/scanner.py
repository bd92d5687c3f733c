"""Texts to rows of cells, character by character."""

from collections.abc import Iterator
from dataclasses import dataclass

from rowdialect.dialects import COMMA, Dialect
from rowdialect.errors import QuoteError


@dataclass(frozen=True)
class Cell:
    """The end of a cell: its text, where the scan goes on, and whether the row ends with it."""

    text: str
    position: int
    last: bool


def scan(text: str, dialect: Dialect = COMMA) -> Iterator[list[str]]:
    """The rows of a text. Blank lines and comments are none.

    Lines end with a newline, with or without a carriage return before it; inside quotes they are part of the cell.
    """
    text = text.replace("\r\n", "\n")
    position = 0
    while position < len(text):
        end = text.find("\n", position)
        line = text[position : end if end >= 0 else len(text)]
        if not line.strip(" ") or (dialect.comment and line.startswith(dialect.comment)):
            position += len(line) + 1
            continue
        row, last = [], False
        while not last:
            cell = scan_cell(text, position, dialect)
            row.append(cell.text)
            position, last = cell.position, cell.last
        yield row


def scan_cell(text: str, position: int, dialect: Dialect) -> Cell:
    """The cell that begins at a position."""
    start = position
    while dialect.trim and text[start : start + 1] == " ":
        start += 1
    if text[start : start + 1] == dialect.quote:
        return scan_quoted(text, start, dialect)
    end = position
    while end < len(text) and text[end] not in (dialect.delimiter, "\n"):
        end += 1
    content = text[position:end]
    return Cell(content.strip(" ") if dialect.trim else content, end + 1, text[end : end + 1] != dialect.delimiter)


def scan_quoted(text: str, position: int, dialect: Dialect) -> Cell:
    """The cell whose quote stands at a position."""
    opening = text.count("\n", 0, position) + 1
    content, quote = "", dialect.quote
    end = position + 1
    while True:
        close = text.find(quote, end)
        if close < 0:
            raise QuoteError(opening, text[position:], "is never closed")
        content += text[end:close]
        end = close + 1
        if text[end : end + 1] != quote:
            break
        content += quote
        end += 1
    while dialect.trim and text[end : end + 1] == " ":
        end += 1
    if text[end : end + 1] not in ("", "\n", dialect.delimiter):
        raise QuoteError(opening, text[position:end], f"goes on with {text[end]!r}")
    return Cell(content, end + 1, text[end : end + 1] != dialect.delimiter)
