"""What many trees are run for, by one process, which forks for each of them once pytest is imported, which is most of
the time. It runs by itself, without this project.

`python fork_runs.py WHAT PLAN TREE ...`, where WHAT is

- `tests`: leaves `ran.json` in each tree: what became of every test, and for those that failed the line of their own
  file at which they did, their parameters, and what stood in plain local variables. A tree whose tests take longer has
  none;
- `counted`: the same without a clock: there, a tree has none that runs too many lines, so that an endless loop is told
  from a slow machine;
- `programs`: runs what is new in the tree's `programs/` and leaves `told.json` there: for each what its variable
  `shown` holds, or the error that it ended with.

PLAN is JSON, see `Plan`; what a tree's own `plan.json` says otherwise holds for it alone.
Without arguments it does what is asked for on its input, where a line is `[WHAT, PLAN, TREE]` as JSON, and answers each
with a line when it is done.
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
import threading
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from types import CodeType, FrameType, TracebackType
from typing import TYPE_CHECKING, Any, TypedDict

if TYPE_CHECKING:
    import pytest


class Plan(TypedDict):
    """How trees are run."""

    cpu_seconds: int
    """Of a tree, or of a program."""
    seconds: int
    """The same by the clock, for what waits."""
    options: list[str]
    """Of pytest."""
    tests: list[str]
    """Files or folders of tests."""
    paths: list[str]
    """Folders of a tree where Python finds its library, beside the tree itself."""
    libraries: list[str]
    """That programs use, imported before."""
    selected: list[str] | None
    """The tests that are run, by their ids; None: all."""
    entered: bool
    """Whether `ran.json` also says which of the tree's functions each test enters, as `path:line`, under "" those that
    are entered outside of tests; what was said of files that cannot be loaded; and the seconds of CPU
    that each test took, and all."""


LINES = 2_000_000
"""Of a tree, its tests' included; that is ten times what any takes."""
MEMORY = 2 * 1024**3
LONGEST = 200
"""Characters of a local variable's text."""
OPTIONS = ("-q", "--tb=no", "--assert=plain", "-p", "no:cacheprovider", "-p", "no:unraisableexception")


class Seen:
    """What became of every test, by its id."""

    def __init__(self, selected: frozenset[str] | None = None) -> None:
        self.selected = selected
        self.statuses: dict[str, str] = {}
        self.failures: dict[str, dict[str, object]] = {}
        self.errors: dict[str, str] = {}

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        if self.selected is not None:
            items[:] = [item for item in items if item.nodeid in self.selected]

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.statuses[report.nodeid] = "ERROR"
            self.errors[report.nodeid] = report.longreprtext[-2000:]

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.statuses[report.nodeid] = "FAILED" if report.when == "call" else "ERROR"
        elif report.when == "call":
            self.statuses.setdefault(report.nodeid, report.outcome.upper())

    def pytest_exception_interact(self, node: pytest.Item, call: pytest.CallInfo[None]) -> None:
        import pytest

        if call.excinfo is None or not isinstance(node, pytest.Function):
            return
        own = [entry for entry in call.excinfo.traceback if Path(entry.path) == node.path]
        given = node.callspec.params if hasattr(node, "callspec") else {}
        self.failures[node.nodeid] = {
            "line": own[0].lineno + 1 if own else 0,
            "parameters": {name: repr(value) for name, value in given.items()},
            "local": plain(own[0].frame.f_locals) if own else {},
        }


def plain(variables: dict[str, Any]) -> dict[str, str]:
    """What is no more than a short literal, as its text."""
    texts = {name: repr(value) for name, value in variables.items() if is_plain(value)}
    return {name: text for name, text in texts.items() if len(text) <= LONGEST}


def is_plain(value: Any, depth: int = 3) -> bool:
    """Whether it is of the language's own kinds throughout: others' texts may do anything."""
    if type(value) in (bool, int, float, str, bytes, type(None)):
        return True
    if type(value) is dict:
        value = [*value.keys(), *value.values()]
    few = type(value) in (tuple, list, set) and len(value) <= LONGEST and depth > 0
    return few and all(is_plain(each, depth - 1) for each in value)


