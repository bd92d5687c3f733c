"""The errors of this library; `TokenError` is the base of all."""

from tokkit.places import Place


class TokenError(Exception):
    """A text or a sequence of tokens that is not as it should be."""


class LanguageError(TokenError):
    """A language that there is not."""


class LexError(TokenError):
    """Something in a text that is no token."""

    def __init__(self, place: Place, text: str, reason: str) -> None:
        super().__init__(f"{place}: {text[:20]!r} {reason}")
        self.place = place


class UnexpectedError(TokenError):
    """A token where another one was needed."""

    def __init__(self, place: Place, found: str, wanted: str) -> None:
        super().__init__(f"{place}: {wanted} was expected, not {found!r}")
        self.place = place


class EndError(TokenError):
    """The end of a text where a token was needed."""

    def __init__(self, wanted: str) -> None:
        super().__init__(f"{wanted} was expected, not the end of the text")
        self.wanted = wanted
