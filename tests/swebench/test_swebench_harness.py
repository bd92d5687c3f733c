"""Who evaluates predictions: what they are told, what comes back, and the line for what is missing."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from evaluators import program, put_docker_first, python_with_swebench
from swebench_rows import PATCH

from eval.commands.score import check_by
from eval.suites.swebench.harness import Job, check_swebench, run_id_of, run_sb_cli, run_swebench, sb_cli_command
from eval.suites.swebench.predictions import Prediction, write_predictions
from eval.suites.swebench.reports import read_report
from reasoningbank.errors import InfraError, SetupError


def job(tmp_path: Path, subset: str = "verified") -> Job:
    path = tmp_path / "preds.json"
    patches = {"a__a-1": PATCH, "a__a-2": PATCH.replace("+    return", "+3  return"), "a__a-3": ""}
    write_predictions(
        path,
        [
            Prediction(instance_id=name, model_name_or_path="maker/model", model_patch=patch)
            for name, patch in patches.items()
        ],
    )
    return Job(path, "maker/model", subset, "test", "run-1234", tmp_path / "work")


def test_swebench_is_told_all_and_its_report_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "none of its business")
    python = str(python_with_swebench(tmp_path))
    given = job(tmp_path)
    report = read_report(run_swebench(given, python=python, workers=3, seconds=99))
    assert {name: report.ending(name) for name in report.outcomes} == {
        **{"a__a-1": "unresolved", "a__a-2": "resolved", "a__a-3": "empty_patch"},
    }
    told: dict[str, Any] = json.loads((tmp_path / "work" / "told.json").read_text())
    assert told["argv"] == [
        *("--dataset_name", "SWE-bench/SWE-bench_Verified", "--split", "test"),
        *("--predictions_path", str(given.predictions), "--run_id", "run-1234"),
        *("--max_workers", "3", "--timeout", "99", "--report_dir", "."),
    ]
    assert not [name for name in told["environment"] if name.endswith("_API_KEY")]


def test_an_evaluation_that_breaks_off_is_no_report(tmp_path: Path) -> None:
    python = str(python_with_swebench(tmp_path))
    given = job(tmp_path, "broken.jsonl")
    stale = given.folder / "maker__model.run-1234.json"
    given.folder.mkdir()
    stale.write_text("{}")
    with pytest.raises(InfraError, match="ended with 1 and wrote no report"):
        run_swebench(given, python=python, workers=1, seconds=9)
    assert not stale.exists()


@pytest.mark.parametrize(
    ("docker", "told"),
    [
        (None, ["the program docker is missing"]),
        ("echo 'Cannot connect' >&2; exit 1", [r"docker's daemon cannot be reached \(Cannot connect\); start it"]),
    ],
    ids=["no program", "no daemon"],
)
def test_without_docker_the_line_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, docker: str | None, told: list[str]
) -> None:
    python = str(python_with_swebench(tmp_path))
    if docker is None:
        monkeypatch.setenv("PATH", str(tmp_path))
    else:
        put_docker_first(tmp_path, monkeypatch, docker)
    with pytest.raises(SetupError, match=told[0]) as line:
        check_by("swebench", python, {"": job(tmp_path)})
    assert "The predictions are written" in str(line.value)
    assert "\n" not in str(line.value)


def test_with_both_nothing_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put_docker_first(tmp_path, monkeypatch)
    check_swebench(str(python_with_swebench(tmp_path)))
    bare = program(tmp_path, "bare", f'exec {sys.executable} -I "$@"')
    with pytest.raises(SetupError, match=r"the package swebench of .*bare is missing \(pip install swebench\)$"):
        check_swebench(str(bare))
    with pytest.raises(SetupError, match="cannot be run"):
        check_swebench(str(tmp_path / "absent"))


def test_sb_cli_sends_what_it_knows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given = job(tmp_path, "lite")
    monkeypatch.delenv("SWEBENCH_API_KEY", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SetupError, match="the program sb-cli is missing"):
        check_by("sb-cli", "", {"": given})
    written = "swe-bench_lite__test__run-1234.json"
    program(tmp_path, "sb-cli", f"""[ -n "$SWEBENCH_API_KEY" ] && echo '{{"resolved_ids": ["a__a-1"]}}' > {written}""")
    with pytest.raises(SetupError, match="SWEBENCH_API_KEY is not set"):
        check_by("sb-cli", "", {"": given})
    with pytest.raises(SetupError, match=r"alone, not suite\.subset=full"):
        check_by("sb-cli", "", {"": job(tmp_path, "full")})
    monkeypatch.setenv("SWEBENCH_API_KEY", "a key")
    check_by("sb-cli", "", {"": given})
    assert sb_cli_command(given)[:4] == ["sb-cli", "submit", "swe-bench_lite", "test"]
    assert list(read_report(run_sb_cli(given)).outcomes) == ["a__a-1"]


def test_names_of_evaluations() -> None:
    assert run_id_of("exp=a,seed=0/b c", "t1.a0", "0123456789") == "exp_a_seed_0_b_c-t1.a0-01234567"
    assert run_id_of("run", "", "0123456789") == "run-01234567"
