"""`score`: predictions of a run, and a report of them beside it."""

from __future__ import annotations

import json
import os
import re
import shutil
import stat
from pathlib import Path
from typing import Any

import pytest
from evaluators import put_docker_first, python_with_swebench
from patch_runs import JOB, rescored

from eval.__main__ import main

NONE = ("0", "-1", "nan", "inf", "1.5", "", "many")
"""No numbers of workers, or of seconds."""
FIXED = ["pears__first", "pears__second"]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made")
    assert main(["run", *JOB, f"results_dir={folder}"]) in (0, 3)
    return folder / "one"


@pytest.fixture
def run(made: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    return Path(shutil.copytree(made, tmp_path / "one"))


def predictions(run: Path, name: str = "preds.json") -> dict[str, Any]:
    found: dict[str, Any] = json.loads((run / name).read_text())
    return found


def report(path: Path, **lists: list[str]) -> Path:
    """A run's report in the shape of swebench 5."""
    given = {"resolved_ids": [], "unresolved_ids": [], "empty_patch_ids": ["pears__already"], "error_ids": []}
    given |= {"incomplete_ids": ["pears__down"], "infra_failure_ids": [], **lists}
    counts = {f"{key.removesuffix('_ids')}_instances": len(names) for key, names in given.items()}
    path.write_text(json.dumps({"total_instances": 4, **counts, **given, "schema_version": 2}))
    return path


def test_predictions_of_every_attempt_but_those_that_something_around_failed(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["score", str(run), "--by", "nobody"]) == 0
    found = predictions(run)
    assert list(found) == ["pears__already", *FIXED]
    assert found["pears__already"] == {
        "instance_id": "pears__already",
        "model_name_or_path": "simulated/mender",
        "model_patch": "",
    }
    assert "-6\n+3\n" in found["pears__first"]["model_patch"]
    said = capsys.readouterr().out
    assert "3 predictions, 1 of them empty, written" in said
    assert "1 without a prediction: something around its attempt failed" in said
    before = (run / "preds.json").read_bytes()
    assert main(["score", str(run), "--by", "nobody"]) == 0
    assert (run / "preds.json").read_bytes() == before


def test_an_exported_attempt_has_its_outcome_and_its_patch(run: Path, tmp_path: Path) -> None:
    assert main(["score", str(run), "--by", "nobody"]) == 0
    assert main(["export", str(run), "--to", str(tmp_path / "there")]) == 0
    told = {
        path.parent.name: json.loads(path.read_text())["info"] for path in (tmp_path / "there").rglob("*.traj.json")
    }
    for name, prediction in predictions(run).items():
        found = told[name]["reasoningbank"]
        assert found["patch"] == prediction["model_patch"]
        assert found["outcome"]["status"] == ("solved" if name in FIXED else "unsolved")
        assert told[name]["submission"] != found["patch"], "what was handed in stays"
        assert (found["selected"], found["simulated"]) == (True, True)


def test_tasks_that_are_none_of_theirs_are_refused_before_anything_is_written(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (run / "preds.json").unlink()
    assert main(["score", str(run)]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert re.search(r"suite=patch_tasks, whose tasks .* --by nobody writes .* --report FILE takes", said.err)
    assert said.err.count("\n") == 1
    assert not (run / "preds.json").exists()


def test_a_report_is_put_beside_the_runs_own_outcomes(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    journal = next(run.glob("streams/*/journal.jsonl"))
    before = journal.read_bytes()
    file = report(tmp_path / "report.json", resolved_ids=FIXED[:1], unresolved_ids=FIXED[1:])
    assert main(["score", str(run), "--report", str(file)]) == 0
    assert journal.read_bytes() == before
    found = rescored(run)
    assert found.overall.old.success_rate == pytest.approx(2 / 3)
    assert found.overall.new.success_rate == pytest.approx(1 / 3)
    assert (found.overall.new.n, found.overall.left_out) == (3, 1)
    assert {
        change.task_id: change.new.status for change in found.changes if change.old.status != change.new.status
    } == {"pears__second": "unsolved"}
    assert found.simulated
    said = capsys.readouterr().out
    assert "evaluated by SWE-bench's own programs" in said
    assert "simulated" in said


def test_what_failed_in_an_evaluation_is_told(run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Of those that the report calls so around the tests there is no outcome; others count as they do in the report."""
    file = report(tmp_path / "report.json", error_ids=FIXED, infra_failure_ids=FIXED[:1])
    assert main(["score", str(run), "--report", str(file)]) == 0
    found = rescored(run)
    assert (found.overall.new.n, found.overall.left_out, found.overall.new.success_rate) == (2, 2, 0.0)
    assert found.not_rescored["in its evaluation something around the tests failed"] == 1
    assert "1 not resolved because their evaluation broke off" in capsys.readouterr().out


def test_reports_of_instances_in_a_folder(run: Path, tmp_path: Path) -> None:
    for name, resolved in zip(FIXED, (True, False), strict=True):
        status = {"success": ["a"], "failure": [] if resolved else ["b"]}
        data = {"patch_exists": True, "resolved": resolved, "tests_status": {"FAIL_TO_PASS": status}}
        (tmp_path / "logs" / name).mkdir(parents=True)
        (tmp_path / "logs" / name / "report.json").write_text(json.dumps({name: data}))
    assert main(["score", str(run), "--report", str(tmp_path / "logs")]) == 0
    found = rescored(run)
    assert found.overall.new.n == 2
    assert found.not_rescored["the report does not tell of it"] == 1
    assert {change.task_id: change.new.checks for change in found.changes}["pears__second"] == {
        "FAIL_TO_PASS": 0.5,
        "unresolved": 0.0,
    }


@pytest.mark.parametrize(
    ("lists", "told"),
    [
        ({"resolved_ids": ["other__task"]}, "tells of other__task, of which preds.json has no prediction"),
        ({"empty_patch_ids": FIXED}, "the patch of pears__first in preds.json is there, and the report says"),
        ({"resolved_ids": ["pears__already"], "empty_patch_ids": []}, "is empty, and the report evaluates one"),
        ({"resolved_ids": ["pears__down"]}, "tells of pears__down, of which preds.json has no prediction"),
    ],
)
def test_the_report_of_another_run_is_refused(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], lists: dict[str, list[str]], told: str
) -> None:
    assert main(["score", str(run), "--report", str(report(tmp_path / "report.json", **lists))]) == 2
    assert told in capsys.readouterr().err
    assert not (run / "rescored").exists()


@pytest.mark.long
def test_of_several_attempts_the_selected_one_counts_or_each(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    argv = [*JOB, "k=2", "scaling=parallel", f"results_dir={tmp_path}", "limit=3"]
    assert main(["run", *argv]) in (0, 3)
    run = tmp_path / "one"
    assert main(["score", str(run), "--by", "nobody"]) == 0
    assert list(predictions(run)) == ["pears__already", "pears__first"]
    assert main(["run", *argv, "scaling.select=false", "fresh=true"]) in (0, 3)
    resolved = report(tmp_path / "resolved.json", resolved_ids=FIXED[:1])
    unresolved = report(tmp_path / "unresolved.json", unresolved_ids=FIXED[:1])
    capsys.readouterr()
    assert main(["score", str(run), "--report", f"a0={resolved}", "--report", f"a1={unresolved}"]) == 0
    found = rescored(run)
    assert (found.success_metric, found.overall.new.n) == ("pass_at_1", 2)
    assert found.overall.new.success_rate == pytest.approx(1 / 4)


@pytest.mark.long
def test_each_of_several_trials_has_its_set(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", *JOB, "trials=2", f"results_dir={tmp_path}", "limit=3"]) in (0, 3)
    run = tmp_path / "one"
    file = report(tmp_path / "report.json", resolved_ids=FIXED[:1])
    assert main(["score", str(run), "--report", str(file)]) == 2
    assert "of which set? Write SET=FILE; there are: t0, t1" in capsys.readouterr().err
    assert main(["score", str(run), "--report", f"t1={file}"]) == 0
    found = rescored(run)
    assert found.not_rescored["no report of t0"] == 2
    assert found.streams["pears.t1"].new.n == 2
    assert sorted(path.name for path in run.glob("preds*")) == ["preds.json", "preds.t1.json"]


def test_tests_are_run_again_without_the_key_of_a_grader(
    run: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    assert main(["rescore", str(run), "--grader", "claude"]) == 0
    assert not rescored(run).spent
    monkeypatch.setattr("patch_tasks.PatchTasks.roles", ("grader",))
    assert main(["rescore", str(run), "--grader", "claude"]) == 2
    assert "set the environment variable ANTHROPIC_API_KEY" in capsys.readouterr().err


@pytest.mark.parametrize("option", ["--workers", "--timeout"])
def test_numbers_begin_at_one(option: str, run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for number in NONE:
        assert main(["score", str(run), f"{option}={number}"]) == 2
        said = capsys.readouterr().err
        assert f"{option}: {number}: a whole number from 1 on is needed" in said
        assert said.count("\n") == 1


@pytest.mark.long
def test_a_run_without_patches_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    argv = ["suite=shell_tasks", "run_name=shell", "suite.count=1", f"results_dir={tmp_path}"]
    assert main(["run", *(word for word in JOB if not word.startswith(("suite=", "run_name="))), *argv]) == 0
    assert main(["score", str(tmp_path / "shell"), "--by", "nobody"]) == 2
    assert "is no run at code: its attempts leave no patches" in capsys.readouterr().err


def test_a_changed_attempt_makes_no_prediction(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = next(path for path in run.glob("streams/*/attempts/*first/0.json"))
    path.chmod(stat.S_IRUSR | stat.S_IWUSR)
    path.write_text(path.read_text().replace("+3", "+4"))
    assert main(["score", str(run), "--by", "nobody"]) == 2
    assert "is missing or was changed" in capsys.readouterr().err
    assert not (run / "scored").exists()


def test_a_run_is_evaluated_and_the_outcome_is_beside_it(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """From the command line to the table, with the programs that stand in."""
    meta = json.loads((run / "meta.json").read_text())
    meta["settings"]["suite"] = {"type": "swebench", "subset": "rows.jsonl", "split": "test"}
    (run / "meta.json").write_text(json.dumps(meta))
    (tmp_path / "bin").mkdir()
    put_docker_first(tmp_path / "bin", monkeypatch, "exit 1")
    capsys.readouterr()
    python = ["--python", str(python_with_swebench(tmp_path / "bin"))]
    assert main(["score", str(run), *python]) == 2
    said = capsys.readouterr()
    assert said.err.count("\n") == 1
    assert (run / "preds.json").exists()
    put_docker_first(tmp_path / "bin", monkeypatch)
    assert main(["score", str(run), *python]) == 0
    found = rescored(run)
    assert found.overall.new.n == 3
    assert found.overall.new.success_rate == pytest.approx(2 / 3)
    told = json.loads((run / "scored" / "told.json").read_text())["argv"]
    assert told[1] == os.path.abspath("rows.jsonl")
