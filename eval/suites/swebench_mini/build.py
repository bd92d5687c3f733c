"""Makes the instances of a seed: two fifths hand-written defects, the others made by operators, each on a variant of
its library of its own; and runs them all, so that what their tests tell is known and not supposed."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from eval.suites.swebench_mini.built import Built, built_of
from eval.suites.swebench_mini.catalog import Package, all_packages
from eval.suites.swebench_mini.forkers import Forkers
from eval.suites.swebench_mini.others import enough_left
from eval.suites.swebench_mini.runs import Ran, Told, run_programs, run_tests, write_files
from eval.suites.swebench_mini.search import Taken, Trial, examples_of, failing, trials
from eval.suites.swebench_mini.slots import Planner, Slot, found_by_tests
from eval.suites.swebench_mini.statements import can_be_told, statement
from reasoningbank.errors import SetupError

PER_PACKAGE, HARD_PER_PACKAGE = 12, 5


def build(
    seed: int,
    packages: Sequence[Package] | None = None,
    *,
    number: int = PER_PACKAGE,
    hard: int = HARD_PER_PACKAGE,
    tell: Callable[[int], None] = lambda done: None,
) -> list[Built]:
    """`number` instances of each library, of which `hard` are hand-written. `tell` hears how many are done.

    SetupError where one is at fault.
    """
    with tempfile.TemporaryDirectory(prefix="reasoningbank-") as folder, Forkers() as forkers:
        chosen = all_packages() if packages is None else packages
        return _Building(seed, Path(folder), forkers, tell).built(chosen, number, hard)


class _Building:
    def __init__(self, seed: int, place: Path, forkers: Forkers, tell: Callable[[int], None]) -> None:
        self.seed = seed
        self.tell = tell
        self.place = place
        self.forkers = forkers
        self.planners: dict[str, Planner] = {}
        self.ran: dict[str, Ran] = {}
        """The tests of variants, and of those with a hand-written defect, by the names of their folders."""
        self.done: dict[str, Built] = {}

    def built(self, packages: Sequence[Package], number: int, hard: int) -> list[Built]:
        found = found_by_tests(packages, self.place, self.forkers)
        self.planners = {each.name: Planner(self.seed, each, found[each.name]) for each in packages}
        planned = [slot for planner in self.planners.values() for slot in planner.slots(number, hard)]
        self.run_slots(planned)
        slots = self.unlike([self.settled(slot) for slot in planned])
        self.put_hard([slot for slot in slots if slot.hard is not None])
        self.put_others([slot for slot in slots if slot.hard is None], slots)
        made = [self.done[slot.name] for slot in slots]
        for part in ("problem_statement", "patch"):
            if len({getattr(each.instance, part) for each in made}) != len(made):
                raise SetupError(f"swebench_mini: two instances of suite.seed={self.seed} have the same {part}")
        return made

    def run_slots(self, slots: Sequence[Slot]) -> None:
        """The tests of their variants, and of those with a hand-written defect."""
        trees = []
        for slot in slots:
            trees.append(write_files(self.place / slot.tree, slot.clean))
            if slot.hard is not None:
                trees.append(write_files(self.place / f"{slot.tree}-base", slot.variant.trees[0]))
        self.ran |= run_tests(trees, self.forkers)

    def settled(self, slot: Slot) -> Slot:
        """The instance, with as many of the others' defects as leave of the tests what is needed."""
        while self.problem(slot):
            self.look_at_lost(slot)
            if not (problem := self.problem(slot)):
                break
            if not slot.basis.others:
                raise SetupError(f"swebench_mini: {slot.name} of suite.seed={self.seed}: {problem}")
            slot = self.planners[slot.package.name].fewer(slot)
            self.run_slots([slot])
        return slot

    def look_at_lost(self, slot: Slot) -> None:
        """Which tests the others' defects make fail together, which are more than each by itself does."""
        tree = write_files(self.place / f"{slot.tree}-basis", slot.basis.clean)
        ran = run_tests([tree], self.forkers)[tree.name]
        lost = set(ran.statuses) - ran.passed
        if ran.passed and enough_left(slot.package, slot.hard, lost, self.planners[slot.package.name].found):
            slot.basis.lost = lost

    def unlike(self, slots: Sequence[Slot]) -> list[Slot]:
        """The instances, with other variants of those that show or are shown too much, where these run as well."""
        found = list(slots)
        for place, slot in enumerate(found):
            if slot.hard is not None:
                beside = [other for other in found if other.package is slot.package and other is not slot]
                found[place] = self.planners[slot.package.name].unlike(slot, beside)
        self.run_slots([each for each, before in zip(found, slots) if each is not before])
        return [before if self.problem(each) else each for each, before in zip(found, slots)]

    def problem(self, slot: Slot) -> str:
        """What is wrong with a variant; "" where nothing is."""
        clean = self.ran[slot.tree]
        failed = set(clean.statuses) - clean.passed - slot.basis.lost
        if failed or not clean.statuses:
            return f"its variant fails {sorted(failed)[:3]}"
        return f"no test tells {slot.hard.id}" if slot.hard and not self.found(slot) else ""

    def found(self, slot: Slot) -> set[str]:
        """The tests that find its hand-written defect."""
        return failing(self.ran[f"{slot.tree}-base"], self.ran[slot.tree])

    def put_hard(self, slots: Sequence[Slot]) -> None:
        """Instances of hand-written defects."""
        for slot in slots:
            assert slot.hard is not None
            kind = slot.hard.rules[0] if slot.hard.rules else slot.hard.kind
            told = " ".join(slot.hard.statement.split()) + "\n"
            self.put(slot, slot.variant.trees[0], self.found(slot), kind, slot.hard.id, told)

    def put_others(self, slots: Sequence[Slot], all_slots: Sequence[Slot]) -> None:
        """Instances of operators, tried until each has its defect."""
        taken = {slot.package.name: Taken() for slot in slots}
        others = {name: [slot for slot in all_slots if slot.package.name == name] for name in taken}
        search = {
            slot.name: trials(slot, others[slot.package.name], taken[slot.package.name], self.seed) for slot in slots
        }
        waiting = list(slots)
        while waiting:
            tried = [(slot, self.next_trial(slot, search[slot.name])) for slot in waiting]
            found = self.run(tried)
            told = self.told(tried)
            for slot, trial in tried:
                if taken[slot.package.name].free(trial) and (report := self.report(slot, trial, told)):
                    taken[slot.package.name].take(trial)
                    self.put(slot, trial.base, found[trial.name], trial.kind, trial.place, report)
            waiting = [slot for slot in waiting if slot.name not in self.done]

    def next_trial(self, slot: Slot, search: Iterator[Trial]) -> Trial:
        trial = next(search, None)
        if trial is None:
            raise SetupError(f"swebench_mini: no operator makes a defect for {slot.name} of suite.seed={self.seed}")
        write_files(self.place / trial.name, trial.base)
        return trial

    def run(self, tried: Sequence[tuple[Slot, Trial]]) -> dict[str, set[str]]:
        """The tests that find each defect. Those that can be shown get examples."""
        ran = run_tests([self.place / trial.name for _, trial in tried], self.forkers)
        found: dict[str, set[str]] = {}
        for slot, trial in tried:
            found[trial.name] = failing(ran[trial.name], self.ran[slot.tree])
            trial.examples = examples_of(trial, ran[trial.name], found[trial.name])
        return found

    def told(self, tried: Sequence[tuple[Slot, Trial]]) -> dict[str, dict[str, Told]]:
        """What the examples show, in the broken trees and in the clean ones."""
        programs: dict[Path, dict[str, str]] = {}
        for slot, trial in tried:
            for number, example in enumerate(trial.examples):
                for tree in (trial.name, slot.tree):
                    programs.setdefault(self.place / tree, {})[f"{trial.name}-{number}"] = example.program
        return run_programs(programs, self.forkers)

    def report(self, slot: Slot, trial: Trial, told: Mapping[str, Mapping[str, Told]]) -> str:
        """By the first example that shows the defect; "" where none does."""
        for number, example in enumerate(trial.examples):
            name = f"{trial.name}-{number}"
            got, wanted = told[trial.name].get(name), told[slot.tree].get(name)
            if got is not None and wanted is not None and can_be_told(got, wanted, slot.variant.before):
                about = (self.seed, slot.name)
                return statement(example, got, wanted, library=slot.package.name, about=about)
        return ""

    def put(self, slot: Slot, base: dict[str, str], found: set[str], kind: str, made_from: str, told: str) -> None:
        """The instance is there."""
        self.done[slot.name] = built_of(
            slot,
            base,
            seed=self.seed,
            place=self.place,
            clean=self.ran[slot.tree],
            found=found,
            kind=kind,
            made_from=made_from,
            told=told,
        )
        self.tell(len(self.done))
