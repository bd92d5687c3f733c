"""How much of one instance's fix another instance shows: shared runs of words and signs."""

from __future__ import annotations

import re
from collections.abc import Iterable

from eval.suites.swebench_mini.patches import added

Grams = set[tuple[str, ...]]

LENGTH = 8
"""Words and signs on end that make a quotation."""


def tokens(text: str) -> list[str]:
    """Words and signs, whatever the blanks between them."""
    return re.findall(r"\w+|[^\w\s]", text)


def grams(text: str, length: int = LENGTH) -> Grams:
    """All runs of so many tokens."""
    found = tokens(text)
    return {tuple(found[start : start + length]) for start in range(len(found) - length + 1)}


def added_grams(patch: str, length: int = LENGTH) -> Grams:
    """Those of the lines that a patch adds, none over a gap. A shorter piece has none: it says nothing by itself."""
    found: Grams = set()
    for lines in added(patch):
        found |= grams("\n".join(lines), length)
    return found


def shared(shown: Iterable[Grams], fix: Grams) -> float:
    """The share of a fix, as `new_grams` gives it, that is among what is shown, from 0 to 1; 0 for one without any."""
    seen: Grams = set()
    for part in shown:
        seen |= fix & part
    return len(seen) / len(fix) if fix else 0.0


def new_grams(patch: str, base: Iterable[Grams]) -> Grams:
    """What a patch adds that its own instance does not show anyhow."""
    return added_grams(patch).difference(*base)
