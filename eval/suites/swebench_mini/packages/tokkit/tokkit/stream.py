"""Tokens one by one, for parsers."""

from collections.abc import Iterable

from tokkit.errors import EndError, UnexpectedError
from tokkit.token import Token


class TokenStream:
    """A walk over tokens, without comments. `position` may be kept and set again to go back."""

    def __init__(self, tokens: Iterable[Token]) -> None:
        self.tokens = tuple(token for token in tokens if token.kind != "comment")
        self.position = 0

    @property
    def done(self) -> bool:
        """Whether all tokens have been taken."""
        return self.position >= len(self.tokens)

    def peek(self, ahead: int = 0) -> Token | None:
        """The next token, or one of those behind it; None at the end."""
        place = self.position + ahead
        return self.tokens[place] if place < len(self.tokens) else None

    def next(self, wanted: str = "a token") -> Token:
        """Takes the next token. EndError at the end, which names what was wanted."""
        token = self.peek()
        if token is None:
            raise EndError(wanted)
        self.position += 1
        return token

    def accept(self, *texts: str) -> Token | None:
        """Takes the next token if it is one of these texts."""
        token = self.peek()
        if token is None or not token.is_text(*texts):
            return None
        return self.next()

    def expect(self, text: str) -> Token:
        """Takes the next token, which must be this text. UnexpectedError where it is another."""
        token = self.next(repr(text))
        if not token.is_text(text):
            raise UnexpectedError(token.place, token.text, repr(text))
        return token

    def expect_kind(self, kind: str) -> Token:
        """Takes the next token, which must be of this kind."""
        token = self.next(f"a {kind}")
        if token.kind != kind:
            raise UnexpectedError(token.place, token.text, f"a {kind}")
        return token
