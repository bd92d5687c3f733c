"""The tests of many trees by one process, which forks for each of them once pytest is imported, which
is most of the time.

`python fork_runs.py TREE ...` leaves `statuses.json` in each tree: what became of every test.
"""

from __future__ import annotations

import gc
import json
import os
import sys
from pathlib import Path

import pytest


class Seen:
    """What became of every test, by its id."""

    def __init__(self) -> None:
        self.statuses: dict[str, str] = {}

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.statuses[report.nodeid] = "ERROR"

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.statuses[report.nodeid] = "FAILED" if report.when == "call" else "ERROR"
        elif report.when == "call":
            self.statuses[report.nodeid] = report.outcome.upper()


def run(tree: Path) -> None:
    """In a child: the tests of a tree, as `python -m pytest` runs them in its folder."""
    os.chdir(tree)
    sys.path.insert(0, str(tree))
    seen = Seen()
    pytest.main(["-q", "--tb=no", "--assert=plain", "-p", "no:cacheprovider", "tests", "hidden"], plugins=[seen])
    (tree / "statuses.json").write_text(json.dumps(seen.statuses), encoding="utf-8")


if __name__ == "__main__":
    pytest.main(["--version"])  # loads the plugins
    gc.freeze()
    for tree in [Path(argument).resolve() for argument in sys.argv[1:]]:
        child = os.fork()
        if not child:
            run(tree)
            os._exit(0)
        if os.waitpid(child, 0)[1]:
            sys.exit(f"{tree}: its tests could not be run")
