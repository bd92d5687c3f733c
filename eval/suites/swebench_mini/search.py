"""Looks for defects of operators that make instances: tests find them, a user can show them, and no other instance of
the library shows their fix."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from eval.suites.swebench_mini.catalog import HIDDEN
from eval.suites.swebench_mini.draws import shuffled
from eval.suites.swebench_mini.operators import candidates, sound, sources_of
from eval.suites.swebench_mini.operators.base import Defect
from eval.suites.swebench_mini.runs import Ran
from eval.suites.swebench_mini.slots import MOST_SHARED, Slot
from eval.suites.swebench_mini.source import Source
from eval.suites.swebench_mini.symptoms import Example, example_of

OF_A_KIND = 8
"""Places at which one operator is tried for one instance."""
EXAMPLES = 3
"""That are run for one defect."""


@dataclass
class Trial:
    """A defect in a variant, to be run. `place` is its module and function, by the names that the clean library has."""

    name: str
    kind: str
    place: str
    module: str
    base: dict[str, str]
    examples: list[Example] = field(default_factory=list)


@dataclass
class Taken:
    """What the instances of a library have already."""

    kinds: set[str] = field(default_factory=set)
    places: set[str] = field(default_factory=set)

    def free(self, trial: Trial) -> bool:
        return trial.kind not in self.kinds and trial.place not in self.places

    def take(self, trial: Trial) -> None:
        self.kinds.add(trial.kind)
        self.places.add(trial.place)


def trials(slot: Slot, others: Sequence[Slot], taken: Taken, *about: str | int) -> Iterator[Trial]:
    """Defects that may do, one after the other; what is taken meanwhile is not among them."""
    sources = sources_of(slot.library)
    number = 0
    for kind in slot.kinds:
        found = [(source, defect) for source in sources for defect in candidates(source, (kind,))]
        tried = 0
        for source, defect in shuffled(found, *about, slot.name, kind):
            if tried == OF_A_KIND or kind in taken.kinds:
                break
            parts = [slot.variant.before.get(part, part) for part in defect.function.split(".")]
            place = f"{source.path}:{'.'.join(parts)}"
            base = {**slot.clean, source.path: defect.applied(source.text)}
            trial = Trial(f"{slot.name}-{number}", kind, place, source.path, base)
            if not taken.free(trial) or stands_out(defect, source):
                continue
            fix = slot.fix_from(base)
            quoted = any(fix.quoted(other.shown) > MOST_SHARED for other in others if other is not slot)
            if not quoted and sound(defect, source):
                number, tried = number + 1, tried + 1
                yield trial


def stands_out(defect: Defect, source: Source) -> bool:
    """Whether anybody would see it at once, by a `pass` or a program that does not end: the latter of changes in what a
    `while` asks and of statements that are missing in its body, nearly always."""
    if any(edit.text == "pass" for edit in defect.edits):
        return True
    place = defect.edits[0].start
    for node in source.nodes:
        if isinstance(node, ast.While) and source.start(node) <= place < source.end(node):
            asked = place < source.end(node.test)
            if asked or not defect.edits[0].text:
                return True
    return False


def failing(ran: Ran, clean: Ran) -> set[str]:
    """The tests that find a defect; none where it breaks too much, or where no hidden test finds it."""
    found = ran.not_passed(clean)
    hidden = [test for test in found if test.startswith(f"{HIDDEN}/")]
    return found if ran.statuses and hidden and len(found) < len(clean.statuses) / 2 else set()


def examples_of(trial: Trial, ran: Ran, found: set[str]) -> list[Example]:
    """The shortest examples that the tests which find a defect give for it."""
    made: dict[str, Example] = {}
    for test in sorted(found & set(ran.failures)):
        failure = ran.failures[test]
        text = trial.base[test.partition("::")[0]]
        example = example_of(text, failure.line, failure.parameters, module=trial.module)
        if example is not None:
            made[example.program] = example
    return [made[program] for program in sorted(made, key=lambda program: (len(program), program))[:EXAMPLES]]
