"""The suite of real instances, up to the container: docker's program and the package swebench stand in."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from evaluators import program, python_with_swebench
from patch_runs import RUNNER
from swebench_rows import PATCH, line, write_lines
from waiting import HANG

from eval.__main__ import main
from eval.grading.normalised import normalised_grader
from eval.suites.base import NotEvaluated
from eval.suites.code.backend import CodeBackend
from eval.suites.code.docker import Docker
from eval.suites.code.evidence import CodeEvidence
from eval.suites.code.sandbox import Limits, Ran
from eval.suites.swebench.container import CONDA, Tree, container_of, prepare
from eval.suites.swebench.images import image_name
from eval.suites.swebench.suite import SweBench
from reasoningbank.errors import InfraError, SetupError

WRONG = "diff --git a/basket.txt b/basket.txt\n--- a/basket.txt\n+++ b/basket.txt\n@@ -1 +1 @@\n-6\n+4\n"


def git(folder: Path, *words: str) -> str:
    who = ["-c", "user.name=a", "-c", "user.email=a@a"]
    return subprocess.run(["git", *who, *words], cwd=folder, check=True, capture_output=True, text=True).stdout.strip()


def make_testbed(folder: Path) -> str:
    """A repository as an image has it: the base commit, the makers' own on top, and a fix that nothing may show."""
    folder.mkdir(parents=True)
    git(folder, "init", "-q", "-b", "main")
    (folder / "basket.txt").write_text("6\n")
    (folder / ".gitignore").write_text("*.so\nkept.log\n")
    (folder / "kept.log").write_text("tracked though ignored\n")
    git(folder, "add", "-A", "-f")
    git(folder, "commit", "-qm", "before")
    base = git(folder, "rev-parse", "HEAD")
    (folder / "basket.txt").write_text("3\n")
    git(folder, "commit", "-qam", "the fix")
    git(folder, "tag", "fixed")
    git(folder, "reset", "-q", "--hard", base)
    git(folder, "commit", "-q", "--allow-empty", "-m", "SWE-bench")
    (folder / "built.so").write_text("machine code")
    (folder / "notes.txt").write_text("an untracked file")
    return base


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine with docker and one image; the file of its instance is `rows.jsonl`."""
    script = Path(__file__).with_name("docker_here.py")
    program(tmp_path, "docker", f'exec {shlex.quote(sys.executable)} {shlex.quote(str(script))} "$@"')
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setenv("HOME", str(tmp_path))
    image = image_name("acme__shelf-1").replace("/", "_").replace(":", "_")
    base = make_testbed(tmp_path / image)
    hidden = "the hidden hint"
    rows = [line(1, base_commit=base, hints_text=hidden), line(2, repo="acme/other"), line(3, created_at="2020-01-01")]
    write_lines(tmp_path / "rows.jsonl", rows)
    return tmp_path


def suite(here: Path, **keys: Any) -> SweBench:
    python = str(python_with_swebench(here))
    code = CodeBackend(sandbox="docker")
    return SweBench(**{"subset": str(here / "rows.jsonl"), "python": python, "code": code, **keys})


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("", ""),
        ("Error response from daemon: No such container: reasoningbank-0", ""),
        ("Error response from daemon: removal of container 0 is already in progress", ""),
        ("Cannot connect to the Docker daemon at unix:///var/run/docker.sock.", "Cannot connect to the Docker daemon"),
        ("Error response from daemon: cannot remove container: could not kill: tried 10 times", "could not kill"),
        ("permission denied", "permission denied"),
    ],
)
def test_a_container_that_does_not_end_is_told(said: str, told: str, here: Path) -> None:
    """Its command has printed more than it may."""
    if said:
        (here / "rm.txt").write_text(said)
    image = image_name("acme__shelf-1")
    container = container_of("docker", image, Limits(output_mb=1))

    def run() -> Ran:
        return container.run("head --bytes=3000000 /dev/zero", here / "work", seconds=HANG)

    (here / "work").mkdir()
    if told:
        with pytest.raises(InfraError, match=f"docker does not end the container .*{told}"):
            run()
    else:
        assert "printed" in run().stopped


def test_tasks_are_without_gold_and_in_the_order_that_was_asked_for(here: Path) -> None:
    tasks = suite(here).tasks()
    assert [(task.id, task.group) for task in tasks] == [
        ("acme__shelf-1", "acme__shelf"),
        ("acme__shelf-2", "acme__other"),
        ("acme__shelf-3", "acme__shelf"),
    ]
    said = "".join(task.model_dump_json() for task in tasks)
    for gold in (PATCH.splitlines()[-1], "test_count", "hidden hint"):
        assert gold not in said
    turned = suite(here, order="chronological", repos=["acme/shelf"]).tasks()
    assert [task.id for task in turned] == ["acme__shelf-3", "acme__shelf-1"]


@pytest.mark.parametrize(
    ("keys", "told"),
    [
        ({"task_ids": ["acme__shelf-9"]}, "suite.task_ids: no instance acme__shelf-9"),
        ({"repos": ["acme/shelves"]}, "suite.repos: no repository acme/shelves.*did you mean acme/shelf"),
        ({"exclude": "absent.txt"}, "suite.exclude=absent.txt cannot be read"),
        ({"repos": ["acme/other"], "task_ids": ["acme__shelf-1"]}, "no instance is left"),
    ],
)
def test_what_cannot_be_chosen_is_told(here: Path, keys: dict[str, Any], told: str) -> None:
    with pytest.raises(SetupError, match=told):
        suite(here, **keys).tasks()


def test_instances_that_fail_here_are_left_out_by_a_file(here: Path) -> None:
    file = here / "exclude.txt"
    file.write_text("# they fail on this machine\nacme__shelf-2  # flaky\n\n")
    chosen = suite(here, exclude=str(file))
    assert [task.id for task in chosen.tasks()] == ["acme__shelf-1", "acme__shelf-3"]
    assert chosen.digests() != suite(here).digests()
    file.write_text("acme__shelf-22\n")
    with pytest.raises(SetupError, match=r"no instance acme__shelf-22; did you mean acme__shelf-2"):
        suite(here, exclude=str(file)).tasks()


def test_images(here: Path) -> None:
    write_lines(here / "rows.jsonl", [line(1), line(2, image="theirs/image:v1")])
    found = {each: suite(here, namespace=each) for each in ("swebench", "mine", None)}
    names = {each: [made.image(row) for row in made.chosen.values()] for each, made in found.items()}
    assert names["swebench"] == ["swebench/sweb.eval.x86_64.acme_1776_shelf-1:latest", "theirs/image:v1"]
    assert names["mine"][1] == "mine/sweb.eval.x86_64.acme_1776_shelf-2:latest"
    assert names[None][1] == "sweb.eval.x86_64.acme__shelf-2:latest"


def test_what_is_newer_than_the_commit_is_taken_out_of_an_image(here: Path) -> None:
    image = image_name("acme__shelf-1")
    (row, *_) = suite(here).chosen.values()
    tree = Tree(container_of("docker", image, Limits()), row.instance.base_commit)
    for name in ("one", "two"):
        (here / name).mkdir()
        tree(here / name)
    tree.forget()
    folder = here / "two"
    assert git(folder, "log", "--all", "--format=%s").split() == ["SWE-bench", "before"]
    stored = git(folder, "cat-file", "--batch-all-objects", "--batch-check=%(objecttype)").split()
    assert stored.count("commit") == 2
    assert git(folder, "tag") == ""
    assert (folder / "built.so").exists()
    assert (folder / "notes.txt").exists()
    asked = [json.loads(each)[0] for each in (here / "docker.jsonl").read_text().splitlines()]
    assert asked == ["create", "cp", "rm"], "it is taken out once"


def test_the_image_of_another_instance_is_refused(tmp_path: Path) -> None:
    base = make_testbed(tmp_path / "one")
    git(tmp_path / "one", "checkout", "-q", "fixed", "-f")
    git(tmp_path / "one", "commit", "-q", "--allow-empty", "-m", "more")
    with pytest.raises(SetupError, match="is 2 commits ahead"):
        prepare(tmp_path / "one", base, "an image")
    with pytest.raises(SetupError, match="git rev-list fails"):
        prepare(tmp_path / "one", "1" * 40, "an image")


def test_an_attempt_changes_its_own_copy_and_leaves_a_patch(here: Path) -> None:
    made = suite(here)
    task = made.tasks()[0]
    env = made.environment(task)
    env.reset(task, 0)
    seen = env.step(
        "sed -i s/6/3/ basket.txt; echo x > built.so; echo more >> kept.log; git log --oneline | wc -l; pwd"
    )
    assert (seen.returncode, seen.text.split()) == (0, ["2", "/testbed"])
    patch = env.finish("done").patch or ""
    env.close()
    made.end_stream()
    assert "-6\n+3\n" in patch
    assert "+more" in patch
    assert "built.so" not in patch
    assert "notes.txt" not in patch


def test_an_image_that_cannot_be_had_is_no_outcome(here: Path) -> None:
    made = suite(here)
    task = made.tasks()[2]
    with pytest.raises(InfraError, match="docker create failed: Error response from daemon: manifest"):
        made.environment(task).reset(task, 0)


def test_what_a_container_is_told(tmp_path: Path) -> None:
    docker = container_of("docker", "an/image:1", Limits())
    assert isinstance(docker, Docker)
    words = docker.arguments("name", "echo a", tmp_path, None, 60.0)
    assert words[-1] == "echo a"
    assert f"{CONDA}/bin/activate testbed" in words[-2]
    assert words[words.index("--workdir") + 1] == "/testbed"
    told = [words[place + 1].partition("=")[0] for place, word in enumerate(words) if word == "--env"]
    assert not {"PATH", "PYTHONPATH", "PYTEST_ADDOPTS", "PYTEST_DISABLE_PLUGIN_AUTOLOAD"} & set(told)
    assert "PYTHONHASHSEED" in told


@pytest.mark.parametrize(
    ("patch", "status", "checks"),
    [
        (WRONG.replace("+4", "+3"), "solved", {"resolved": 1.0}),
        (WRONG, "unsolved", {"unresolved": 0.0}),
        ("", "unsolved", {"empty_patch": 0.0}),
        (None, "unsolved", {"patch_not_applied": 0.0}),
        ("unappliable", "unsolved", {"patch_not_applied": 0.0}),
        ("slow", "unsolved", {"tests_timed_out": 0.0}),
    ],
)
def test_outcomes_are_those_of_the_package(
    here: Path, patch: str | None, status: str, checks: dict[str, float]
) -> None:
    made = suite(here)
    found = made.evaluate(made.tasks()[0], CodeEvidence(answer="", patch=patch), normalised_grader)
    assert (found.status, found.checks) == (status, checks)


def test_an_evaluation_that_breaks_off_around_the_patch_is_no_outcome(here: Path) -> None:
    made = suite(here)
    with pytest.raises(NotEvaluated, match="no result for acme__shelf-1: the container is gone"):
        made.evaluate(made.tasks()[0], CodeEvidence(answer="", patch="lost"), normalised_grader)


def job(here: Path) -> list[str]:
    return [
        *("run", f"--config-dir={RUNNER / 'configs'}", f"plugins=[{RUNNER / 'shell_tasks.py'}]", "llm=mender"),
        *("suite=swebench", f"suite.subset={here / 'rows.jsonl'}", "suite.task_ids=[acme__shelf-1]", "memory=none"),
        *("embedder=hashing", "progress=quiet", "figure=false", "concurrency.workers=1", "run_name=real"),
        *(f"results_dir={here / 'results'}", f"suite.python={python_with_swebench(here)}"),
    ]


def test_a_run_from_the_command_line_to_its_score(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(job(here)) == 0
    (journal,) = (here / "results" / "real").glob("streams/*/journal.jsonl")
    (attempt,) = json.loads(journal.read_text())["result"]["attempts"]
    assert attempt["outcome"] == {"status": "solved", "reward": 1.0, "checks": {"resolved": 1.0}}
    capsys.readouterr()
    score = ["score", str(here / "results" / "real"), f"--python={python_with_swebench(here)}"]
    assert main(score) == 0
    assert "0 attempts changed" in capsys.readouterr().out


def test_without_docker_a_run_ends_at_its_start_in_one_line(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program(here, "docker", "echo 'Cannot connect to the Docker daemon' >&2; exit 1")
    assert main(job(here)) == 2
    said = capsys.readouterr().err
    assert said.startswith(
        "error: suite=swebench: docker's daemon cannot be reached (Cannot connect to the Docker daemon)"
    )
    assert said.count("\n") == 1
