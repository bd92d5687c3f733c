"""`python -m eval validate-suite`: one sweep, a table, a verdict, and an exit code."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from runner_helpers import TINY

from eval.__main__ import command_names, main
from eval.analysis.validation import ARMS, judged
from reasoningbank.errors import SetupError


def setting(rate: float | None, difference: float | None = None) -> dict[str, Any]:
    against = None if difference is None else {"success_rate": difference, "n": 60, "interval": {"low": 0, "high": 1}}
    return {"n": 60, "success_rate": rate, "interval": {"low": 0.1, "high": 0.9}, "difference": against}


@pytest.mark.parametrize(
    ("none", "oracle", "adversarial", "failing"),
    [
        (0.30, 0.15, -0.05, []),
        (0.65, 0.30, -0.20, []),
        (0.29, 0.15, -0.05, ["none"]),
        (0.66, 0.15, -0.05, ["none"]),
        (0.50, 0.14, -0.05, ["true"]),
        (0.50, 0.20, -0.04, ["wrong"]),
        (0.10, -0.1, 0.1, ["none", "true", "wrong"]),
        (None, None, None, ["none", "true", "wrong"]),
    ],
)
def test_each_condition_is_judged_at_its_threshold(
    none: float | None, oracle: float | None, adversarial: float | None, failing: list[str]
) -> None:
    arms = {"none": setting(none), "oracle": setting(none, oracle), "adversarial": setting(none, adversarial)}
    found = judged({f"memory={name}": arm for name, arm in arms.items()}, simulated=True)
    assert [each.name.split()[0] for each in found.conditions if not each.holds] == failing
    assert all(bool(each.advice) != each.holds for each in found.conditions)
    assert found.can_measure_memory == (not failing)
    table = found.table()
    assert ("cannot measure memory here" in table) == bool(failing)
    assert "! simulated" in table
    assert table.count("FAILS: ") == len(failing)


def test_other_arms_are_refused() -> None:
    with pytest.raises(SetupError, match="only seed, trials and suite"):
        judged({"memory=none": setting(0.5), "memory=awm": setting(0.5)}, simulated=False)


@pytest.fixture
def lessons(tmp_path: Path) -> str:
    """Lessons for the tiny suite, whose model slips less often when it is told to check."""
    told = {"oracle": "Check the sum before you answer.", "adversarial": "Answer at once."}
    for name, content in told.items():
        (tmp_path / "told" / name).mkdir(parents=True)
        item = f"# Memory Item 1\n## Title\nSums\n## Description\nWhen numbers are added.\n## Content\n{content}\n"
        (tmp_path / "told" / name / "sums.md").write_text(item)
    return f"--lessons={tmp_path / 'told'}"


def test_one_command_runs_the_arms_says_the_verdict_and_is_continued(
    lessons: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    line = ["validate-suite", lessons, *TINY, f"results_dir={tmp_path / 'out'}", "suite.count=4", "progress=plain"]
    line += ["concurrency.workers=1"]
    code = main(line)
    [folder] = (tmp_path / "out").iterdir()
    assert folder.name.startswith("validate-arithmetic-")
    assert {each.name for each in folder.iterdir() if each.is_dir()} == {f"memory={name}" for name in ARMS}
    written = json.loads((folder / "validation.json").read_text())
    assert code == (0 if written["can_measure_memory"] else 1)
    assert written["simulated"]
    assert written["arms"]["oracle"]["pairs"] == written["arms"]["none"]["n"] == 4
    assert written["thresholds"]["oracle_gain"] == 0.15
    said = capsys.readouterr().out
    assert "measure memory here" in said
    assert said.count("written to") == 1
    assert said.count(" pairs") == 1, "one table: the comparison is in table.txt"
    assert " pairs" in (folder / "table.txt").read_text()
    journals = {path: path.read_bytes() for path in folder.glob("*/streams/*/journal.jsonl")}
    assert main(line) == code
    assert {path: path.read_bytes() for path in folder.glob("*/streams/*/journal.jsonl")} == journals
    assert list((tmp_path / "out").iterdir()) == [folder]
    # what was recalled is told, and another lesson is another run
    capsys.readouterr()
    assert main(["show", str(folder / "memory=oracle")]) == 0
    assert "oracle/sums (" in capsys.readouterr().out
    lesson = tmp_path / "told" / "oracle" / "sums.md"
    lesson.write_text(lesson.read_text().replace("Check", "Prove"))
    assert main(line) in (0, 1)
    assert len(list((tmp_path / "out").iterdir())) == 2


def test_a_group_without_lessons_stops_it_with_the_name_of_the_file(
    lessons: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    line = ["validate-suite", lessons, *TINY, f"results_dir={tmp_path / 'out'}", "suite.sites=[sums,more]"]
    assert main([*line, "limit=1", "progress=quiet"]) == 2
    assert "oracle/more.md" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["memory=awm"], "validate-suite chooses the memory itself"),
        (["memory.max_items=3"], "validate-suite chooses the memory itself"),
        (["--show-config"], "no option '--show-config'"),
        (["nothing"], "'nothing' is not a setting"),
    ],
)
def test_what_it_cannot_do_is_refused(more: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["validate-suite", *TINY, *more]) == 2
    assert said in capsys.readouterr().err


def test_it_is_found_by_its_name_and_says_what_it_does(capsys: pytest.CaptureFixture[str]) -> None:
    assert "validate-suite" in command_names()
    assert main(["validate-suite", "--help"]) == 0
    said = capsys.readouterr().out
    assert "exit codes: 0 memory can be measured here" in said
    assert said.count("  python -m eval validate-suite") >= 3
