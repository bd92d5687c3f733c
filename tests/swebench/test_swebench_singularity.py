"""The suite of real instances where nobody may use docker: singularity's program stands in."""

from __future__ import annotations

import json
import os
import shlex
import sys
from pathlib import Path

import pytest
from evaluators import program, put_docker_first, python_with_swebench
from patch_runs import rescored
from swebench_rows import line, write_lines
from test_swebench_suite import job, make_testbed

from eval.__main__ import main
from eval.suites.code.backend import CodeBackend
from eval.suites.code.sandbox import Limits, open_sandbox
from eval.suites.code.singularity import COPIED, PROGRAMS, Singularity
from eval.suites.swebench.container import CONDA, container_of
from eval.suites.swebench.images import image_name
from eval.suites.swebench.suite import SweBench
from reasoningbank.errors import InfraError, SetupError

IMAGE = image_name("acme__shelf-1")
SCRIPT = Path(__file__).with_name("singularity_here.py")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine with singularity, which finds one image; the file of its instance is `rows.jsonl`."""
    program(tmp_path, "apptainer", f'exec {shlex.quote(sys.executable)} {shlex.quote(str(SCRIPT))} "$@"')
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    base = make_testbed(tmp_path / IMAGE.replace("/", "_").replace(":", "_"))
    write_lines(tmp_path / "rows.jsonl", [line(1, base_commit=base), line(2)])
    return tmp_path


def suite(here: Path) -> SweBench:
    return SweBench(subset=str(here / "rows.jsonl"), code=CodeBackend(sandbox="singularity"))


def told(here: Path) -> list[list[str]]:
    return [json.loads(each) for each in (here / "singularity.jsonl").read_text().splitlines()]


def test_what_it_is_told(tmp_path: Path) -> None:
    folder, scratch = tmp_path / "folder", tmp_path / "scratch"
    for each in (folder, scratch):
        each.mkdir()
    made = container_of("singularity", IMAGE, Limits())
    assert isinstance(made, Singularity)
    words = made.arguments(Path("/images/one.sif"), "echo a, b", folder, scratch, 60.0)
    file = words.index("/images/one.sif")
    options, inside = words[:file], words[file + 1 :]
    for wanted in (["--containall"], ["--no-home"], ["--net", "--network", "none"], ["--bind", f"{folder}:/testbed"]):
        at = options.index(wanted[-1])
        assert options[at + 1 - len(wanted) : at + 1] == wanted
    assert f"{scratch}:/tmp" in options
    assert not any(option.startswith(("--writable", "--env", "--fakeroot")) for option in options)
    assert inside[-1] == "echo a, b"
    assert f"{CONDA}/bin/activate testbed" in inside[-2]
    variables = dict(word.split("=", 1) for word in inside[1 : inside.index("bash")])
    assert variables["PYTHONHASHSEED"] == "0"
    assert variables["HOME"] == "/tmp"
    assert not {"PATH", "PYTHONPATH", "PYTEST_ADDOPTS"} & set(variables)
    assert inside[inside.index("timeout") + 1 :][:2] == ["--signal=KILL", "60"]


def test_an_attempt_changes_its_own_copy_and_leaves_a_patch(here: Path) -> None:
    made = suite(here)
    assert "apptainer version 1.3.4" in made.check()
    task = made.tasks()[0]
    for _ in range(2):
        env = made.environment(task)
        env.reset(task, 0)
        seen = env.step("sed -i s/6/3/ basket.txt; git log --all --oneline | wc -l; echo $PYTHONHASHSEED; exit 7")
        assert (seen.returncode, seen.text.split()) == (7, ["2", "0"])
        patch = env.finish("done").patch or ""
        env.close()
        assert "-6\n+3\n" in patch
        assert "built.so" not in patch
    made.end_stream()
    asked = [words[1] for words in told(here) if "pull" in words or words[-1] == COPIED]
    assert asked == ["pull", "exec"], "it is fetched and taken out once"
    (kept,) = (here / ".cache" / "reasoningbank" / "images").iterdir()
    assert kept.suffix == ".sif"


def test_a_command_has_its_time(here: Path, tmp_path: Path) -> None:
    made = container_of("singularity", IMAGE, Limits())
    (tmp_path / "folder").mkdir()
    ran = made.run("echo begun; sleep 60", tmp_path / "folder", seconds=0.5)
    assert (ran.returncode, ran.timed_out) == (124, True)
    assert "stopped after 0.5 s" in ran.stopped


def test_an_image_that_cannot_be_had_is_no_outcome(here: Path) -> None:
    made = suite(here)
    task = made.tasks()[1]
    with pytest.raises(InfraError, match="manifest unknown"):
        made.environment(task).reset(task, 0)
    assert not list((here / ".cache" / "reasoningbank" / "images").iterdir())


def test_a_container_that_does_not_start_is_no_result_of_a_command(here: Path, tmp_path: Path) -> None:
    made = container_of("singularity", IMAGE, Limits())
    assert isinstance(made, Singularity)
    made.file()
    program(here, "apptainer", "echo 'FATAL:   container creation failed: no loop device' >&2; exit 255")
    (tmp_path / "folder").mkdir()
    with pytest.raises(InfraError, match=r"did not run the command.*no loop device"):
        made.run("true", tmp_path / "folder", seconds=5.0)


def test_where_the_program_is_missing_one_line_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SetupError, match=f"neither of the programs {PROGRAMS[0]} and {PROGRAMS[1]} is here"):
        open_sandbox(CodeBackend(sandbox="singularity"))


def test_a_sandbox_without_images_is_refused(here: Path) -> None:
    with pytest.raises(SetupError, match=r"code.sandbox=local: the tasks .* are in images; choose docker or singul"):
        SweBench(subset=str(here / "rows.jsonl"), code=CodeBackend(sandbox="local"))


def test_a_run_has_no_outcomes_until_it_is_scored_elsewhere(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [*(word for word in job(here) if word != "progress=quiet"), "code.sandbox=singularity"]
    assert main(words) == 0
    assert "note: SWE-bench's own evaluation needs docker" in capsys.readouterr().out
    run = here / "results" / "real"
    (journal,) = run.glob("streams/*/journal.jsonl")
    (attempt,) = json.loads(journal.read_text())["result"]["attempts"]
    assert (attempt["exit"], attempt["outcome"]) == ("answered", None)
    assert "-6\n+3\n" in json.loads((run / "preds.json").read_text())["acme__shelf-1"]["model_patch"]
    overall = json.loads((run / "summary.json").read_text())["overall"]
    assert (overall["n"], overall["open"], overall["success_rate"]) == (0, 1, None)
    assert overall["infra_errors"]["episodes"] == 0
    assert "not evaluated yet" in (run / "table.txt").read_text()
    assert main(words) == 0
    assert journal.read_text().count("\n") == 1, "it is done, and not tried again"
    put_docker_first(here, monkeypatch)
    assert main(["score", str(run), f"--python={python_with_swebench(here)}"]) == 0
    found = rescored(run)
    assert (found.overall.old.n, found.overall.new.n, found.overall.new.success_rate) == (0, 1, 1.0)


def test_known_patches_are_not_evaluated_here(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["suite=swebench", f"suite.subset={here / 'rows.jsonl'}", "code.sandbox=singularity"]
    assert main(["validate", *words]) == 2
    assert "nothing is evaluated here: SWE-bench's own evaluation needs docker" in capsys.readouterr().err


def test_what_is_learnt_by_outcomes_needs_them(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    more = ["code.sandbox=singularity", "judge=oracle", "memory=reasoningbank"]
    assert main([*(word for word in job(here) if word != "memory=none"), *more]) == 2
    assert "judge=oracle needs outcomes as attempts end" in capsys.readouterr().err
