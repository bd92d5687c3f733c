"""Dialects: the known ones, making new ones, and guessing that of a sample."""

from dataclasses import dataclass

from rowdialect.errors import DialectError


@dataclass(frozen=True)
class Dialect:
    """How a table is written.

    Inside a quoted cell a doubled quote is one quote. With `trim`, blanks around cells belong to none. A line that
    begins with `comment` is no row.
    """

    name: str
    delimiter: str
    quote: str = '"'
    trim: bool = False
    comment: str = ""

    def __post_init__(self) -> None:
        if len(self.delimiter) != 1 or len(self.quote) != 1:
            raise DialectError(f"{self.name}: {self.delimiter!r} and {self.quote!r} must be one character each")
        if self.delimiter == self.quote:
            raise DialectError(f"{self.name}: {self.quote!r} cannot both separate and quote")


COMMA = Dialect("comma", ",")
SEMICOLON = Dialect("semicolon", ";")
TAB = Dialect("tab", "\t", comment="#")
PIPE = Dialect("pipe", "|", trim=True, comment="--")

KNOWN = {each.name: each for each in (COMMA, SEMICOLON, TAB, PIPE)}
"""Every dialect of this module, by its name."""


def dialect(name: str) -> Dialect:
    """A known dialect by its name."""
    if name not in KNOWN:
        raise DialectError(f"unknown dialect {name!r}: one of {', '.join(KNOWN)}")
    return KNOWN[name]


def unquoted(line: str, quote: str) -> str:
    """A line without what is between its quotes."""
    return "".join(line.split(quote)[::2])


def guess(sample: str) -> Dialect:
    """The known dialect that splits the lines of a sample most evenly into most cells.

    Delimiters in quoted cells do not count, nor do comments. DialectError where none splits anything.
    """
    scores = {}
    for name, candidate in KNOWN.items():
        lines = [line for line in sample.splitlines() if line.strip()]
        if candidate.comment:
            lines = [line for line in lines if not line.startswith(candidate.comment)]
        counts = [unquoted(line, candidate.quote).count(candidate.delimiter) for line in lines]
        if counts and min(counts) > 0:
            scores[name] = (counts.count(counts[0]) / len(counts), counts[0])
    if not scores:
        raise DialectError(f"no dialect splits {sample[:40]!r} into cells")
    return KNOWN[max(scores, key=lambda name: scores[name])]
