"""Many trees of one library run in the sandbox: their tests, or small programs, a few trees at a time by one process
there, which forks for each of them (see `swebench_mini/fork_runs.py`)."""

from __future__ import annotations

import json
import shlex
import shutil
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from pydantic import Field, ValidationError

from eval.cores import cores, threads
from eval.suites.code.environment import remove
from eval.suites.code.sandbox import Sandbox
from eval.suites.code.testing import PLACE, read_regular
from eval.suites.swebench_mini.forkers import FORK_RUNS, plan_text
from eval.suites.swebench_mini.runs import RAN, Told
from reasoningbank.types import Record

Result = TypeVar("Result")

TOOLS = ".tools"
OPTIONS = ("-c", f"{PLACE}/pytest.ini", "--rootdir=.", "--continue-on-collection-errors")
"""Of pytest, as the evaluation has them; a file that cannot be loaded costs no other one its tests."""
SHARE = 6
"""Trees of one sandbox: more cost it less, and leave less to be divided."""
PROGRAM_CPU, SLOWER, STARTING = 5, 6, 60.0
"""Seconds of CPU of a small program; how many times its CPU anything may take by the clock; and of a process there."""
MOST_BYTES = 64 * 1024 * 1024
"""Of what is said of a tree."""


class Failed(Record):
    """Where a test failed, see `runs.Failure`."""

    line: int
    parameters: dict[str, str] = Field(default_factory=dict)
    local: dict[str, str] = Field(default_factory=dict)


class RanTree(Record):
    """The tests of a tree, if they `ended`. `entered` names functions of the tree by
    `path:line`, those of each test and under "" those that ran outside of tests."""

    ended: bool = True
    statuses: dict[str, str] = Field(default_factory=dict)
    failures: dict[str, Failed] = Field(default_factory=dict)
    errors: dict[str, str] = Field(default_factory=dict)
    """What was said of files that could not be loaded."""
    entered: dict[str, list[str]] = Field(default_factory=dict)
    cpu_seconds: float = 0.0
    took: dict[str, float] = Field(default_factory=dict)
    """Seconds of CPU of each test."""

    @property
    def passed(self) -> set[str]:
        return {test for test, status in self.statuses.items() if status == "PASSED"}


class ToldProgram(Record):
    """What a program of a tree showed."""

    value: str = ""
    error: str | None = None

    def told(self) -> Told:
        return Told(self.value if self.error is None else self.error, self.error is not None)


@dataclass(frozen=True)
class Change:
    """A tree to run: `files` that are other than in the clean one, the tests to `select` (None: all) with the
    seconds of CPU that they may take (None: those of all), and programs."""

    files: Mapping[str, str] = field(default_factory=dict)
    select: Sequence[str] | None = None
    cpu_seconds: int | None = None
    programs: Mapping[str, str] = field(default_factory=dict)


@dataclass
class Forks:
    """Runs changes of the tree `clean`. `paths` and `libraries` are as in `fork_runs.Plan`, `tests` files.

    `cpu_seconds` is what the tests of a tree may take; a tree that takes more did not end.
    """

    sandbox: Sandbox
    clean: Path
    tests: Sequence[str]
    paths: Sequence[str]
    libraries: Sequence[str]
    cpu_seconds: int
    said: str = ""
    """What the last run of tests printed."""

    def run_tests(self, changes: Sequence[Change], *, entered: bool = False, most: int = 0) -> list[RanTree]:
        """What became of each. With `most`, a tree's tests stop after so many that fail."""
        options = [*OPTIONS, *([f"--maxfail={most}"] if most else [])]
        plan = plan_text(
            self.cpu_seconds,
            self.tests,
            seconds=SLOWER * self.cpu_seconds,
            options=options,
            paths=self.paths,
            entered=entered,
        )

        def read(tree: Path) -> RanTree:
            try:
                return RanTree.model_validate_json(read_regular(tree, RAN, MOST_BYTES))
            except ValidationError:
                return RanTree(ended=False)

        return self._run("tests", plan, changes, read)

    def run_programs(self, changes: Sequence[Change]) -> list[dict[str, Told]]:
        """What the programs of each told; those that did not end are not among them."""
        plan = plan_text(PROGRAM_CPU, [], seconds=SLOWER * PROGRAM_CPU, paths=self.paths, libraries=self.libraries)

        def read(tree: Path) -> dict[str, Told]:
            try:
                found = json.loads(read_regular(tree, "told.json", MOST_BYTES) or b"{}")
                return {str(name): ToldProgram.model_validate(each).told() for name, each in found.items()}
            except (ValueError, AttributeError):
                return {}

        return self._run("programs", plan, changes, read)

    def _run(self, what: str, plan: str, changes: Sequence[Change], read: Callable[[Path], Result]) -> list[Result]:
        """By as many sandboxes at a time as there are cores, each with a few trees."""
        shares = [changes[begin : begin + SHARE] for begin in range(0, len(changes), SHARE)]
        with threads(cores()) as pool:
            done = pool.map(lambda share: self._share(what, plan, share, read), shares)
            return [result for share in done for result in share]

    def _share(self, what: str, plan: str, changes: Sequence[Change], read: Callable[[Path], Result]) -> list[Result]:
        place = Path(tempfile.mkdtemp(prefix="reasoningbank-"))
        try:
            folder = place / "workspace"
            (folder / TOOLS).mkdir(parents=True)
            shutil.copyfile(FORK_RUNS, folder / TOOLS / FORK_RUNS.name)
            trees = [self._written(folder / str(number), change) for number, change in enumerate(changes)]
            line = ["python", f"{TOOLS}/{FORK_RUNS.name}", what, plan, *(tree.name for tree in trees)]
            cpu = [
                len(change.programs) * PROGRAM_CPU if what == "programs" else change.cpu_seconds or self.cpu_seconds
                for change in changes
            ]
            seconds = STARTING + SLOWER * sum(cpu)
            ran = self.sandbox.run(f"PYTHONSAFEPATH=1 {shlex.join(line)}", folder, seconds=seconds)
            self.said = ran.output
            return [read(tree) for tree in trees]
        finally:
            remove(place)

    def _written(self, tree: Path, change: Change) -> Path:
        shutil.copytree(self.clean, tree)
        (tree / PLACE).mkdir()
        (tree / PLACE / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
        programs = {f"programs/{name}.py": text for name, text in change.programs.items()}
        for path, text in {**change.files, **programs}.items():
            (tree / path).parent.mkdir(parents=True, exist_ok=True)
            (tree / path).write_text(text, encoding="utf-8", newline="")
        if change.select is not None:
            cpu = change.cpu_seconds or self.cpu_seconds
            own = {"selected": list(change.select), "cpu_seconds": cpu, "seconds": SLOWER * cpu}
            (tree / "plan.json").write_text(json.dumps(own), encoding="utf-8")
        return tree
