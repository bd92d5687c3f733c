"""What the runner's tests share: the command line of the tiny suite, and a run's results to compare."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

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
]


def command(*argv: str) -> list[str]:
    return [sys.executable, "-m", "eval", *argv]


def run(*argv: str, timeout: float = 60) -> subprocess.CompletedProcess[str]:
    """`python -m eval` with these arguments, to its end."""
    return subprocess.run(command(*argv), cwd=ROOT, capture_output=True, text=True, timeout=timeout, check=False)


def start(*argv: str, failpoint: str = "") -> subprocess.Popen[str]:
    """`python -m eval` as a process group of its own."""
    env = {**os.environ, "REASONINGBANK_FAILPOINT": failpoint}
    return subprocess.Popen(
        command(*argv),
        cwd=ROOT,
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )


def reach(process: subprocess.Popen[str], mark: Path) -> None:
    """Wait until the process stands at its failpoint."""
    until = time.monotonic() + 60
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
