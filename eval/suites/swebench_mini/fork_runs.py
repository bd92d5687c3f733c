"""The tests of many trees by one process, which forks for each of them once pytest is imported, which is most of the
time. It runs by itself, without this project.

`python fork_runs.py tests TREE ...` leaves `ran.json` in each tree: what became of every test, and for those that
failed the line of their own file at which they did, and their parameters. A tree whose tests take longer has none;
`python fork_runs.py counted TREE ...` does the same without a clock: there, a tree has none that runs too many
lines, so that an endless loop is told from a slow machine.
`python fork_runs.py programs TREE ...` runs what stands in the tree's `programs/` and leaves `told.json` there: for
each what its variable `shown` holds, or the error that it ended with.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import resource
import runpy
import signal
import sys
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path
from types import FrameType, TracebackType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pytest

CPU_SECONDS = {"tests": 4, "programs": 8, "counted": 60}
"""A tree's tests take less than half a second, where nothing else runs."""
SECONDS = 600
LINES = 2_000_000
"""Of a tree, its tests' included; that is ten times what any takes."""
MEMORY = 2 * 1024**3
OPTIONS = ("-q", "--tb=no", "--assert=plain", "-p", "no:cacheprovider", "-p", "no:unraisableexception")


class Seen:
    """What became of every test, by its id."""

    def __init__(self) -> None:
        self.statuses: dict[str, str] = {}
        self.failures: dict[str, dict[str, object]] = {}

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.statuses[report.nodeid] = "ERROR"

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.statuses[report.nodeid] = "FAILED" if report.when == "call" else "ERROR"
        elif report.when == "call":
            self.statuses.setdefault(report.nodeid, report.outcome.upper())

    def pytest_exception_interact(self, node: pytest.Item, call: pytest.CallInfo[None]) -> None:
        import pytest

        if call.excinfo is None or not isinstance(node, pytest.Function):
            return
        lines = [entry.lineno + 1 for entry in call.excinfo.traceback if Path(entry.path) == node.path]
        given = node.callspec.params if hasattr(node, "callspec") else {}
        self.failures[node.nodeid] = {
            "line": lines[0] if lines else 0,
            "parameters": {name: repr(value) for name, value in given.items()},
        }


def run_tests(tree: Path) -> None:
    """In a child: the tests of a tree, as `python -m pytest` runs them in its folder."""
    import pytest

    seen = Seen()
    pytest.main([*OPTIONS, "tests", "hidden"], plugins=[seen])
    told = {"statuses": seen.statuses, "failures": seen.failures}
    (tree / "ran.json").write_text(json.dumps(told), encoding="utf-8")


def run_counted(tree: Path) -> None:
    """In a child: the same, which ends with too many lines."""
    sys.settrace(Lines(tree).called)
    run_tests(tree)


class Lines:
    """Counts the lines of a tree that are run, and ends the process with too many."""

    def __init__(self, tree: Path) -> None:
        self.folder = f"{tree}/"
        self.count = 0

    def called(self, frame: FrameType, event: str, given: Any) -> Any:
        return self.line if frame.f_code.co_filename.startswith(self.folder) else None

    def line(self, frame: FrameType, event: str, given: Any) -> Any:
        self.count += 1
        if self.count > LINES:
            os._exit(1)
        return self.line


def run_programs(tree: Path) -> None:
    """In a child: every program of a tree, each in a child of its own, with the library that they use imported."""
    for library in sorted(tree.glob("*/__init__.py")):
        importlib.import_module(library.parent.name)
    for program in sorted((tree / "programs").glob("*.py")):
        in_child(lambda program=program: run_program(program))  # type: ignore[misc]
    results = sorted((tree / "programs").glob("*.json"))
    told = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in results}
    (tree / "told.json").write_text(json.dumps(told), encoding="utf-8")


def run_program(program: Path) -> None:
    """In a child: one program."""
    result = program.with_suffix(".json")

    def failed(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        result.write_text(json.dumps({"error": f"{kind.__name__}: {error}"}), encoding="utf-8")

    sys.excepthook = failed
    warnings.simplefilter("ignore")
    shown = runpy.run_path(str(program))["shown"]
    result.write_text(json.dumps({"value": repr(shown)}), encoding="utf-8")


def in_child(task: Callable[[], None]) -> None:
    """Does something in a child process, as far as it gets there."""
    child = os.fork()
    if not child:
        task()
        os._exit(0)
    os.waitpid(child, 0)


def in_tree(tree: Path, task: Callable[[Path], None], seconds: int) -> None:
    """In a child: something in a tree's folder, with limits of time and memory."""
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    signal.alarm(SECONDS)
    os.chdir(tree)
    sys.path.insert(0, str(tree))
    task(tree)


def warm_up() -> None:
    """Everything that a run of pytest imports is imported."""
    import pytest

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "test_nothing.py"
        path.write_text("def test_nothing(): pass\n", encoding="utf-8")
        pytest.main([*OPTIONS, f"--rootdir={folder}", str(path)])


if __name__ == "__main__":
    task = {"tests": run_tests, "counted": run_counted, "programs": run_programs}[sys.argv[1]]
    seconds = CPU_SECONDS[sys.argv[1]]
    if task is not run_programs:
        warm_up()
    gc.freeze()
    for tree in [Path(argument).resolve() for argument in sys.argv[2:]]:
        in_child(lambda tree=tree: in_tree(tree, task, seconds))  # type: ignore[misc]
