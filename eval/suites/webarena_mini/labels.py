"""Labels of a site and what they are called in its second design."""

from __future__ import annotations

import re
from collections.abc import Mapping

_TEXT = re.compile(r"(?:^|(?<=>))[^<>]+|(?<=aria-label=\")[^\"]+(?=\")")
"""Texts between tags, and what is said instead of a text."""
_LABEL = re.compile(r"(?P<before>\s*)(?P<label>\S.*?)(?P<after>\s*|(?:: | \(|:$).*)", re.DOTALL)


class Words:
    """Old labels and the new ones. Without any, all stays as it is."""

    def __init__(self, new: Mapping[str, str]) -> None:
        self._new = dict(new)
        if len(set(new.values())) < len(new):
            raise ValueError("two labels have the same new wording")
        if again := set(new) & set(new.values()):
            raise ValueError(f"both an old and a new label: {sorted(again)}")

    def __bool__(self) -> bool:
        return bool(self._new)

    @property
    def old(self) -> frozenset[str]:
        """The labels that are called something else."""
        return frozenset(self._new)

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
