"""A plugin of pytest that writes what became of each test, one JSON line a test, as soon as it is known.

It runs where the tests do, beside them and without this project: `RECORD` names the file, and is not there for them.
"""

from __future__ import annotations

import json
import os
from typing import Any


def pytest_configure(config: Any) -> None:
    config.pluginmanager.register(Recorder(os.environ.pop("RECORD")), "recorder of statuses")


class Recorder:
    """Of a test that was tried several times, or whose set-up or end went wrong too, the worst counts."""

    def __init__(self, path: str) -> None:
        self.file = open(path, "a", encoding="utf-8", buffering=1)  # noqa: SIM115

    def pytest_collectreport(self, report: Any) -> None:
        if report.failed:
            self.write(report.nodeid, "ERROR")

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.failed:
            self.write(report.nodeid, "FAILED" if report.when == "call" else "ERROR")
        elif hasattr(report, "wasxfail"):
            self.write(report.nodeid, "XFAIL" if report.skipped else "XPASS")
        elif report.skipped:
            self.write(report.nodeid, "SKIPPED")
        elif report.when == "call":
            self.write(report.nodeid, "PASSED")

    def write(self, test: str, status: str) -> None:
        self.file.write(json.dumps([test, status]) + "\n")
