"""Hunks: the changes of a diff, each with some lines around it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from linediff.errors import FormatError
from linediff.ops import Kind, Op, joined, new_lines, old_lines


@dataclass(frozen=True)
class Hunk:
    """A part of a diff, and how many lines come before it in the old and in the new text."""

    old_start: int
    new_start: int
    ops: tuple[Op, ...]

    @property
    def old(self) -> list[str]:
        """Its lines in the old text."""
        return old_lines(self.ops)

    @property
    def new(self) -> list[str]:
        """Its lines in the new text."""
        return new_lines(self.ops)


def hunks(ops: Sequence[Op], context: int = 3) -> list[Hunk]:
    """The changes with so many kept lines before and after each. Changes whose lines around them meet are one hunk."""
    if context < 0:
        raise FormatError(f"context={context}: a number from 0 is needed")
    steps: list[tuple[Kind, str]] = [(op.kind, line) for op in ops for line in op.lines]
    changed = [place for place, (kind, _) in enumerate(steps) if kind != "keep"]
    spans: list[list[int]] = []
    for place in changed:
        start, end = max(0, place - context), min(len(steps), place + context + 1)
        if spans and start <= spans[-1][1]:
            spans[-1][1] = end
        else:
            spans.append([start, end])
    found = []
    for start, end in spans:
        before = joined(steps[:start])
        found.append(Hunk(len(old_lines(before)), len(new_lines(before)), tuple(joined(steps[start:end]))))
    return found
