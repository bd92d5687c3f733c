"""Matchers: functions that say how far a token of their kind goes that begins at an offset; 0 where none does.

MATCHERS has them by the kind of their tokens, in the order in which they are tried. An unclosed string goes to
`UNCLOSED`.
"""

import re
from collections.abc import Callable

from tokkit.language import Language

UNCLOSED = -1
NUMBER = re.compile(r"\d+(?:\.\d+)?(?![\w.])")
PERCENT = re.compile(r"\d+(?:\.\d+)?%")
HEX = re.compile(r"0[xX][0-9a-fA-F]+(?!\w)")
NAME = re.compile(r"[^\W\d]\w*")
VARIABLE = re.compile(r"\$(?:[^\W\d]\w*|\{[^\W\d]\w*\})")
TO_LINE_END = re.compile(r"[^\r\n]*")


def end_of(pattern: re.Pattern[str], text: str, start: int) -> int:
    """Where a match of a pattern ends."""
    match = pattern.match(text, start)
    return match.end() if match else 0


def match_comment(text: str, start: int, language: Language) -> int:
    """From one of the language's signs to the end of the line."""
    return end_of(TO_LINE_END, text, start) if text.startswith(language.comments, start) else 0


def match_string(text: str, start: int, language: Language) -> int:
    """From a quote to the next one of its kind. A backslash takes its meaning from whatever follows it."""
    quote = text[start]
    if quote not in language.quotes:
        return 0
    place = start + 1
    while place < len(text) and text[place] != quote:
        place += 2 if text[place] == "\\" else 1
    return place + 1 if place < len(text) else UNCLOSED


def match_percent(text: str, start: int, language: Language) -> int:
    """A number with a percent sign."""
    return end_of(PERCENT, text, start)


def match_hex(text: str, start: int, language: Language) -> int:
    """A hexadecimal number: 0x1F."""
    return end_of(HEX, text, start)


def match_number(text: str, start: int, language: Language) -> int:
    """Digits, with or without others behind a point."""
    return end_of(NUMBER, text, start)


def match_variable(text: str, start: int, language: Language) -> int:
    """`$name` or `${name}`."""
    return end_of(VARIABLE, text, start)


def match_keyword(text: str, start: int, language: Language) -> int:
    """A name that the language knows, in any case."""
    end = end_of(NAME, text, start)
    return end if text[start:end].lower() in language.keywords else 0


def match_name(text: str, start: int, language: Language) -> int:
    """A letter or underscore, then digits too."""
    return end_of(NAME, text, start)


def match_operator(text: str, start: int, language: Language) -> int:
    """The longest sign of the language."""
    fitting = [sign for sign in language.operators if text.startswith(sign, start)]
    return start + len(max(fitting, key=len)) if fitting else 0


MATCHERS: dict[str, Callable[[str, int, Language], int]] = {
    "comment": match_comment,
    "string": match_string,
    "percent": match_percent,
    "hex": match_hex,
    "number": match_number,
    "variable": match_variable,
    "keyword": match_keyword,
    "name": match_name,
    "operator": match_operator,
}
