"""The experiments at code: what they set, and that they run on the embedded suite."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from eval.__main__ import main
from eval.config.load import expand

needs_bwrap = pytest.mark.skipif(shutil.which("bwrap") is None, reason="the program bwrap is missing")


@pytest.mark.parametrize(
    ("more", "suite", "sandbox"), [([], "swebench_mini", "bubblewrap"), (["suite=swebench"], "swebench", "docker")]
)
def test_what_they_set(more: list[str], suite: str, sandbox: str) -> None:
    baselines = expand(["+exp=swe_baselines", *more], multirun=False)
    assert [job.settings.memory["type"] for job in baselines] == ["none", "synapse", "awm", "reasoningbank"]
    [matts] = expand(["+exp=swe_matts", *more], multirun=False)
    for job in (*baselines, matts):
        assert (job.settings.suite["type"], job.settings.code.sandbox) == (suite, sandbox)
        assert "hand_in" in job.settings.agent
    assert {job.settings.temperature["agent"] for job in baselines} == {0.0}
    assert (matts.settings.k, matts.settings.scaling["type"], matts.settings.temperature["agent"]) == (
        3,
        "parallel",
        0.7,
    )


@needs_bwrap
@pytest.mark.long
@pytest.mark.parametrize(("name", "runs"), [("swe_baselines", 4), ("swe_matts", 1)])
def test_they_run(name: str, runs: int, tmp_path: Path) -> None:
    assert main(["run", f"+exp={name}", "suite.packages=[cachet]", "limit=2", f"results_dir={tmp_path}"]) == 0
    found = sorted(path.parent for path in tmp_path.rglob("meta.json"))
    assert len(found) == runs
    for run in found:
        assert list(json.loads((run / "preds.json").read_text())) == ["mini__cachet-101", "mini__cachet-102"]
