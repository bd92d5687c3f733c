"""The benchmark of steps and replies runs, small; what it measures is not a test's business."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).parents[2] / "scripts" / "bench_env.py"


def bench(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(SCRIPT), *arguments], capture_output=True, text=True, check=False, cwd=SCRIPT.parents[1]
    )


def test_it_prints_a_row_for_each_thing_measured() -> None:
    done = bench("--walks", "1", "--steps", "3", "--attempts", "1")
    assert done.returncode == 0, done.stderr
    rows = [line.split("  ")[0] for line in done.stdout.splitlines()]
    assert rows[1:] == ["reset, start page included", "step, observation included", "", "reply of the offline model"]


def test_nothing_to_measure_is_refused() -> None:
    done = bench("--walks", "0")
    assert done.returncode == 2
    assert "a whole number from 1 is needed" in done.stderr