class Entered:
    """Which functions of a tree each test enters."""

    def __init__(self, tree: Path) -> None:
        self.folder = f"{tree}/"
        self.now: set[CodeType] = set()
        self.outside = self.now
        self.tests: dict[str, set[CodeType]] = {}
        self.took: dict[str, float] = {}

    def called(self, frame: FrameType, event: str, given: Any) -> None:
        if event == "call":
            self.now.add(frame.f_code)

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self.now = self.tests.setdefault(nodeid, set())
        self.took[nodeid] = -time.process_time()

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        self.now = self.outside
        self.took[nodeid] += time.process_time()

    def told(self) -> dict[str, list[str]]:
        return {name: self.places(found) for name, found in {"": self.outside, **self.tests}.items()}

    def places(self, found: set[CodeType]) -> list[str]:
        named = [(code.co_filename, code.co_firstlineno) for code in found]
        own = [f"{name.removeprefix(self.folder)}:{line}" for name, line in named if name.startswith(self.folder)]
        return sorted(set(own))


def run_tests(tree: Path, plan: Plan) -> None:
    """In a child: the tests of a tree, as `python -m pytest` runs them in its folder."""
    import pytest

    selected = plan["selected"]
    seen = Seen(None if selected is None else frozenset(selected))
    plugins: list[object] = [seen]
    entered = Entered(tree)
    if plan["entered"]:
        plugins.append(entered)
        threading.setprofile(entered.called)
        sys.setprofile(entered.called)
    tests = plan["tests"] if selected is None else sorted({test.partition("::")[0] for test in selected})
    pytest.main([*OPTIONS, *plan["options"], *tests], plugins=plugins)
    sys.setprofile(None)
    told = {"statuses": seen.statuses, "failures": seen.failures}
    if plan["entered"]:
        told |= {"entered": entered.told(), "errors": seen.errors, "cpu_seconds": time.process_time()}
        told["took"] = entered.took
    (tree / "ran.json").write_text(json.dumps(told), encoding="utf-8")


def run_counted(tree: Path, plan: Plan) -> None:
    """In a child: the same, which ends with too many lines."""
    sys.settrace(Lines(tree).called)
    run_tests(tree, plan)


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


def run_programs(tree: Path, plan: Plan) -> None:
    """In a child: every new program of a tree, each in a child of its own, with the library that they use imported."""
    for library in plan["libraries"] or [path.parent.name for path in sorted(tree.glob("*/__init__.py"))]:
        importlib.import_module(library)
    programs = sorted((tree / "programs").glob("*.py"))
    for program in [each for each in programs if not each.with_suffix(".json").is_file()]:
        in_child(lambda program=program: run_program(program, plan))  # type: ignore[misc]
    results = sorted((tree / "programs").glob("*.json"))
    told = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in results}
    (tree / "told.json").write_text(json.dumps(told), encoding="utf-8")


def run_program(program: Path, plan: Plan) -> None:
    """In a child: one program."""
    signal.alarm(plan["seconds"])
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


def in_tree(tree: Path, task: Callable[[Path, Plan], None], plan: Plan) -> None:
    """In a child: something in a tree's folder, with limits of time and memory."""
    if (own := tree / "plan.json").is_file():
        plan.update(json.loads(own.read_text(encoding="utf-8")))
    seconds = plan["cpu_seconds"]
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    most = resource.getrlimit(resource.RLIMIT_AS)[1]
    memory = MEMORY if most == resource.RLIM_INFINITY else min(MEMORY, most)
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    if task is not run_programs:
        signal.alarm(plan["seconds"])
    os.chdir(tree)
    sys.path[:0] = [str(tree), *(str(tree / path) for path in plan["paths"])]
    task(tree, plan)


def warm_up() -> None:
    """Everything that a run of pytest imports is imported."""
    import pytest

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "test_nothing.py"
        path.write_text("def test_nothing(): pass\n", encoding="utf-8")
        pytest.main([*OPTIONS, f"--rootdir={folder}", str(path)])


def serve() -> None:
    """Does what is asked for until the input ends. What is run for it has neither input nor output of its own."""
    asked, answers = os.fdopen(os.dup(0), encoding="utf-8"), os.fdopen(os.dup(1), "w", encoding="utf-8")
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1):
        os.dup2(nothing, stream)
    warm_up()
    gc.freeze()
    for line in asked:
        what, plan, tree = json.loads(line)
        in_child(lambda what=what, plan=plan, tree=tree: in_tree(Path(tree), TASKS[what], plan))  # type: ignore[misc]
        print("done", file=answers, flush=True)


TASKS = {"tests": run_tests, "counted": run_counted, "programs": run_programs}


def main(what: str, plan_text: str, *trees: str) -> None:
    """The same of each tree."""
    plan: Plan = json.loads(plan_text)
    if what != "programs":
        warm_up()
    gc.freeze()
    for tree in [Path(each).resolve() for each in trees]:
        in_child(lambda tree=tree: in_tree(tree, TASKS[what], plan))  # type: ignore[misc]


if __name__ == "__main__":
    main(*sys.argv[1:]) if sys.argv[1:] else serve()
