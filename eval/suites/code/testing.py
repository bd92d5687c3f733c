"""Tests of a repository, run in a sandbox: what became of each."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import stat
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Protocol

from eval.suites.code.printed import repeatable
from eval.suites.code.sandbox import Sandbox
from reasoningbank.truncate import keep_ends
from reasoningbank.types import Record

PLACE = ".evaluation"
"""A folder in the repository's, for the time of the tests."""
RECORDER = Path(__file__).with_name("recorder.py")
PLUGIN = "reasoningbank_recorder"
"""What it is called there: Python finds a repository's own module of a name first."""
RECORD = "statuses.jsonl"
MOST_BYTES = 8 * 1024 * 1024
OUTPUT = 10_000
"""Characters that are kept of what the tests print."""
PASSED = frozenset({"PASSED", "XFAIL"})
"""What counts as passed, as in SWE-bench."""


class RanTests(Record):
    """What became of a run of tests. `statuses` has those that were come to, by their ids."""

    statuses: dict[str, str]
    output: str
    stopped: str = ""
    timed_out: bool = False

    def passed(self, test: str) -> bool:
        return self.statuses.get(test) in PASSED


class RunsTests(Protocol):
    """How the tests of a task set are run. `tests` are ids, `folder` has the files that they are to be run on."""

    def __call__(self, sandbox: Sandbox, folder: Path, tests: Sequence[str], *, seconds: float) -> RanTests: ...


def run_pytest(sandbox: Sandbox, folder: Path, tests: Sequence[str], *, seconds: float) -> RanTests:
    """By pytest, all tests of the files in which the given ones are. The repository's own settings of pytest are not
    read: a patch could hide tests by them."""
    place = folder / PLACE
    place.mkdir()
    shutil.copyfile(RECORDER, place / f"{PLUGIN}.py")
    (place / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
    files = [file for file in files_of(tests) if os.path.lexists(folder / file)]
    line = f"python -m pytest -q -rN --tb=short -p {PLUGIN} -c {PLACE}/pytest.ini --rootdir=. {shlex.join(files)}"
    command = f'RECORD="$PWD/{PLACE}/{RECORD}" PYTHONPATH="${{PYTHONPATH:+$PYTHONPATH:}}$PWD/{PLACE}" {line}'
    ran = sandbox.run(command, folder, seconds=seconds)
    return RanTests(
        statuses=read_record(place),
        output=keep_ends(repeatable(ran.output), OUTPUT),
        stopped=ran.stopped,
        timed_out=ran.timed_out,
    )


def files_of(tests: Sequence[str]) -> list[str]:
    """The files in which tests are, by their ids."""
    return sorted({test.partition("::")[0] for test in tests})


def read_record(place: Path) -> dict[str, str]:
    """What the recorder has written."""
    statuses: dict[str, str] = {}
    for line in read_regular(place, RECORD, MOST_BYTES).decode("utf-8", errors="replace").splitlines():
        with suppress(ValueError):
            match json.loads(line):
                case [str(test), str(status)] if statuses.get(test) not in ("FAILED", "ERROR"):
                    statuses[test] = status
    return statuses


def read_regular(place: Path, name: str, most: int) -> bytes:
    """The first bytes of a file in a folder. The tests could write there too, and put anything in its place: of what is
    no such file nothing is read."""
    try:
        folder = os.open(place, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except OSError:
        return b""
    try:
        handle = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=folder)
    except OSError:
        return b""
    finally:
        os.close(folder)
    with open(handle, "rb") as file:
        return file.read(most) if stat.S_ISREG(os.fstat(handle).st_mode) else b""
