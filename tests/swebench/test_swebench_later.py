"""What is recalled from tasks of a later date: counted in the report, and left out where that is asked for."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from patch_runs import JOB
from swebench_rows import line, write_lines

from eval.__main__ import main
from eval.analysis.records import load_run
from eval.suites.code.backend import CodeBackend
from eval.suites.swebench.suite import SweBench
from eval.suites.swebench_mini.suite import SwebenchMini

LEARNS = [*(word for word in JOB if word != "memory=none"), "memory=reasoningbank", "judge=oracle"]
SAME = "2021-03-05T08:00:00+00:00"


def carry_out(folder: Path, *more: str) -> Path:
    assert main(["run", *LEARNS, f"results_dir={folder}", *more]) in (0, 3)
    return folder / "one"


def recalls(run: Path) -> dict[str, list[tuple[str, bool]]]:
    return {
        line.result.task_id: [(each.task_id, each.later) for each in line.result.recalled]
        for stream in load_run(run).streams
        for line in stream.lines
    }


def test_recalls_of_later_tasks_are_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`already`, the first, is the latest; `first` and `second` are of one moment."""
    run = carry_out(tmp_path, "retrieval.k=2")
    assert recalls(run)["pears__second"] == [("pears__already", True), ("pears__first", False)]
    assert json.loads((run / "summary.json").read_text())["overall"]["told_by_later"] == 2
    table = (run / "table.txt").read_text()
    assert "told by later tasks (n)" in table
    assert "retrieval.exclude_later=true leaves it out" in table
    capsys.readouterr()
    assert main(["show", str(run), "pears__second", "--no-pager"]) == 0
    assert capsys.readouterr().out.count("(of a later date)") == 1


def test_they_are_left_out_before_the_ranking(tmp_path: Path) -> None:
    run = carry_out(tmp_path, "retrieval.exclude_later=true")
    assert recalls(run)["pears__first"] == []
    assert recalls(run)["pears__second"] == [("pears__first", False)]
    assert "later" not in (run / "table.txt").read_text()
    meta = json.loads((run / "meta.json").read_text())
    assert meta["identity"]["retrieval"]["exclude_later"] is True


@pytest.mark.long
def test_a_sweep_tells_them_too(tmp_path: Path) -> None:
    carry_out(tmp_path, "-m", "retrieval.exclude_later=false,true")
    table = (tmp_path / "one" / "table.txt").read_text()
    assert "later: tasks told by tasks of a later date" in table
    runs = json.loads((tmp_path / "one" / "summary.json").read_text())["runs"]
    assert [run["overall"]["told_by_later"] > 0 for run in runs.values()] == [True, False]


def test_tasks_without_a_date_end_the_command_at_its_start(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    more = ["suite=shell_tasks", "retrieval.exclude_later=true", f"results_dir={tmp_path}"]
    assert main(["run", *(word for word in LEARNS if not word.startswith("suite=")), *more]) == 2
    said = capsys.readouterr().err
    assert "retrieval.exclude_later=true" in said
    assert "tasks have no date" in said
    assert said.count("\n") == 1
    assert not (tmp_path / "one").exists()


@pytest.mark.parametrize(
    ("given", "date"),
    [
        ("2021-03-05T08:00:00Z", SAME),
        ("2021-03-05T10:00:00+02:00", SAME),
        ("2021-03-05 08:00:00", SAME),
        ("2021-03-05T08:00:00.250Z", SAME),
        ("", ""),
        (None, ""),
        ("last spring", ""),
    ],
)
def test_dates_of_instances_are_compared_as_moments(tmp_path: Path, given: Any, date: str) -> None:
    write_lines(tmp_path / "rows.jsonl", [line(created_at=given)])
    [task] = SweBench(subset=str(tmp_path / "rows.jsonl"), code=CodeBackend(sandbox="docker")).tasks()
    assert task.date == date


@pytest.mark.long
def test_tasks_of_the_embedded_suite_come_in_the_order_of_their_dates() -> None:
    tasks = SwebenchMini(seed=0, packages=["cachet"]).tasks()
    dates = [task.date for task in tasks]
    assert len(dates) > 2
    assert all(dates)
    assert dates == sorted(dates)
