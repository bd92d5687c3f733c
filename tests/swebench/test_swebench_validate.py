"""`eval validate`: real instances, where docker and the package swebench stand in; and what it has no patches of."""

from __future__ import annotations

import os
import re
import shlex
import sys
from pathlib import Path

import pytest
from evaluators import program, python_with_swebench
from swebench_rows import line, write_lines

from eval.__main__ import main
from eval.commands import validate
from eval.journal import Outcome
from eval.suites.base import Grader
from eval.suites.swebench.suite import SweBench
from reasoningbank.errors import SetupError
from reasoningbank.interfaces import Evidence
from reasoningbank.types import Task


@pytest.fixture
def words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Of the stand-in's patches one that says 3 resolves."""
    program(tmp_path, "docker", "echo 27.0")
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setenv("HOME", str(tmp_path))
    rows = [line(1, patch="+3\n"), line(2, patch="+4\n"), line(3, patch="lost")]
    write_lines(tmp_path / "rows.jsonl", rows)
    subset = f"suite.subset={tmp_path / 'rows.jsonl'}"
    return ["validate", "suite=swebench", subset, f"suite.python={python_with_swebench(tmp_path)}"]


def test_instances_that_fail_here_are_listed_as_a_run_leaves_them_out(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    failing = tmp_path / "failing.txt"
    assert main([*words, "--write", str(failing), "--workers", "3"]) == 1
    told = capsys.readouterr().out
    assert re.search(r"gold\s+1/3\s+3/3", told)
    assert re.search(r"empty\s+0/3\s+0/3", told)
    assert "the container is gone" in told
    lines = failing.read_text().splitlines()
    assert [each.partition("  # ")[0] for each in lines] == ["acme__shelf-2", "acme__shelf-3"]
    assert "gold: unresolved" in lines[0]
    assert "gold: not evaluated" in lines[1]
    assert main([*words, f"suite.exclude={failing}"]) == 0
    assert re.search(r"gold\s+1/1\s+1/1", capsys.readouterr().out)
    assert main([*words, "limit=1"]) == 0
    assert main([*words, "limit=1", "order=shuffled", "order_seed=1"]) == 1, "another one comes first"
    told = capsys.readouterr().out
    assert "1 instances" in told
    assert "acme__shelf-1" not in told


def test_what_was_found_is_shown_where_it_is_broken_off(
    words: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def evaluate(suite: SweBench, task: Task, evidence: Evidence, grader: Grader) -> Outcome:
        if task.id == "acme__shelf-2":
            raise SetupError("its test_patch does not apply")
        if task.id == "acme__shelf-3":
            raise KeyboardInterrupt
        solved = bool(suite.patch(evidence).startswith("+3"))
        return Outcome(status="solved" if solved else "unsolved", reward=float(solved))

    monkeypatch.setattr(SweBench, "evaluate", evaluate)
    with pytest.raises(KeyboardInterrupt):
        validate.main([*words[1:], "--workers", "1"])
    told = capsys.readouterr().out
    assert "2 of 3 instances" in told
    assert "gold: cannot be evaluated (its test_patch does not apply)" in " ".join(told.split())


def test_what_is_missing_is_one_line(words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program(tmp_path, "docker", "exit 1")
    assert main([*words[:3], f"suite.python={sys.executable}"]) == 2
    said = capsys.readouterr().err
    assert len(said.splitlines()) == 1
    assert "daemon" in said


def test_docker_that_goes_down_is_no_fault_of_an_instance(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    # it answers once, when the suite is checked
    program(tmp_path, "docker", f"mkdir {shlex.quote(str(tmp_path / 'asked'))} 2>/dev/null && echo 27.0")
    assert main([*words, "suite.task_ids=[acme__shelf-3]", "--write", str(tmp_path / "failing.txt")]) == 3
    assert "stopped: " in capsys.readouterr().err
    assert not (tmp_path / "failing.txt").exists()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("suite=webarena_mini", "suite=webarena_mini has no patches to evaluate; its known solutions are run by"),
        *(
            (f"suite=swebench --workers {number}", f"--workers: {number}: a whole number from 1 on")
            for number in ("0", "-1", "nan", "1.5")
        ),
        ("suite=swebench_mini --exclude nowhere.txt", "suite.exclude=nowhere.txt cannot be read"),
        ("suite=swebench_folder", "suite.folder is not set"),
    ],
)
def test_what_cannot_be_validated_is_told(capsys: pytest.CaptureFixture[str], words: str, told: str) -> None:
    assert main(["validate", *shlex.split(words)]) == 2
    assert told in capsys.readouterr().err


def test_the_two_helps_name_each_other(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["validate", "--help"])
    assert "python -m eval validate-suite" in capsys.readouterr().out
    assert main(["validate-suite", "--help"]) == 0
    assert "python -m eval validate." in capsys.readouterr().out


def test_the_embedded_suite_leaves_out_what_a_file_names(tmp_path: Path) -> None:
    from eval.suites.swebench_mini.suite import SwebenchMini

    file = tmp_path / "failing.txt"
    file.write_text("mini__cachet-101  # it fails here\n")
    other = SwebenchMini(packages=["unitbox"], exclude=str(file))
    assert other.digests() == {"exclude": "mini__cachet-101"} != SwebenchMini().digests()
