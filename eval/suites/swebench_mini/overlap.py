"""How much of one instance's fix is shown elsewhere, such as by another instance: shared runs of words and signs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from eval.suites.swebench_mini.patches import added, diff

LENGTH = 8
"""Words and signs on end that make a quotation."""


def tokens(text: str) -> list[str]:
    """Words and signs, whatever the blanks between them."""
    return re.findall(r"\w+|[^\w\s]", text)


@lru_cache(maxsize=4096)
def spaced(text: str) -> str:
    """The tokens with one blank before and after each, so that a run of them is found as a part of it."""
    return f" {' '.join(tokens(text))} "


def shown_by(texts: Iterable[str]) -> str:
    """All that is shown by texts, with no run over two of them."""
    return "\n".join(map(spaced, texts))


def runs(text: str, length: int = LENGTH) -> set[str]:
    """All runs of so many tokens, as `spaced` has them. A shorter text has none: it says nothing by itself."""
    found = tokens(text)
    return {f" {' '.join(found[start : start + length])} " for start in range(len(found) - length + 1)}


@dataclass(frozen=True)
class Fix:
    """What a fix makes that its own instance does not show anyhow."""

    lines: frozenset[str]
    """The runs of the lines that it adds, none over a gap."""
    around: frozenset[str]
    """The runs of the files that it changes; a fix of few words, or one that takes lines away, has these alone."""

    def quoted(self, shown: str) -> float:
        """The share of it that is shown, from 0 to 1: of its lines or with what is around them, whichever is more."""
        return max(_share(each, shown) for each in (self.lines, self.around))


def fix_of(base: Mapping[str, str], fixed: Mapping[str, str], shown: str) -> Fix:
    """The fix that leads from some files to others, where all of its instance is `shown`."""
    changed = [path for path, text in fixed.items() if text != base.get(path)]
    lines = {run for each in added(diff(base, fixed)) for run in runs("\n".join(each))}
    around = {run for path in changed for run in runs(fixed[path]) - runs(base.get(path, ""))}
    return Fix(*(frozenset(run for run in found if run not in shown) for found in (lines, around)))


def _share(found: frozenset[str], shown: str) -> float:
    return sum(run in shown for run in found) / len(found) if found else 0.0
