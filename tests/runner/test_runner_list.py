"""`python -m eval list`: every run and sweep once, with what tells it apart; and reports that are not made twice."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from runner_helpers import TINY

from eval.__main__ import main
from eval.commands._reported import is_reported

LINE = ["run", *TINY, "limit=2", "progress=quiet"]


def listed(root: Path, capsys: pytest.CaptureFixture[str]) -> dict[str, dict[str, Any]]:
    capsys.readouterr()
    assert main(["list", str(root), "--json"]) == 0
    return {each["name"]: each for each in json.loads(capsys.readouterr().out)}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made")
    root = f"results_dir={folder}"
    assert main([*LINE, root, "run_name=by/hand", "memory=awm"]) == 0
    assert main([*LINE, root, "seed=1", "retrieval.k=2"]) == 0
    assert main([*LINE, root, "run_name=sweep", "-m", "memory=none,awm", "seed=0,1", "concurrency.workers=1"]) == 0
    return folder


@pytest.fixture
def three(made: Path, tmp_path: Path) -> Path:
    """A run in a folder of its own, another one, and a sweep of four."""
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    return tmp_path


def test_runs_and_sweeps_are_rows_told_apart_by_what_differs(three: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = listed(three, capsys)
    [other] = set(found) - {"by/hand", "sweep"}
    assert (found["sweep"]["sweep"], found["sweep"]["runs"], found["sweep"]["done"]) == (True, 4, 8)
    assert found["sweep"]["settings"]["memory"] == ["awm", "none"]
    assert sorted(found["sweep"]["settings"]["seed"]) == ["0", "1"]
    assert found["by/hand"]["settings"]["memory"] == ["awm"]
    assert found[other]["settings"] | {"seed": ["1"], "retrieval.k": ["2"]} == found[other]["settings"]
    for each in found.values():
        assert each["done"] == each["planned"]
        assert each["simulated"]
        assert each["k"] == [1]
        assert each["started"][:2] == "20"
        # what all of them share, and what only one method has, tells none apart
        assert not {"suite", "k", "suite.seed", "run_name", "memory.max_items"} & set(each["settings"])
    summary = json.loads((three / "by/hand/summary.json").read_text())["overall"]
    assert found["by/hand"]["success_rate"] == summary["success_rate"]
    assert found["by/hand"]["interval"] == summary["interval"]
    capsys.readouterr()
    assert main(["list", str(three)]) == 0
    head, *rows = (line.split("\t") for line in capsys.readouterr().out.splitlines())
    assert head == ["run", "tasks", "success", "k", "settings", "started"]
    assert rows[0][0] == "by/hand (simulated)"
    assert len(rows) == 3


def test_what_is_unfinished_or_broken_is_listed_too(three: Path, capsys: pytest.CaptureFixture[str]) -> None:
    whole = listed(three, capsys)["by/hand"]
    journal = next((three / "by/hand").glob("streams/*/journal.jsonl"))
    journal.write_bytes(journal.read_bytes().splitlines(keepends=True)[0])
    (three / "sweep/memory=awm,seed=0/meta.json").write_text("{")
    found = listed(three, capsys)
    assert (found["by/hand"]["done"], found["by/hand"]["planned"]) == (1, 2)
    assert found["by/hand"] | {"done": 2} | {key: whole[key] for key in ("success_rate", "interval")} == whole
    assert found["sweep"]["runs"] == 3
    assert "is not JSON" in found["sweep/memory=awm,seed=0"]["error"]
    assert main(["list", str(three)]) == 0
    assert "1 of 2" in capsys.readouterr().out


def test_no_folder_is_told_and_an_unknown_run_points_to_the_list(
    three: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["list", str(three / "nowhere")]) == 2
    assert "no folder" in capsys.readouterr().err
    for command in ("show", "report", "plot"):
        assert main([command, "by/hant", "--results", str(three)]) == 2
        said = capsys.readouterr().err
        assert "did you mean by/hand?" in said
        assert f"`python -m eval list {three}` shows all" in said


def test_figures_are_left_out_where_none_are_wanted_and_none_is_of_another_table(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    line = ["run", *TINY, "limit=1", f"results_dir={tmp_path}", "run_name=one", "concurrency.workers=1"]
    folder = tmp_path / "one"
    for wanted, stale, said, drawn in (
        ("true", False, "written to {}: summary.json, table.txt, cumulative.png\n", True),
        ("false", False, "up to date in {}: summary.json, table.txt\n", True),
        ("false", True, "written to {}: summary.json, table.txt\n", False),
        ("true", False, "written to {}: summary.json, table.txt, cumulative.png\n", True),
    ):
        if stale:
            (folder / "summary.json").write_text("edited\n")
        assert main([*line, f"figure={wanted}"]) == 0
        assert said.format(folder) in capsys.readouterr().out
        assert (folder / "cumulative.png").exists() == drawn
        assert is_reported(folder)


def times(root: Path) -> dict[Path, int]:
    names = ("summary.json", "table.txt", "cumulative.png", "comparison.png")
    return {path: path.stat().st_mtime_ns for path in root.rglob("*") if path.name in names}


def test_a_report_is_made_again_only_where_something_has_changed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    line = ["run", *TINY, "limit=2", f"results_dir={tmp_path}", "run_name=sweep"]
    line += ["-m", "memory=none,awm", "concurrency.workers=1", "figure=true"]
    assert main(line) == 0
    first, said = times(tmp_path), capsys.readouterr().out
    assert len(first) == 9
    assert main(line) == 0
    again = capsys.readouterr().out
    table = (tmp_path / "sweep/table.txt").read_text()
    assert table in said
    assert table in again
    assert times(tmp_path) == first

    changed = tmp_path / "sweep/memory=awm"
    (changed / "summary.json").write_text("edited\n")
    assert main(line) == 0
    moved = {path for path, when in times(tmp_path).items() if when != first[path]}
    assert moved == {changed / name for name in ("summary.json", "table.txt", "cumulative.png")}

    journal = next(changed.glob("streams/*/journal.jsonl"))
    journal.write_bytes(journal.read_bytes().splitlines(keepends=True)[0])
    (changed / "streams" / journal.parent.name / "bank.sqlite").unlink()
    second = times(tmp_path)
    assert main(line) == 0
    moved = {path for path, when in times(tmp_path).items() if when != second[path]}
    assert changed / "summary.json" in moved
    assert not [path for path in moved if path.parent.name == "memory=none"]


def test_changed_code_of_reports_makes_them_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from eval.commands import _reported

    line = [*LINE, f"results_dir={tmp_path}", "run_name=one"]
    assert main(line) == 0
    first = times(tmp_path)
    assert main(line) == 0
    assert times(tmp_path) == first
    monkeypatch.setattr(_reported, "_code", lambda: "another")
    assert main(line) == 0
    assert all(when != first[path] for path, when in times(tmp_path).items())


@pytest.mark.parametrize(
    ("given", "noted"),
    [(["memory=awm"], True), (["memory=reasoningbank"], True), (["memory=none"], False), (["retrieval.k=1"], False)],
)
def test_paying_for_lessons_that_nobody_recalls_is_noted(
    given: list[str], noted: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    line = ["run", *TINY, "limit=1", "memory=awm", "retrieval.k=0", f"results_dir={tmp_path}"]
    keys = {text.partition("=")[0] for text in given}
    assert main([*(text for text in line if text.partition("=")[0] not in keys), *given]) == 0
    said = capsys.readouterr().out.splitlines()
    assert any(text.startswith("note: retrieval.k=0: nothing is recalled") for text in said) == noted
    assert main([*line, "progress=quiet", "seed=1"]) == 0
    assert capsys.readouterr().out == ""


def test_show_config_names_the_folder_that_the_run_goes_to(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line = [*LINE, f"results_dir={tmp_path}"]
    assert main([*line, "--show-config"]) == 0
    head, *rest = capsys.readouterr().out.splitlines()
    assert not [text for text in rest if text.startswith("sweep")]
    assert main(line) == 0
    assert [head] == [f"# {path}" for path in tmp_path.iterdir()]
    assert main([*line, "-m", "seed=0,1", "--show-config", "run_name=two"]) == 0
    heads = [text for text in capsys.readouterr().out.splitlines() if text.startswith("#")]
    assert heads == [f"# {tmp_path}/two/seed=0", f"# {tmp_path}/two/seed=1"]


def test_on_a_terminal_a_run_is_told_by_what_is_not_its_default(
    three: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "80")
    capsys.readouterr()
    assert main(["list", str(three)]) == 0
    head, rule, *lines, _ = capsys.readouterr().out.splitlines()
    assert head.split() == ["run", "tasks", "success", "k", "started"]
    assert max(map(len, [head, rule, *lines])) <= 80
    below = [text.strip() for text in lines if text.startswith("    ")]
    assert "memory=awm" in below
    assert "memory=awm,none; seed=0,1" in below
    assert "memory=reasoningbank; seed=1; retrieval.k=2" in below
    assert not [text for text in below if "null" in text or "limit" in text or "[]" in text]


@pytest.mark.parametrize("width", [20, 40, 80])
def test_settings_are_broken_between_two_of_them(width: int) -> None:
    from eval.commands.list import _broken

    parts = [f"key{number}={'v' * number}" for number in range(12)]
    lines = _broken("; ".join(parts), width)
    assert " ".join(lines) == "; ".join(parts)
    assert all(len(line) <= width + 1 for line in lines)
    assert all(line.endswith(";") for line in lines[:-1])
