"""Makes the instances of a seed: two fifths hand-written defects, the others made by operators, each on a variant of
its library of its own; and runs them all, so that what their tests tell is known and not supposed."""

from __future__ import annotations

import re
import tempfile
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from eval.suites.code.instance import Instance
from eval.suites.code.repository import Repository
from eval.suites.swebench_mini.catalog import HIDDEN, HardInstance, Package, all_packages, package_names
from eval.suites.swebench_mini.draws import draw, shuffled
from eval.suites.swebench_mini.operators import OPERATORS
from eval.suites.swebench_mini.others import NEWS, Basis, Found, basis, go_together
from eval.suites.swebench_mini.patches import diff, patched
from eval.suites.swebench_mini.runs import Ran, Told, run_programs, run_tests, write_files
from eval.suites.swebench_mini.search import Slot, Taken, Trial, examples_of, failing, trials
from eval.suites.swebench_mini.source import source_of
from eval.suites.swebench_mini.statements import can_be_told, statement
from eval.suites.swebench_mini.variants import varied
from reasoningbank.errors import SetupError
from reasoningbank.syntax import edited
from reasoningbank.types import Record

PER_PACKAGE, HARD_PER_PACKAGE = 12, 5
AT_ONCE = 2
"""Defects of one instance that are tried at the same time."""
FIRST_DAY = datetime(2024, 1, 8, 9, tzinfo=UTC)


class Built(Record):
    """An instance with all that its suite knows of it. `files` are what its agent finds."""

    instance: Instance
    package: str
    kind: str
    """The operator; or the first house rule that a fix has to keep, or else the kind of the hand-written defect."""
    hard: bool
    rules: tuple[str, ...]
    made_from: str
    """A hand-written defect's id, or where an operator was used."""
    others: tuple[str, ...]
    """Hand-written defects of other instances that it has too, and that its tests do not ask for."""
    files: dict[str, str]


def build(
    seed: int, packages: Sequence[Package] | None = None, *, number: int = PER_PACKAGE, hard: int = HARD_PER_PACKAGE
) -> list[Built]:
    """`number` instances of each library, of which `hard` are hand-written. SetupError where one is at fault."""
    with tempfile.TemporaryDirectory(prefix="reasoningbank-") as folder:
        return _Building(seed, Path(folder)).built(all_packages() if packages is None else packages, number, hard)


def id_of(package: str, number: int) -> str:
    """An instance's name, by its library and its place there."""
    return f"mini__{package}-{101 + number}"


