"""The pocket experiment: 60 tasks, two methods, two worlds, and a table that says what so few tasks can show."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from eval.__main__ import main
from eval.build import build_suite
from eval.config.load import expand


def test_it_is_two_methods_in_two_worlds_on_sixty_tasks() -> None:
    jobs = expand(["+exp=pocket"], multirun=False)
    asked = [(job.settings.memory["type"], job.settings.suite["seed"], job.settings.k) for job in jobs]
    assert asked == [("none", 0, 1), ("none", 1, 1), ("reasoningbank", 0, 1), ("reasoningbank", 1, 1)]
    assert len(build_suite(jobs[0].settings).tasks()) == 60


def test_its_table_pools_the_worlds_and_says_what_is_detectable(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    line = ["run", "+exp=pocket", "limit=3", "suite.sites=[shopping_admin]", f"results_dir={tmp_path}"]
    assert main([*line, "run_name=pocket", "concurrency.workers=1", "embedder=hashing"]) == 0
    told = json.loads((tmp_path / "pocket/summary.json").read_text())
    first, second = told["settings"].values()
    assert (first["streams"], first["n"], first["difference"]) == (2, 6, None)
    difference = second["difference"]
    assert (difference["n"], difference["streams"]) == (6, 2)
    if difference["interval"] is not None:
        half = (difference["interval"]["high"] - difference["interval"]["low"]) / 2
        assert difference["detectable"] is None or difference["detectable"] > half
    heads = [" ".join(row.split()) for row in capsys.readouterr().out.splitlines()]
    assert any(head.startswith("memory pairs diff. 95 % detectable") for head in heads)
    assert any("both solved steps steps of" in head for head in heads)
