"""Runs at code through the whole harness: what is kept, judged, learnt, resumed, shown and exported."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from runner_helpers import HERE, results

from eval.__main__ import main
from eval.attempt import attempt_of
from reasoningbank.agents.mini_swe.load import load

CODE = [
    f"--config-dir={HERE / 'configs'}",
    f"plugins=[{HERE / 'shell_tasks.py'}]",
    *("suite=shell_tasks", "llm=mender", "embedder=hashing", "progress=quiet", "concurrency.workers=1"),
]


def run(tmp_path: Path, name: str, *argv: str) -> Path:
    assert main(["run", *CODE, f"results_dir={tmp_path / 'results'}", f"run_name={name}", *argv]) == 0
    return tmp_path / "results" / name


def attempts(folder: Path) -> list[Path]:
    return sorted(path for path in folder.glob("streams/*/*/*/*.json") if path.stem.isdigit())


def test_a_run_at_code_from_recall_to_export(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = run(tmp_path, "one", "memory=reasoningbank", "k=2", "scaling=parallel", "llm.record=true")
    ((first, second),) = results(folder).values()
    assert json.loads(first)["attempts"][0]["outcome"]["status"] == "solved"
    assert json.loads(second)["recalled"]
    record = attempt_of(attempts(folder)[-1])
    assert record is not None
    assert "# Memory" in record.trajectory.system_prompt
    assert record.trajectory.final_observation == "Changes made:\n-6\n+3\n\nOutput of the last command:\n3"
    again = run(tmp_path, "two", "memory=reasoningbank", "k=2", "scaling=parallel", f"llm.replay={folder}")
    assert results(again) == results(folder)
    capsys.readouterr()
    assert main(["show", str(folder), "pears__pears-1", "--full", "--no-pager"]) == 0
    shown = capsys.readouterr().out
    assert "# How to hand in" in shown
    assert "Exit code: 0\nOutput:\n3" in shown
    assert main(["export", str(folder)]) == 0
    files = sorted((folder / "mini-swe-agent").rglob("*.traj.json"))
    assert [path.name for path in files] == [
        f"pears__pears-{task}.{attempt}.traj.json" for task in (0, 1) for attempt in (0, 1)
    ]
    assert f"4 attempts written to {folder / 'mini-swe-agent'}" in capsys.readouterr().out
    told = [json.loads(path.read_text())["info"]["reasoningbank"] for path in files]
    kept = [attempt for line in (first, second) for attempt in json.loads(line)["attempts"]]
    assert [each["outcome"] for each in told] == [attempt["outcome"] for attempt in kept]
    assert [each["verdict"] for each in told] == [attempt["verdict"]["label"] for attempt in kept]
    assert [each["attempt_id"] for each in told if each["selected"]] == [
        f"{line['stream']}/{line['position']:04d}/{line['task_id']}/{line['selected']}"
        for line in map(json.loads, (first, second))
    ]


@pytest.mark.long
def test_their_inspector_shows_every_step(tmp_path: Path) -> None:
    """Their own program, with its screen."""
    folder = run(tmp_path, "one", "memory=none", "limit=1")
    assert main(["export", str(folder), "pears__pears-0", "--to", str(tmp_path / "there")]) == 0
    (path,) = (tmp_path / "there").rglob("*.traj.json")
    assert json.loads(path.read_text())["info"]["reasoningbank"], "more than their format has"
    load()  # quietly
    from minisweagent.run.utilities.inspector import TrajectoryInspector

    async def walk() -> list[str]:
        app = TrajectoryInspector([path])
        titles = []
        async with app.run_test() as pilot:
            for _ in range(app.n_steps):
                await pilot.pause()
                titles.append(str(app.title))
                await pilot.press("l")
        return titles

    titles = asyncio.run(walk())
    assert [title.rpartition(" - ")[2] for title in titles] == [f"Step {n}/4" for n in range(1, 5)]


def test_answers_are_checked_in_a_run_at_code(tmp_path: Path) -> None:
    folder = run(tmp_path, "checked", "memory=none", "scaling=sequential", "k=3", "limit=1")
    (path,) = attempts(folder)
    record = attempt_of(path)
    assert record is not None
    assert [bool(step.check) for step in record.trajectory.steps] == [False, False, True, True, False]
    assert record.trajectory.answer == "It says 3 now."
    assert set(record.usage) == {"agent", "refiner"}


def test_a_check_that_only_thinks_ends_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    argv = ["memory=none", "scaling=sequential", "scaling.env=reflect_only", "k=2", f"results_dir={tmp_path}"]
    assert main(["run", *CODE, *argv]) == 2
    assert "scaling.env=reflect_only" in capsys.readouterr().err
