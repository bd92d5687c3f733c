"""A site's second wording: other labels for the same buttons, links, fields and columns.

The words are changed where templates are compiled, so a request costs nothing more. Labels that stand in Python pass
through `say` or, in a template, the filter `label`. What people typed and what is stored is never touched.
"""

from __future__ import annotations

from collections.abc import Iterator

from flask import current_app
from jinja2.ext import Extension
from jinja2.lexer import Token, TokenStream

from eval.suites.webarena_mini.labels import Words


def say(text: str) -> str:
    """A label that stands in Python, as the site that answers this request words it."""
    words = current_app.extensions["words"]
    assert isinstance(words, Words)
    return words.label(text)


def rewording(words: Words) -> type[Extension]:
    """A Jinja extension that changes the labels in templates: in their HTML and in texts handed to macros."""

    class Rewording(Extension):
        def filter_stream(self, stream: TokenStream) -> Iterator[Token]:
            for token in stream:
                if token.type == "data":
                    yield Token(token.lineno, "data", words.html(token.value))
                elif token.type == "string":
                    yield Token(token.lineno, "string", words.label(token.value))
                else:
                    yield token

    return Rewording