class _Building:
    def __init__(self, seed: int, place: Path) -> None:
        self.seed = seed
        self.place = place
        self.clean: dict[str, Ran] = {}
        self.base: dict[str, Ran] = {}
        self.done: dict[str, Built] = {}
        self.found: dict[str, Found] = {}

    def built(self, packages: Sequence[Package], number: int, hard: int) -> list[Built]:
        self.look_at_hard(packages)
        slots = [slot for package in packages for slot in self.planned(package, number, hard)]
        self.run_slots(slots)
        slots = [self.settled(slot) for slot in slots]
        self.put_hard([slot for slot in slots if slot.hard is not None])
        self.put_others([slot for slot in slots if slot.hard is None], slots)
        made = [self.done[slot.name] for slot in slots]
        for part in ("problem_statement", "patch"):
            if len({getattr(each.instance, part) for each in made}) != len(made):
                raise SetupError(f"swebench_mini: two instances of suite.seed={self.seed} have the same {part}")
        return made

    def look_at_hard(self, packages: Sequence[Package]) -> None:
        """What the tests of each library tell of its hand-written defects."""
        trees = {}
        for package in packages:
            files = trees[f"{package.name}-tests"] = _files(package)
            for defect in package.hard:
                name = f"{package.name}-tests-{defect.id}"
                broken, apart = patched(files, defect.bug), patched(files, defect.bug, leave_out=(NEWS,))
                naive = patched(broken or {}, defect.naive or "")
                if broken is None or apart is None or naive is None:
                    raise SetupError(f"swebench_mini: {package.name}/{defect.id}: its patches do not apply")
                trees |= {name: apart, f"{name}-naive": naive} if defect.naive else {name: apart}
        ran = run_tests([write_files(self.place / name, files) for name, files in trees.items()])
        for package in packages:
            clean, name = ran[f"{package.name}-tests"], f"{package.name}-tests-"
            self.found[package.name] = Found(
                len(clean.passed),
                {each.id: ran[name + each.id].not_passed(clean) for each in package.hard},
                {each.id: ran[f"{name}{each.id}-naive"].not_passed(clean) for each in package.hard if each.naive},
            )

    def planned(self, package: Package, number: int, hard: int) -> Iterator[Slot]:
        """The library's instances: which hand-written defects there are, and their variants."""
        about = (self.seed, package.name)
        kinds = shuffled(OPERATORS, self.seed, "kinds")
        first = package_names().index(package.name) * (number - hard)
        files, found = _files(package), self.found[package.name]
        ids = go_together(package, files, shuffled(package.hard, *about, "hard"), hard, found)
        defects: list[HardInstance | None] = [each for each in package.hard if each.id in ids]
        operators = 0
        for place, own in enumerate(shuffled([*defects, *[None] * (number - len(defects))], *about, "order")):
            others = [each for each in shuffled(defects, *about, "others", place) if each not in (None, own)]
            made = basis(package, files, own, [each for each in others if each is not None], found)
            begin = (first + operators) % len(kinds)
            operators += own is None
            yield self.slot(package, place, own, made, (*kinds[begin:], *kinds[:begin]))

    def slot(self, package: Package, place: int, own: HardInstance | None, made: Basis, kinds: tuple[str, ...]) -> Slot:
        """An instance in the making, on its variant."""
        trees = [made.clean] if made.broken is None else [made.broken, made.clean]
        told = [own.statement] if own else []
        about = (self.seed, package.name)
        variant = varied(trees, library=package.name, also_seen=told, about=about, number=place)
        return Slot(package, place, variant, own, made, kinds)

    def run_slots(self, slots: Sequence[Slot]) -> None:
        """The tests of their variants, and of those with a hand-written defect."""
        trees = []
        for slot in slots:
            trees.append(write_files(self.place / slot.tree, slot.clean))
            if slot.hard is not None:
                trees.append(write_files(self.place / f"{slot.tree}-base", slot.variant.trees[0]))
        ran = run_tests(trees)
        for slot in slots:
            self.clean[slot.name] = ran[slot.tree]
            self.base[slot.name] = ran.get(f"{slot.tree}-base", Ran())

    def settled(self, slot: Slot) -> Slot:
        """The instance, with as many of the others' defects as leave of the tests what each by itself would leave."""
        while problem := self.problem(slot):
            if not slot.basis.others:
                raise SetupError(f"swebench_mini: {slot.name} of suite.seed={self.seed}: {problem}")
            named = {each.id: each for each in slot.package.hard}
            fewer = [named[name] for name in slot.basis.others[:-1]]
            made = basis(slot.package, _files(slot.package), slot.hard, fewer, self.found[slot.package.name])
            slot = self.slot(slot.package, slot.number, slot.hard, made, slot.kinds)
            self.run_slots([slot])
        return slot

    def problem(self, slot: Slot) -> str:
        """What is wrong with a variant; "" where nothing is."""
        clean = self.clean[slot.name]
        failed = set(clean.statuses) - clean.passed - slot.basis.lost
        if failed or not clean.statuses:
            return f"its variant fails {sorted(failed)[:3]}"
        found = failing(self.base[slot.name], clean)
        return f"no test tells {slot.hard.id}" if slot.hard and not found else ""

    def put_hard(self, slots: Sequence[Slot]) -> None:
        """Instances of hand-written defects."""
        for slot in slots:
            assert slot.hard is not None
            found = failing(self.base[slot.name], self.clean[slot.name])
            kind = slot.hard.rules[0] if slot.hard.rules else slot.hard.kind
            told = " ".join(slot.hard.statement.split()) + "\n"
            self.put(slot, slot.variant.trees[0], found, kind, slot.hard.id, told)

    def put_others(self, slots: Sequence[Slot], all_slots: Sequence[Slot]) -> None:
        """Instances of operators, tried until each has its defect."""
        taken = {slot.package.name: Taken() for slot in slots}
        others = {name: [slot for slot in all_slots if slot.package.name == name] for name in taken}
        search = {
            slot.name: trials(slot, others[slot.package.name], taken[slot.package.name], self.seed) for slot in slots
        }
        waiting = list(slots)
        while waiting:
            tried = {slot.name: self.next_trials(slot, search[slot.name]) for slot in waiting}
            found = self.run(waiting, tried)
            told = self.told(waiting, tried)
            for slot in waiting:
                for trial in tried[slot.name]:
                    if slot.name in self.done or not taken[slot.package.name].free(trial):
                        continue
                    report = self.report(slot, trial, told)
                    if report:
                        taken[slot.package.name].take(trial)
                        self.put(slot, trial.base, found[trial.name], trial.kind, trial.place, report)
            waiting = [slot for slot in waiting if slot.name not in self.done]

    def next_trials(self, slot: Slot, search: Iterator[Trial]) -> list[Trial]:
        tried = [trial for trial, _ in zip(search, range(AT_ONCE))]
        if not tried:
            raise SetupError(f"swebench_mini: no operator makes a defect for {slot.name} of suite.seed={self.seed}")
        for trial in tried:
            write_files(self.place / trial.name, trial.base)
        return tried

    def run(self, slots: Sequence[Slot], tried: Mapping[str, Sequence[Trial]]) -> dict[str, set[str]]:
        """The tests that find each defect. Those that can be shown get examples."""
        ran = run_tests([self.place / trial.name for slot in slots for trial in tried[slot.name]])
        found: dict[str, set[str]] = {}
        for slot in slots:
            for trial in tried[slot.name]:
                found[trial.name] = failing(ran[trial.name], self.clean[slot.name])
                trial.examples = examples_of(trial, ran[trial.name], found[trial.name])
        return found

    def told(self, slots: Sequence[Slot], tried: Mapping[str, Sequence[Trial]]) -> dict[str, dict[str, Told]]:
        """What the examples show, in the broken trees and in the clean ones."""
        programs: dict[Path, dict[str, str]] = {}
        for slot in slots:
            for trial in tried[slot.name]:
                for number, example in enumerate(trial.examples):
                    for tree in (trial.name, slot.tree):
                        programs.setdefault(self.place / tree, {})[f"{trial.name}-{number}"] = example.program
        return run_programs(programs)

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
        """The instance, with the tests that find its defect taken out of what an agent sees."""
        seen = {path: text for path, text in base.items() if not path.startswith(f"{HIDDEN}/")}
        fixed = {path: text for path, text in slot.clean.items() if not path.startswith(("tests/", f"{HIDDEN}/"))}
        hidden = {path: text for path, text in slot.clean.items() if path.startswith(f"{HIDDEN}/")}
        clean = self.clean[slot.name]
        not_seen = found | (set(clean.statuses) - clean.passed)
        gone = {test for test in not_seen if not test.startswith(f"{HIDDEN}/")}
        gone |= {test for test in clean.statuses if test.partition("[")[0] in _functions(gone)}
        files = {path: _without_tests(path, text, gone) for path, text in seen.items()}
        broken = {path: text for path, text in files.items() if not path.startswith("tests/")}
        name, git = f"{slot.name}-files", f"{slot.name}-git"
        project = tomllib.loads(files["pyproject.toml"])["project"]
        order = draw(self.seed, slot.package.name) % 7 + 7 * slot.number
        instance = Instance(
            instance_id=id_of(slot.package.name, slot.number),
            repo=f"mini/{slot.package.name}",
            base_commit=Repository.begin(write_files(self.place / name, files), self.place / git).base,
            problem_statement=told,
            patch=diff(broken, fixed),
            test_patch=diff({}, hidden),
            FAIL_TO_PASS=tuple(sorted(found - gone)),
            PASS_TO_PASS=tuple(sorted(clean.passed - found - gone)),
            version=project["version"],
            created_at=(FIRST_DAY + timedelta(days=order)).strftime("%Y-%m-%dT%H:%M:%SZ"),
        )
        self.done[slot.name] = Built(
            instance=instance,
            package=slot.package.name,
            kind=kind,
            hard=slot.hard is not None,
            rules=slot.hard.rules if slot.hard else (),
            made_from=made_from,
            others=tuple(slot.basis.others),
            files=files,
        )


def _files(package: Package) -> dict[str, str]:
    """The texts of a clean library with its hidden tests."""
    paths = (*package.visible(), *package.hidden())
    return {path.as_posix(): (package.folder / path).read_text(encoding="utf-8") for path in paths}


def _functions(tests: set[str]) -> set[str]:
    """The functions of tests, without their parameters."""
    return {test.partition("[")[0] for test in tests}


def _without_tests(path: str, text: str, found: set[str]) -> str:
    """A file without those of its functions that are among the tests."""
    names = {test.partition("::")[2] for test in _functions(found) if test.startswith(f"{path}::")}
    if not names:
        return text
    source = source_of("", text)
    gone = [node for node in source.tree.body if getattr(node, "name", None) in names]
    left = edited(text, [source.without(node) for node in gone])
    return re.sub(r"\n{4,}", "\n\n\n", left).rstrip("\n") + "\n"
