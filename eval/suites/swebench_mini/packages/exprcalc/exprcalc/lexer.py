"""Texts to tokens."""

import re
from dataclasses import dataclass

from exprcalc._operators import INFIX, PREFIX
from exprcalc.errors import SyntaxFault

SYMBOLS = sorted({*INFIX, *PREFIX, "(", ")", ","}, key=len, reverse=True)
NUMBER = r"(?:\d+(?:_\d+)*(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?"
TOKEN = re.compile(
    rf"\s*(?:(?P<number>{NUMBER}(?![\w.]))|(?P<name>[A-Za-z_]\w*)|(?P<symbol>{'|'.join(map(re.escape, SYMBOLS))}))"
)


@dataclass(frozen=True)
class Token:
    """A number, a name, a symbol or the end, and where it begins."""

    kind: str
    text: str
    position: int


def tokens(text: str) -> list[Token]:
    """The tokens of a text; the last one is of the kind `end`."""
    found: list[Token] = []
    position = 0
    end = len(text.rstrip())
    while position < end:
        match = TOKEN.match(text, position)
        if match is None or match.lastgroup is None:
            start = position + len(text[position:]) - len(text[position:].lstrip())
            raise SyntaxFault(text, start, "a number, a name or an operator")
        found.append(Token(match.lastgroup, match[match.lastgroup], match.start(match.lastgroup)))
        position = match.end()
    return [*found, Token("end", "", len(text))]
