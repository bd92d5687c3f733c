"""Customs of a repository that no task states: each is kept or not, a thought says which, and advice decides on it."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Custom:
    """One of them. `kept` and `usual` are what a thought says, `about` finds advice on it."""

    name: str
    kept: str
    usual: str
    about: re.Pattern[str]

    def said(self, kept: bool) -> str:
        return self.kept if kept else self.usual

    def found(self, thought: str) -> bool | None:
        """Which way a thought takes; None where it speaks of neither."""
        return True if self.kept in thought else False if self.usual in thought else None


def _custom(name: str, kept: str, usual: str, about: str) -> Custom:
    return Custom(name, kept, usual, re.compile(about, re.IGNORECASE))


CUSTOMS = {
    custom.name: custom
    for custom in (
        _custom(
            "old_names",
            "I keep the former name as an alias, made by the package's own helper for such names, so that it warns.",
            "I rename it and leave no alias.",
            r"\b(?:old|older|former|previous|earlier|replaced|renamed)\b.{0,20}\b(?:name|spelling|identifier)s?\b"
            r"|\balias\w*|\bdeprecat\w*|\brenam(?:e|es|ing|ed)\b.{0,60}\b(?:warn|keep|stay|remain|work)\w*",
        ),
        _custom(
            "changelog",
            "I add a line to the changelog.",
            "I write nothing in the changelog.",
            r"\bchange ?log\b|\bunreleased\b|\brelease notes?\b|\bnews file\b",
        ),
    )
}
