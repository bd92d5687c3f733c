"""The benchmark of embedders runs, small; what it measures is not a test's business."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "scripts" / "bench_embed.py"


@pytest.mark.long
def test_it_prints_a_row_for_each_embedder() -> None:
    done = subprocess.run(
        [sys.executable, str(SCRIPT), "--texts", "1", "--calls", "1", "--turns", "1"],
        capture_output=True,
        text=True,
        check=False,
        cwd=SCRIPT.parents[1],
    )
    assert done.returncode == 0, done.stderr
    rows = [line.split()[0] for line in done.stdout.splitlines() if line]
    assert rows == ["local", "wordllama", "hashing", "minilm", "fastembed", "remote", "openai", "gemini"]
