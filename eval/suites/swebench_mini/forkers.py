"""Processes that run many trees of a suite's libraries, for as long as they are needed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from queue import Empty, SimpleQueue
from types import TracebackType
from typing import IO, Literal

from eval.cores import cores
from reasoningbank.errors import InfraError

FORK_RUNS = Path(__file__).with_name("fork_runs.py")
ENVIRONMENT = {
    "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYTHONHASHSEED": "0",
    "PYTHONPATH": "",
    "PYTHONSAFEPATH": "1",
}
What = Literal["tests", "counted", "programs"]
CPU_SECONDS: dict[What, int] = {"tests": 4, "programs": 8, "counted": 60}
"""A tree's tests take less than half a second, where nothing else runs."""
SECONDS = 600
FOLDERS = ("tests", "hidden")
UNUSED = (
    *("debugging", "doctest", "faulthandler", "junitxml", "legacypath", "logging", "pastebin", "reports"),
    *("setuponly", "setupplan", "stepwise", "subtests", "threadexception", "unittest"),
)
"""Parts of pytest that these libraries' tests do without: they are a fifth of the time."""
OPTIONS = tuple(word for name in UNUSED for word in ("-p", f"no:{name}"))
AT_MOST, LEAST_SHARE = 4, 8
"""Processes, and trees for one of them."""


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
        "selected": None,
        "entered": entered,
    }
    return json.dumps({**plan, "paths": list(paths), "libraries": list(libraries)})


class Forkers:
    """Processes of `fork_runs.py`, as long as it is open: starting one costs as much as the tests of two trees."""

    def __init__(self) -> None:
        self._open = ExitStack()
        self._running: list[subprocess.Popen[str]] = []
        self._said: IO[str] | None = None

    def __enter__(self) -> Forkers:
        self._said = self._open.enter_context(tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace"))
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        for process in self._running:
            process.kill()  # between two trees it has nothing that has to be put away
        self._open.close()

    def run(self, what: What, trees: Sequence[Path]) -> None:
        """By a few processes at the same time, each taking the next tree when it is done with one."""
        waiting: SimpleQueue[Path] = SimpleQueue()
        for tree in trees:
            waiting.put(tree.resolve())
        wanted = min(AT_MOST, cores(), -(-len(trees) // LEAST_SHARE))
        while len(self._running) < wanted:
            self._start()
        with ThreadPoolExecutor(AT_MOST) as pool:
            for done in [pool.submit(self._take, process, what, waiting) for process in self._running]:
                done.result()

    def _start(self) -> None:
        self._running.append(
            self._open.enter_context(
                subprocess.Popen(
                    [sys.executable, str(FORK_RUNS)],
                    env={**os.environ, **ENVIRONMENT},
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=self._said,
                    text=True,
                )
            )
        )

    def _take(self, process: subprocess.Popen[str], what: What, waiting: SimpleQueue[Path]) -> None:
        plan = plan_text(CPU_SECONDS[what], FOLDERS, options=OPTIONS)
        assert process.stdin is not None
        assert process.stdout is not None
        while True:
            try:
                tree = waiting.get_nowait()
            except Empty:
                return
            process.stdin.write(f"[{json.dumps(what)}, {plan}, {json.dumps(str(tree))}]\n")
            process.stdin.flush()
            if not process.stdout.readline():
                raise InfraError(f"{FORK_RUNS.name} {what} ended with {process.wait()} at {tree}: {self._last()}")

    def _last(self) -> str:
        """The end of what the processes said."""
        assert self._said is not None
        self._said.seek(0)
        return self._said.read()[-400:]
