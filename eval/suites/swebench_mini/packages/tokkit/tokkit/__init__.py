"""Tokens of small languages, with their places."""

from tokkit.errors import EndError, LanguageError, LexError, TokenError, UnexpectedError
from tokkit.highlighting import STYLES, highlight
from tokkit.language import Language, language, language_names
from tokkit.places import Place, Places
from tokkit.scanner import strip_comments, tokenize
from tokkit.stream import TokenStream
from tokkit.token import Token

__all__ = [
    "STYLES",
    "EndError",
    "Language",
    "LanguageError",
    "LexError",
    "Place",
    "Places",
    "Token",
    "TokenError",
    "TokenStream",
    "UnexpectedError",
    "highlight",
    "language",
    "language_names",
    "strip_comments",
    "tokenize",
]
