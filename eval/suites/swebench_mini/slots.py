"""The instances in the making: which hand-written defects a set has, what else is broken beside each, and the variant
of its library that every instance is put into."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import count
from pathlib import Path

from eval.suites.swebench_mini.catalog import HIDDEN, HardInstance, Package, package_names
from eval.suites.swebench_mini.draws import shuffled
from eval.suites.swebench_mini.forkers import Forkers
from eval.suites.swebench_mini.operators import OPERATORS
from eval.suites.swebench_mini.others import NEWS, Basis, Found, basis, go_together
from eval.suites.swebench_mini.overlap import Fix, fix_of, shown_by
from eval.suites.swebench_mini.patches import patched
from eval.suites.swebench_mini.runs import run_tests, write_files
from eval.suites.swebench_mini.variants import Variant, is_varied, varied
from reasoningbank.errors import SetupError

MOST_SHARED = 0.25
"""Of a fix, in another instance of its library; see `overlap`."""
VARIANTS = 12
"""That are tried for one instance, and the best of them is taken where each shows too much."""


@dataclass
class Slot:
    """One instance in the making: a variant of a library, and a defect once there is one."""

    package: Package
    number: int
    tree: str
    """The name of the folder with the variant without its own defect."""
    variant: Variant
    hard: HardInstance | None
    basis: Basis
    """What it is a variant of: the library with other instances' defects, so that it does not show their fixes."""
    kinds: tuple[str, ...]
    """For one without a hand-written defect: operators, in the order in which they are tried."""

    @property
    def name(self) -> str:
        return f"{self.package.name}-{self.number}"

    @property
    def clean(self) -> dict[str, str]:
        """The variant without a defect, with its hidden tests."""
        return self.variant.trees[-1]

    @cached_property
    def library(self) -> dict[str, str]:
        """The modules of the variant that operators change."""
        return {path: text for path, text in self.clean.items() if is_varied(path, text, self.package.name)}

    def visible(self, base: Mapping[str, str]) -> dict[str, str]:
        """Of a tree of it what its agent finds."""
        return {path: text for path, text in base.items() if not path.startswith(f"{HIDDEN}/")}

    @cached_property
    def shown(self) -> str:
        """All that can be seen of it, by somebody who has mended it."""
        return shown_by(self.visible(self.clean).values())

    @cached_property
    def fix(self) -> Fix:
        """Of its hand-written defect."""
        return self.fix_from(self.variant.trees[0])

    def fix_from(self, base: Mapping[str, str]) -> Fix:
        """What leads from a tree of it to the one without a defect."""
        seen = self.visible(base)
        return fix_of(seen, self.visible(self.clean), shown_by(seen.values()))


def found_by_tests(packages: Sequence[Package], place: Path, forkers: Forkers) -> dict[str, Found]:
    """What the tests of each library tell of its hand-written defects, by its name."""
    trees = {}
    for package in packages:
        files = trees[f"{package.name}-tests"] = package.files()
        for defect in package.hard:
            name = f"{package.name}-tests-{defect.id}"
            broken, apart = patched(files, defect.bug), patched(files, defect.bug, leave_out=(NEWS,))
            naive = patched(broken or {}, defect.naive or "")
            if broken is None or apart is None or naive is None:
                raise SetupError(f"swebench_mini: {package.name}/{defect.id}: its patches do not apply")
            trees |= {name: apart, f"{name}-naive": naive} if defect.naive else {name: apart}
    ran = run_tests([write_files(place / name, files) for name, files in trees.items()], forkers)
    found = {}
    for package in packages:
        clean, name = ran[f"{package.name}-tests"], f"{package.name}-tests-"
        found[package.name] = Found(
            len(clean.passed),
            {each.id: ran[name + each.id].not_passed(clean) for each in package.hard},
            {each.id: ran[f"{name}{each.id}-naive"].not_passed(clean) for each in package.hard if each.naive},
        )
    return found


@dataclass(frozen=True)
class Planner:
    """Plans the instances of one library for a seed."""

    seed: int
    package: Package
    found: Found

    def slots(self, number: int, hard: int) -> Iterator[Slot]:
        """So many instances, with `hard` of them by hand; each other one begins with another kind of operator."""
        about = (self.seed, self.package.name)
        kinds = shuffled(OPERATORS, self.seed, "kinds")
        files = self.package.files()
        ids = go_together(self.package, files, shuffled(self.package.hard, *about, "hard"), hard, self.found)
        defects: list[HardInstance | None] = [each for each in self.package.hard if each.id in ids]
        begin = count(package_names().index(self.package.name) * (number - hard))
        for place, own in enumerate(shuffled([*defects, *[None] * (number - len(defects))], *about, "order")):
            others = [each for each in shuffled(defects, *about, "others", place) if each not in (None, own)]
            made = basis(self.package, files, own, [each for each in others if each is not None], self.found)
            at = 0 if own else next(begin) % len(kinds)
            yield self.slot(place, place, own, made, (*kinds[at:], *kinds[:at]))

    def slot(self, number: int, variant: int, own: HardInstance | None, made: Basis, kinds: tuple[str, ...]) -> Slot:
        """An instance in the making, on its variant."""
        trees = [made.clean] if made.broken is None else [made.broken, made.clean]
        told = [own.statement] if own else []
        about = (self.seed, self.package.name)
        texts = varied(trees, library=self.package.name, also_seen=told, about=about, number=variant)
        tree = f"{self.package.name}-{number}-clean-{variant}-{len(made.others)}"
        return Slot(self.package, number, tree, texts, own, made, kinds)

    def fewer(self, slot: Slot) -> Slot:
        """The instance with one less of the others' defects."""
        named = {each.id: each for each in self.package.hard}
        others = [named[name] for name in slot.basis.others[:-1]]
        made = basis(self.package, self.package.files(), slot.hard, others, self.found)
        return self.slot(slot.number, slot.number, slot.hard, made, slot.kinds)

    def unlike(self, slot: Slot, others: Sequence[Slot]) -> Slot:
        """One with a hand-written defect on a variant that shows little of the others' fixes, as they do of its own:
        the least, where all show much."""

        def quoted(each: Slot) -> float:
            both = [(each, other) for other in others] + [(other, each) for other in others if other.hard]
            return max((one.fix.quoted(other.shown) for one, other in both), default=0.0)

        best, least = slot, quoted(slot)
        for turn in range(1, VARIANTS):
            if least <= MOST_SHARED:
                break
            number = slot.number + turn * (len(others) + 1)
            other = self.slot(slot.number, number, slot.hard, slot.basis, slot.kinds)
            if (share := quoted(other)) < least:
                best, least = other, share
        return best
