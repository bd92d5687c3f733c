"""The benchmark of the runner runs the runner: every part is met, and what it says fits what it has run."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from waiting import HANG

SCRIPT = Path(__file__).parents[1] / "scripts/bench_runner.py"


def bench(*argv: str) -> subprocess.CompletedProcess[str]:
    line = [sys.executable, str(SCRIPT), *argv]
    return subprocess.run(line, capture_output=True, text=True, timeout=HANG, check=False)


def test_every_part_takes_time_and_nothing_is_left(tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    folder = tmp_path / "here"
    folder.mkdir()
    done = bench("--sizes", "4", "9", "--folder", str(folder), "--json", str(out))
    assert done.returncode == 0, done.stderr
    data = json.loads(out.read_text())
    assert data["sizes"] == [4, 9]
    assert all(len(values) == 2 and min(values) > 0 for values in data["ms"].values()), data["ms"]
    parts = [values[0] for part, values in data["ms"].items() if part != "total"]
    assert 0.5 < sum(parts) / data["ms"]["total"][0] < 2
    assert data["runs"][0]["journal_mb"] < data["runs"][1]["journal_mb"]
    for part in data["ms"]:
        assert part in done.stdout
    assert not list(folder.iterdir())


@pytest.mark.parametrize("sizes", [["1"], ["9", "4"], ["4", "4"]])
def test_sizes_that_cannot_be(sizes: list[str]) -> None:
    done = bench("--sizes", *sizes)
    assert done.returncode == 2
    assert "ascending numbers from 2" in done.stderr
