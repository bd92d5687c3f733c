"""An instance with all that its suite knows of it, as it is made once its defect is known."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Iterable
from pathlib import Path

from eval.suites.code.instance import Instance, made_on
from eval.suites.code.repository import Repository
from eval.suites.swebench_mini.catalog import HIDDEN
from eval.suites.swebench_mini.draws import draw
from eval.suites.swebench_mini.patches import diff
from eval.suites.swebench_mini.runs import Ran, write_files
from eval.suites.swebench_mini.slots import Slot
from eval.suites.swebench_mini.source import source_of
from reasoningbank.errors import SetupError
from reasoningbank.syntax import edited
from reasoningbank.types import Record

UNSEEN_OF_A_FIX = ("tests/", f"{HIDDEN}/")


class Built(Record):
    """An instance. `files` are what its agent finds."""

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


def id_of(package: str, number: int) -> str:
    """An instance's name, by its library and its place there."""
    return f"mini__{package}-{101 + number}"


def built_of(
    slot: Slot,
    base: dict[str, str],
    *,
    seed: int,
    place: Path,
    clean: Ran,
    found: Collection[str],
    kind: str,
    made_from: str,
    told: str,
) -> Built:
    """An instance of the tree `base`, with the tests that find its defect taken out of what an agent sees. `clean` is
    what the tests of its variant tell, and `found` those of them that find the defect. Writes below `place`."""
    not_seen = {*found} | (set(clean.statuses) - clean.passed)
    gone = {test for test in not_seen if not test.startswith(f"{HIDDEN}/")}
    gone |= {test for test in clean.statuses if test.partition("[")[0] in _functions(gone)}
    files = {path: _without_tests(path, text, gone) for path, text in slot.visible(base).items()}
    broken, fixed = (
        {path: text for path, text in tree.items() if not path.startswith(UNSEEN_OF_A_FIX)}
        for tree in (files, slot.clean)
    )
    hidden = {path: text for path, text in slot.clean.items() if path.startswith(f"{HIDDEN}/")}
    days = draw(seed, slot.package.name) % 7 + 7 * slot.number
    folder = write_files(place / f"{slot.name}-files", files)
    instance = Instance(
        instance_id=id_of(slot.package.name, slot.number),
        repo=f"mini/{slot.package.name}",
        base_commit=Repository.begin(folder, place / f"{slot.name}-git").base,
        problem_statement=told,
        patch=diff(broken, fixed),
        test_patch=diff({}, hidden),
        FAIL_TO_PASS=tuple(sorted(set(found) - gone)),
        PASS_TO_PASS=tuple(sorted(clean.passed - set(found) - gone)),
        version=tomllib.loads(files["pyproject.toml"])["project"]["version"],
        created_at=made_on(days),
    )
    return Built(
        instance=instance,
        package=slot.package.name,
        kind=kind,
        hard=slot.hard is not None,
        rules=slot.hard.rules if slot.hard else (),
        made_from=made_from,
        others=tuple(slot.basis.others),
        files=files,
    )


def _functions(tests: Iterable[str]) -> set[str]:
    """The functions of tests, without their parameters."""
    return {test.partition("[")[0] for test in tests}


def _without_tests(path: str, text: str, found: set[str]) -> str:
    """A file without those of its functions that are among the tests."""
    names = {test.partition("::")[2] for test in _functions(found) if test.startswith(f"{path}::")}
    if not names:
        return text
    source = source_of("", text)
    gone = [node for node in source.tree.body if getattr(node, "name", None) in names]
    if kept := names - {getattr(node, "name", "") for node in gone}:
        raise SetupError(f"{path}: {min(kept)} is no function of the module, and cannot be hidden from an agent")
    left = edited(text, [source.without(node) for node in gone])
    return re.sub(r"\n{4,}", "\n\n\n", left).rstrip("\n") + "\n"
