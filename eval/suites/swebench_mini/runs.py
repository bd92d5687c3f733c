"""Many trees of the suite's libraries run at once: their tests, or small programs that use them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from reasoningbank.errors import InfraError

RAN = "ran.json"
FORK_RUNS = Path(__file__).with_name("fork_runs.py")
ENVIRONMENT = {
    "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYTHONHASHSEED": "0",
    "PYTHONPATH": "",
    "PYTHONSAFEPATH": "1",
}
CPU_SECONDS = {"tests": 4, "programs": 8, "counted": 60}
"""A tree's tests take less than half a second, where nothing else runs."""
SECONDS = 600
AT_MOST, LEAST_SHARE = 4, 8
"""Processes, and trees for one of them."""


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


def run_tests(trees: Sequence[Path]) -> dict[str, Ran]:
    """What became of the tests of each tree, by the name of its folder."""
    _run("tests", trees)
    _run("counted", [tree for tree in trees if not (tree / RAN).is_file()])
    found = {}
    for tree in trees:
        told = _read(tree / RAN)
        failures = {test: Failure(**failure) for test, failure in told.get("failures", {}).items()}
        found[tree.name] = Ran(told.get("statuses", {}), failures)
    return found


def run_programs(programs: Mapping[Path, Mapping[str, str]]) -> dict[str, dict[str, Told]]:
    """What programs tell in the trees, by the names of a tree's folder and of a program. Those that do not end are not
    among them."""
    for tree, texts in programs.items():
        write_files(tree / "programs", {f"{name}.py": text for name, text in texts.items()})
    _run("programs", list(programs))
    found: dict[str, dict[str, Told]] = {}
    for tree in programs:
        told = _read(tree / "told.json")
        found[tree.name] = {
            name: Told(result.get("error", result.get("value", "")), "error" in result) for name, result in told.items()
        }
    return found


def plan_text(
    cpu_seconds: int,
    tests: Sequence[str],
    *,
    seconds: int = SECONDS,
    options: Sequence[str] = (),
    paths: Sequence[str] = (),
    libraries: Sequence[str] = (),
    entered: bool = False,
) -> str:
    """What `fork_runs.py` is told, see `Plan` there."""
    plan = {
        "cpu_seconds": cpu_seconds,
        "seconds": seconds,
        "options": list(options),
        "tests": list(tests),
        "entered": entered,
    }
    return json.dumps({**plan, "paths": list(paths), "libraries": list(libraries)})


def _run(what: Literal["tests", "counted", "programs"], trees: Sequence[Path]) -> None:
    """By a few processes at the same time, each with its share of the trees."""
    if not trees:
        return
    count = min(AT_MOST, os.cpu_count() or 1, -(-len(trees) // LEAST_SHARE))
    shares = [list(map(str, trees[begin::count])) for begin in range(count)]
    plan = plan_text(CPU_SECONDS[what], ["tests", "hidden"])
    running = [
        subprocess.Popen(
            [sys.executable, str(FORK_RUNS), what, plan, *share],
            env={**os.environ, **ENVIRONMENT},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        for share in shares
    ]
    said = [process.communicate()[1] for process in running]
    for process, text in zip(running, said):
        if process.returncode:
            raise InfraError(f"{FORK_RUNS.name} {what} ended with {process.returncode}: {text[-400:]}")


def _read(path: Path) -> dict[str, dict[str, Any]]:
    """Nothing where it was not written: what was run did not end."""
    return dict(json.loads(path.read_text(encoding="utf-8"))) if path.is_file() else {}
