"""From the text of action calls to tokens: names, string literals with Python's escapes, numbers, punctuation."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass

from reasoningbank.errors import ReasoningBankError
from reasoningbank.text import storable


class ActionSyntaxError(ReasoningBankError):
    """A text that is no valid action call. The message is meant to be fed back to the one who wrote it."""


@dataclass(frozen=True, slots=True)
class Token:
    """One token, and where it starts."""

    kind: str  # name, string, number, end, or the punctuation mark itself
    value: str | int | float
    at: int


_SPACE = re.compile(r"(?:\s|#[^\n]*)*")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_CLOSING = {  # possessive, so that a text without its closing quote is refused in one pass
    quote: re.compile(rf"(?:[^\\{quote[0]}]|\\.{inner})*+{quote}", re.DOTALL)
    for quote, inner in (("'", ""), ('"', ""), ("'''", "|'(?!'')"), ('"""', '|"(?!"")'))
}
_LANGUAGE = re.compile(r"[A-Za-z]*\s*\n")
_ESCAPE = re.compile(r"\\(?:x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|([0-7]{1,3})|(\n)|(.))", re.DOTALL)
_SIMPLE = {"n": "\n", "t": "\t", "r": "\r", "\\": "\\", "'": "'", '"': '"', "a": "\a", "b": "\b", "f": "\f", "v": "\v"}
_MOST_DIGITS = 300  # more than any number means; also keeps int() below the interpreter's own limit


def unfenced(text: str) -> str:
    """The text inside a code fence or backticks that enclose all of it; otherwise the text."""
    inner = text.strip()
    opening = len(inner) - len(inner.lstrip("`"))
    closing = len(inner) - len(inner.rstrip("`"))
    ticks = min(opening, closing, len(inner) // 2)
    if not ticks:
        return text
    body = inner[ticks:-ticks]
    language = _LANGUAGE.match(body)
    return body[language.end() :] if language else body


def tokens(text: str) -> Iterator[Token]:
    """Tokens one by one, so that the first thing wrong in reading order is the one that is told."""
    at = 0
    while True:
        space = _SPACE.match(text, at)
        at = space.end() if space else at
        if at >= len(text):
            yield Token("end", "", at)
            return
        char = text[at]
        if char in "(),[]=;":
            yield Token(char, char, at)
            at += 1
        elif char in "'\"":
            value, end = _string(text, at)
            yield Token("string", value, at)
            at = end
        elif match := _NUMBER.match(text, at):
            yield Token("number", _number(match[0]), at)
            at = match.end()
        elif match := _NAME.match(text, at):
            yield Token("name", match[0], at)
            at = match.end()
        else:
            raise ActionSyntaxError(f"unexpected {char!r} in {_near(text, at)}: write calls only, such as click('12')")


def _string(text: str, at: int) -> tuple[str, int]:
    """The string literal that starts at `at`, and where it ends. Line breaks inside are taken as they are."""
    quote = text[at] * 3 if text.startswith(text[at] * 3, at) else text[at]
    start = at + len(quote)
    closing = _CLOSING[quote].match(text, start)
    if closing is None:
        raise ActionSyntaxError(f"the text that starts at {_near(text, at)} has no closing {quote}")
    end = closing.end() - len(quote)
    # an emoji may be written as the two halves of a surrogate pair, as JSON does
    return storable(_ESCAPE.sub(_unescape, text[start:end])), end + len(quote)


def _unescape(match: re.Match[str]) -> str:
    for group, base in ((1, 16), (2, 16), (3, 16), (4, 8)):
        if match[group] is not None:
            code = int(match[group], base)
            return chr(code) if code <= 0x10FFFF else match[0]
    if match[5] is not None:
        return ""
    return _SIMPLE.get(match[6], match[0])


def _number(text: str) -> int | float:
    if len(text) > _MOST_DIGITS:
        raise ActionSyntaxError(f"the number {text[:20]}... has {len(text)} characters: too long")
    if text.lstrip("+-").isdigit():
        return int(text)
    value = float(text)
    if not math.isfinite(value):
        raise ActionSyntaxError(f"the number {text} is too large")
    return value


def _near(text: str, at: int) -> str:
    return repr(text[at : at + 30])
