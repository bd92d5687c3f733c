"""Places in a text, as editors tell them."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass

LINE_END = re.compile(r"\r\n|\n|\r")


@dataclass(frozen=True, order=True)
class Place:
    """A line and a column, both from 1."""

    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.line}:{self.column}"


class Places:
    """The places of a text by their offsets. Lines end with a newline, a carriage return, or both."""

    def __init__(self, text: str) -> None:
        self.starts = [0, *(match.end() for match in LINE_END.finditer(text))]

    def at(self, offset: int) -> Place:
        """The place of an offset from 0."""
        line = bisect_right(self.starts, offset)
        return Place(line, offset - self.starts[line - 1] + 1)

    def offset(self, place: Place) -> int:
        """The opposite of `at`."""
        return self.starts[place.line - 1] + place.column - 1
