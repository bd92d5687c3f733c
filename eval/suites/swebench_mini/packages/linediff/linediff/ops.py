"""What a diff consists of."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

Kind = Literal["keep", "drop", "add"]
MARKS: dict[Kind, str] = {"keep": " ", "drop": "-", "add": "+"}


@dataclass(frozen=True)
class Op:
    """Lines that are in both texts, in the old one only, or in the new one only. It has at least one line."""

    kind: Kind
    lines: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.lines)


def joined(steps: Iterable[tuple[Kind, str]]) -> list[Op]:
    """Steps of one line as a diff: what follows each other in one kind is one op, and drops come before adds."""
    ops: list[Op] = []
    pending: dict[Kind, list[str]] = {"drop": [], "add": []}

    def flush() -> None:
        for kind, lines in pending.items():
            if lines:
                ops.append(Op(kind, tuple(lines)))
                lines.clear()

    for kind, line in steps:
        if kind != "keep":
            pending[kind].append(line)
            continue
        flush()
        if ops and ops[-1].kind == "keep":
            ops[-1] = Op("keep", (*ops[-1].lines, line))
        else:
            ops.append(Op("keep", (line,)))
    flush()
    return ops


def old_lines(ops: Iterable[Op]) -> list[str]:
    """The text that a diff starts from."""
    return [line for op in ops if op.kind != "add" for line in op.lines]


def new_lines(ops: Iterable[Op]) -> list[str]:
    """The text that a diff leads to."""
    return [line for op in ops if op.kind != "drop" for line in op.lines]
