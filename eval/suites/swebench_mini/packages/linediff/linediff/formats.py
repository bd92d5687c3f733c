"""Diffs to texts. Each format is a function of a diff, and FORMATS has them by the names that `render` takes."""

from collections.abc import Callable, Sequence
from itertools import zip_longest

from linediff.errors import FormatError
from linediff.hunks import hunks
from linediff.ops import MARKS, Op


def span(start: int, count: int) -> str:
    """The part of a hunk's header: lines are counted from 1, and an empty part is told by the line before it."""
    first = start + 1 if count else start
    return f"{first}" if count == 1 else f"{first},{count}"


def unified(ops: Sequence[Op]) -> str:
    """The hunks as `diff -u` writes them, without file names."""
    rows = []
    for hunk in hunks(ops):
        old, new = span(hunk.old_start, len(hunk.old)), span(hunk.new_start, len(hunk.new))
        rows.append(f"@@ -{old} +{new} @@")
        rows += [MARKS[op.kind] + line for op in hunk.ops for line in op.lines]
    return "\n".join(rows)


def side_by_side(ops: Sequence[Op]) -> str:
    """Both texts in columns: `<` is behind what was dropped, `>` before what was added, `|` between what changed."""
    width = max((len(line) for op in ops if op.kind != "add" for line in op.lines), default=0)
    rows = []
    waiting: tuple[str, ...] = ()
    for op in [*ops, Op("keep", ())]:
        if op.kind == "drop":
            waiting = op.lines
            continue
        if op.kind == "add":
            for old, new in zip_longest(waiting, op.lines):
                mark = ">" if old is None else "<" if new is None else "|"
                rows.append(f"{old or '':{width}} {mark} {new or ''}".rstrip())
        else:
            rows += [f"{old:{width}} <" for old in waiting]
            rows += [f"{line:{width}}   {line}".rstrip() for line in op.lines]
        waiting = ()
    return "\n".join(rows)


def inline(ops: Sequence[Op]) -> str:
    """The new text with what was dropped in `[-...-]` and what was added in `{+...+}`, line by line."""
    around = {"keep": ("", ""), "drop": ("[-", "-]"), "add": ("{+", "+}")}
    return "\n".join(line.join(around[op.kind]) for op in ops for line in op.lines)


def stat(ops: Sequence[Op]) -> str:
    """How many lines were added and dropped: `+3 -1`; `no change` without any."""
    added = sum(len(op) for op in ops if op.kind == "add")
    dropped = sum(len(op) for op in ops if op.kind == "drop")
    return f"+{added} -{dropped}" if added or dropped else "no change"


FORMATS: dict[str, Callable[[Sequence[Op]], str]] = {
    "inline": inline,
    "side_by_side": side_by_side,
    "stat": stat,
    "unified": unified,
}


def render(ops: Sequence[Op], name: str = "unified") -> str:
    """The text of a diff in one of the formats."""
    if name not in FORMATS:
        raise FormatError(f"unknown format {name!r}: one of {', '.join(FORMATS)}")
    return FORMATS[name](ops)
