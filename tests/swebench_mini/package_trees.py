"""Trees of the suite's libraries, patched, and what their tests say there."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from waiting import HANG

from eval.suites.swebench_mini.catalog import Package
from eval.suites.swebench_mini.runs import run_tests

STATUSES = ("PASSED", "FAILED", "ERROR")


def patch(tree: Path, text: str, *flags: str) -> subprocess.CompletedProcess[str]:
    """`git apply` in a folder that is no repository, whatever lies above it."""
    return subprocess.run(
        ["git", "apply", *flags, "-"],
        cwd=tree,
        input=text,
        env={**os.environ, "GIT_CEILING_DIRECTORIES": str(tree.parent)},
        capture_output=True,
        text=True,
        check=False,
        timeout=HANG,
    )


def tree_of(package: Package, target: Path, *patches: str) -> Path:
    """The library with its hidden tests, and the patches applied one after the other."""
    package.write_tree(target, hidden=True)
    for text in patches:
        done = patch(target, text)
        assert done.returncode == 0, done.stderr
    return target


def run_in(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """Python in a folder, with nothing but what is in it and what is installed."""
    return subprocess.run(
        [sys.executable, *command],
        cwd=folder,
        env={**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": ""},
        capture_output=True,
        text=True,
        check=False,
        timeout=5 * HANG,
    )


def statuses(tree: Path) -> dict[str, str]:
    """What became of every test, by its id, when they are run as a user would."""
    done = run_in(tree, "-m", "pytest", "-q", "-rA", "--tb=no", "-p", "no:cacheprovider", "tests", "hidden")
    found = [line.partition(" ") for line in done.stdout.splitlines()]
    told = {rest.partition(" - ")[0]: status for status, _, rest in found if status in STATUSES}
    assert told, done.stdout + done.stderr
    return told


def all_statuses(trees: Iterable[Path]) -> dict[str, dict[str, str]]:
    """The same of many trees, by the names of their folders."""
    return {name: dict(ran.statuses) for name, ran in run_tests(list(trees)).items()}


def not_passed(told: dict[str, str], among: dict[str, str]) -> set[str]:
    """Of the tests of one run those that another run does not pass."""
    return {test for test in among if told.get(test) != "PASSED"}


def function_of(test: str) -> str:
    """The test function of an id, without its parameters."""
    return test.partition("[")[0]
