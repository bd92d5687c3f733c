"""Many trees of the suite's libraries run at once: their tests, or small programs that use them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from eval.suites.swebench_mini.forkers import Forkers

RAN = "ran.json"


@dataclass(frozen=True)
class Failure:
    """Where a test failed: the line of its file, from 1, and its parameters as their texts."""

    line: int
    parameters: Mapping[str, str]
    local: Mapping[str, str] = field(default_factory=dict)
    """Its plain local variables, and their texts."""


@dataclass(frozen=True)
class Ran:
    """The tests of a tree. None of `statuses` where they did not end."""

    statuses: Mapping[str, str] = field(default_factory=dict)
    failures: Mapping[str, Failure] = field(default_factory=dict)

    def not_passed(self, among: Ran) -> set[str]:
        """Of the tests that another run passes those that this one does not."""
        return among.passed - self.passed

    @property
    def passed(self) -> set[str]:
        return {test for test, status in self.statuses.items() if status == "PASSED"}


@dataclass(frozen=True)
class Told:
    """What a program showed: the text of a value, or an error as `Kind: message`."""

    text: str
    is_error: bool


def write_files(folder: Path, files: Mapping[str, str]) -> Path:
    """Writes texts by their paths below a folder."""
    for path, text in files.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8", newline="")
    return folder


def run_tests(trees: Sequence[Path], forkers: Forkers | None = None) -> dict[str, Ran]:
    """What became of the tests of each tree, by the name of its folder."""
    with nullcontext(forkers) if forkers else Forkers() as running:
        running.run("tests", trees)
        running.run("counted", [tree for tree in trees if not (tree / RAN).is_file()])
    found = {}
    for tree in trees:
        told = _read(tree / RAN)
        failures = {test: Failure(**failure) for test, failure in told.get("failures", {}).items()}
        found[tree.name] = Ran(told.get("statuses", {}), failures)
    return found


def run_programs(
    programs: Mapping[Path, Mapping[str, str]], forkers: Forkers | None = None
) -> dict[str, dict[str, Told]]:
    """What programs tell in the trees, by the names of a tree's folder and of a program. Those that do not end are not
    among them."""
    for tree, texts in programs.items():
        write_files(tree / "programs", {f"{name}.py": text for name, text in texts.items()})
    with nullcontext(forkers) if forkers else Forkers() as running:
        running.run("programs", list(programs))
    found: dict[str, dict[str, Told]] = {}
    for tree in programs:
        told = _read(tree / "told.json")
        found[tree.name] = {
            name: Told(result.get("error", result.get("value", "")), "error" in result) for name, result in told.items()
        }
    return found


def _read(path: Path) -> dict[str, dict[str, Any]]:
    """Nothing where it was not written: what was run did not end."""
    return dict(json.loads(path.read_text(encoding="utf-8"))) if path.is_file() else {}
