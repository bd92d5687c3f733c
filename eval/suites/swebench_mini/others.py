"""Other instances' defects in an instance's library, as a repository has other open issues at any time: what is not
there cannot be read, so the fix of one hand-written defect is not shown by the others."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, permutations

from eval.suites.swebench_mini.catalog import HardInstance, Package
from eval.suites.swebench_mini.patches import patched, taken

NEWS = "CHANGELOG.md"
OTHER_NEWS = (
    "- The tests take half as long.",
    "- Type hints are complete.",
    "- The examples of the README are run as tests.",
    "- Sources are formatted by a tool.",
    "- Wheels are built for every release.",
)
"""Stand for the news of others' fixes, of which the number is asked for: what they tell is a part of the fix."""
MOST_BROKEN = 0.5
"""Share of a library's tests that may fail because of other instances' defects."""

Files = dict[str, str]


@dataclass(frozen=True)
class Found:
    """What the tests of a library tell of its hand-written defects, by their ids: the tests that fail with a defect,
    its news apart, and those that a fix fails which knows no house rule."""

    tests: int
    breaks: Mapping[str, set[str]]
    naive: Mapping[str, set[str]]


@dataclass
class Basis:
    """The library of an instance before it is varied, with `others`' defects; `broken` has the instance's own too."""

    clean: Files
    broken: Files | None
    others: list[str] = field(default_factory=list)
    lost: set[str] = field(default_factory=set)
    """The tests that they make fail."""


def with_other(
    made: Basis, package: Package, own: HardInstance | None, other: HardInstance, found: Found
) -> Basis | None:
    """With one more defect. None where they do not go together: the own one has to apply beside it, and enough tests
    must be left."""
    lost = made.lost | found.breaks[other.id]
    clean = patched(made.clean, other.bug, leave_out=(NEWS,))
    if clean is None or not enough_left(package, own, lost, found):
        return None
    for line in taken(other.bug, NEWS):
        clean[NEWS] = clean[NEWS].replace(line, OTHER_NEWS[len(made.others)])
    broken = patched(clean, own.bug) if own else None
    if own and broken is None:
        return None
    return Basis(clean, broken, [*made.others, other.id], lost)


def enough_left(package: Package, own: HardInstance | None, lost: set[str], found: Found) -> bool:
    """Whether without the lost tests half of all are left, half of those that find an instance's own defect, and for
    each house rule that its fix has to keep one that checks it."""
    if len(lost) > MOST_BROKEN * found.tests:
        return False
    if own is None:
        return True
    left = {test.partition("[")[0] for test in found.naive.get(own.id, set()) - lost}
    ruled = all(left & set(rule.tests) for rule in package.rules if rule.id in own.rules)
    return ruled and 2 * len(found.breaks[own.id] - lost) >= len(found.breaks[own.id])


def alone(files: Files, own: HardInstance | None) -> Basis:
    """Without others' defects."""
    return Basis(files, patched(files, own.bug) if own else None)


def basis(
    package: Package, files: Files, own: HardInstance | None, others: Iterable[HardInstance], found: Found
) -> Basis:
    """The library with as many of the others' defects as go together."""
    made = alone(files, own)
    for other in others:
        made = with_other(made, package, own, other, found) or made
    return made


def go_together(package: Package, files: Files, wanted: Sequence[HardInstance], number: int, found: Found) -> list[str]:
    """The ids of `number` of a library's defects: of all choices the first with the fewest pairs of which one cannot be
    in the other's library."""
    apart = {
        (own.id, other.id)
        for own in wanted
        for other in wanted
        if own is not other and with_other(alone(files, own), package, own, other, found) is None
    }
    choices = combinations([each.id for each in wanted], min(number, len(wanted)))
    return list(min(choices, key=lambda ids: sum(pair in apart for pair in permutations(ids, 2))))
