"""What the runner's tests share: the command line of the tiny suite, and a run's results to compare."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from waiting import HANG

from eval.journal import JournalLine
from reasoningbank.types import canonical_json

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
TINY = [
    f"--config-dir={HERE / 'configs'}",
    f"plugins=[{HERE / 'arithmetic.py'}]",
    "suite=arithmetic",
    "llm=arithmetic",
    "embedder=hashing",
    "figure=false",
]


def command(*argv: str) -> list[str]:
    return [sys.executable, "-m", "eval", *argv]


def run(*argv: str) -> subprocess.CompletedProcess[str]:
    """`python -m eval` with these arguments, to its end."""
    return subprocess.run(command(*argv), cwd=ROOT, capture_output=True, text=True, timeout=HANG, check=False)


def complete(*argv: str) -> None:
    """A command to its good end, in this process and with one worker: for what it leaves, at a third of the price."""
    from eval.__main__ import main

    assert main([*argv, "concurrency.workers=1"]) == 0


class Started(subprocess.Popen[str]):
    """A process with a group of its own, all of which ends with the `with` block: a test that fails does not hang."""

    def __exit__(self, *raised: Any) -> None:
        if self.poll() is None:
            os.killpg(self.pid, signal.SIGKILL)
        super().__exit__(*raised)


def start(*argv: str, failpoint: str = "") -> Started:
    """`python -m eval` as a process group of its own."""
    env = {**os.environ, "REASONINGBANK_FAILPOINT": failpoint}
    return Started(
        command(*argv),
        cwd=ROOT,
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
        # a shell's background jobs ignore Ctrl-C, and their children inherit that
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )


def children_of(pid: int) -> list[int]:
    return [int(each) for each in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def working(process: subprocess.Popen[str]) -> int:
    """The process that does the work: the one that was started only watches it."""
    [child] = children_of(process.pid)
    return child


def cpu_seconds(pid: int) -> float:
    """What a running process has used so far: on a busy machine the clock tells nothing."""
    after_name = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(after_name[11]) + int(after_name[12])) / os.sysconf("SC_CLK_TCK")


def reach(process: subprocess.Popen[str], mark: Path) -> None:
    """Wait until the process stands at its failpoint."""
    until = time.monotonic() + HANG
    while not mark.exists():
        if process.poll() is not None or time.monotonic() > until:
            raise AssertionError(f"never came to {mark.name}: {process.communicate()[0]}")
        time.sleep(0.01)
    mark.unlink()


def kill_at(place: str, passage: int, mark: Path, *argv: str) -> None:
    """Run until the n-th passage of a failpoint, and kill the whole process group there."""
    process = start(*argv, failpoint=f"{place}@{passage}:{mark}")
    with process:
        reach(process, mark)
        os.killpg(process.pid, signal.SIGKILL)


def results(folder: Path) -> dict[str, list[str]]:
    """The canonical `result` of every journal line, by stream."""
    return {
        path.parent.name: [
            canonical_json(JournalLine.model_validate_json(line).result.model_dump(mode="json"))
            for line in path.read_bytes().splitlines()
        ]
        for path in sorted(folder.glob("streams/*/journal.jsonl"))
    }


def bank_ids(folder: Path) -> dict[str, list[tuple[int, str]]]:
    """What every stream's bank holds, in order."""
    from reasoningbank.bank.bank import Bank
    from reasoningbank.embed.hashing import HashingEmbedder

    held = {}
    for path in sorted(folder.glob("streams/*/bank.sqlite")):
        with Bank.open(path, HashingEmbedder(), create=False) as bank:
            held[path.parent.name] = bank.ids()
    return held
