"""Texts to tokens."""

from collections.abc import Iterator, Sequence

from tokkit.errors import LexError
from tokkit.language import Language, language
from tokkit.matchers import MATCHERS, UNCLOSED
from tokkit.places import Places
from tokkit.token import Token


def tokenize(text: str, of: str | Language) -> list[Token]:
    """The tokens of a text in a language. LexError says where something is none."""
    spoken = language(of) if isinstance(of, str) else of
    return list(scan(text, spoken))


def scan(text: str, spoken: Language) -> Iterator[Token]:
    """One token after the other."""
    places = Places(text)
    start = 0
    while start < len(text):
        if text[start].isspace():
            start += 1
            continue
        kind, end = next_token(text, start, spoken)
        if end == UNCLOSED:
            raise LexError(places.at(start), text[start:], "is never closed")
        if not end:
            raise LexError(places.at(start), text[start:], f"is nothing in {spoken.name}")
        yield Token(kind, text[start:end], places.at(start), start)
        start = end


def next_token(text: str, start: int, spoken: Language) -> tuple[str, int]:
    """The kind of the token that begins at an offset, and where it ends; 0 where none begins."""
    for kind, match in MATCHERS.items():
        end = match(text, start, spoken)
        if end:
            return kind, end
    return "", 0


def strip_comments(text: str, of: str | Language) -> str:
    """A text without its comments, and without the blanks before them. Its lines stay where they are."""
    pieces, position = [], 0
    for token in tokenize(text, of):
        if token.kind == "comment":
            pieces.append(text[position : token.start].rstrip(" \t"))
            position = token.end
    return "".join([*pieces, text[position:]])


def texts(tokens: Sequence[Token], kind: str) -> list[str]:
    """The texts of one kind of tokens."""
    return [token.text for token in tokens if token.kind == kind]
