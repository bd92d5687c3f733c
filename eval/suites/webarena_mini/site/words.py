"""A site's second wording: other labels for the same buttons, links, fields and columns.

The words are changed where templates are compiled, so a request costs nothing more. Labels that stand in Python pass
through `say` or, in a template, the filter `label`. What people typed and what is stored is never touched.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from flask import current_app
from jinja2.ext import Extension
from jinja2.lexer import Token, TokenStream

_TEXT = re.compile(r"(?:^|(?<=>))[^<>]+|(?<=aria-label=\")[^\"]+(?=\")")
"""Texts between tags, and what is said instead of a text."""
_LABEL = re.compile(r"(?P<before>\s*)(?P<label>\S.*?)(?P<after>\s*|(?:: | \(|:$).*)", re.DOTALL)


class Words:
    """Old labels and the new ones. Without any, all stays as it is."""

    def __init__(self, new: Mapping[str, str]) -> None:
        self._new = dict(new)
        if len(set(new.values())) < len(new):
            raise ValueError("two labels have the same new wording")

    def __bool__(self) -> bool:
        return bool(self._new)

    def label(self, text: str) -> str:
        """A whole label."""
        return self._new.get(text, text)

    def text(self, text: str) -> str:
        """A label, by itself or with what follows it: `Qty`, `Status: `, `My Cart (3)`."""
        if text in self._new:
            return self._new[text]
        found = _LABEL.fullmatch(text)
        if found is None or found["label"] not in self._new:
            return text
        return found["before"] + self._new[found["label"]] + found["after"]

    def html(self, source: str) -> str:
        """A piece of a template."""
        return _TEXT.sub(lambda found: self.text(found[0]), source)

    def back(self) -> Words:
        """From the new labels to the old ones."""
        return Words({new: old for old, new in self._new.items()})


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
