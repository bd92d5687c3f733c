"""Ways of working that no task states: each is kept to or not, a thought says which, and advice decides on it.

They are the author's choice, as `offline/habits.py` says of those on pages: that keeping to one goes better, and that a
run which failed without it makes it known, is planted.
"""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Custom:
    """One of them. `careful` and `usual` are what a thought says, `about` finds advice on it."""

    name: str
    careful: str
    usual: str
    unadvised: float
    """How often the careful way is taken that nobody spoke of."""
    about: re.Pattern[str]
    of_package: bool = False
    """Whether it is of the package, and not of work as such."""

    def said(self, careful: bool) -> str:
        return self.careful if careful else self.usual

    def found(self, thought: str) -> bool | None:
        """Which way a thought takes; None where it speaks of neither."""
        return True if self.careful in thought else False if self.usual in thought else None


def _about(text: str) -> re.Pattern[str]:
    return re.compile(text, re.IGNORECASE)


CUSTOMS = {
    custom.name: custom
    for custom in (
        Custom(
            "old_names",
            "I keep the former name as an alias, made by the package's own helper for such names, so that it warns.",
            "I rename it and leave no alias.",
            0.12,
            _about(
                r"\b(?:old|older|former|previous|earlier|replaced|renamed)\b.{0,20}\b(?:name|spelling|identifier)s?\b"
                r"|\balias\w*|\bdeprecat\w*|\brenam(?:e|es|ing|ed)\b.{0,60}\b(?:warn|keep|stay|remain|work)\w*"
            ),
            of_package=True,
        ),
        Custom(
            "changelog",
            "I add a line to the changelog.",
            "I write nothing in the changelog.",
            0.12,
            _about(r"\bchange ?log\b|\bunreleased\b|\brelease notes?\b|\bnews file\b"),
            of_package=True,
        ),
        Custom(
            "plainest_first",
            "I begin with the plainest changes that the symptom suggests.",
            "I begin with whatever comes to mind.",
            0.2,
            _about(
                r"\b(?:plain|simpl|small|minimal|obvious|ordinary)\w*\b.{0,30}\b(?:change|fix|edit|repair|cause|explanation)"
                r"|\b(?:change|fix|edit|repair|cause|explanation)s?\b.{0,30}\b(?:plain|simpl|small|minimal|ordinary)\w*"
                r"|\b(?:symptom|error message)s?\b.{0,40}\b(?:suggest|point|tell|indicate)\w*"
            ),
        ),
        Custom(
            "every_kind",
            "I go through every kind of change before I give up.",
            "I try some kinds of changes and no more.",
            0.2,
            _about(
                r"\b(?:every|all|each|further|more|other|remaining)\b.{0,12}\b(?:kind|type|sort)s? of"
                r" (?:change|defect|fix|repair|edit|cause|mistake)"
                r"|\bbefore (?:you |one |I )?(?:giv\w+ up|stop\w*|quit\w*)"
                r"|\bkeep (?:on )?(?:trying|going|looking)"
            ),
        ),
    )
}
