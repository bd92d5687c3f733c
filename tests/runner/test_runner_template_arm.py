"""`retrieval.exclude_template=true` as an arm: nothing that another task of the template taught is recalled."""

from __future__ import annotations

import json
from pathlib import Path

from runner_helpers import TINY

from eval.__main__ import main
from eval.analysis.records import load_run


def test_one_command_runs_both_arms_and_compares_them(tmp_path: Path) -> None:
    line = ["run", "-m", *TINY, f"results_dir={tmp_path}", "run_name=arms", "memory=reasoningbank", "judge=oracle"]
    line += ["concurrency.workers=1"]
    assert main([*line, "suite.count=12", "retrieval.k=2", "retrieval.exclude_template=false,true"]) == 0
    shared = {}
    for value in ("false", "true"):
        run = load_run(tmp_path / "arms" / f"retrieval.exclude_template={value}")
        episodes = [line.result for stream in run.streams for line in stream.lines]
        template = {episode.task_id: episode.template_id for episode in episodes}
        recalled = [(episode.template_id, template[each.task_id]) for episode in episodes for each in episode.recalled]
        assert len(recalled) > 5
        shared[value] = sum(one == other for one, other in recalled)
    assert shared["true"] == 0 < shared["false"]
    settings = json.loads((tmp_path / "arms" / "summary.json").read_text())["settings"]
    assert list(settings) == ["retrieval.exclude_template=false", "retrieval.exclude_template=true"]
    assert settings["retrieval.exclude_template=true"]["difference"]["n"] == 12
