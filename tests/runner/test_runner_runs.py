"""Whole runs, most of them of the tiny suite: experiments, sweeps, determinism, infra errors, methods of one's own."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
from math import prod
from pathlib import Path
from typing import Any

import pytest
import yaml
from runner_helpers import (
    ROOT,
    TINY,
    bank_ids,
    command,
    complete,
    cpu_seconds,
    kill_at,
    reach,
    results,
    run,
    start,
    working,
)

from eval.__main__ import main
from eval.config.files import group_names
from eval.suites.webarena_mini.sites import MULTI, SITES

EXPERIMENTS = group_names("exp")


def meta(folder: Path) -> dict[str, Any]:
    read: dict[str, Any] = json.loads((folder / "meta.json").read_text())
    return read


def swept(name: str) -> int:
    """How many runs an experiment is, by the `sweep` of its file."""
    data = yaml.safe_load((ROOT / "configs" / "exp" / f"{name}.yaml").read_text())
    return prod(len(values) for values in data.get("sweep", {}).values())


ON_PAGES = [name for name in EXPERIMENTS if not name.startswith("swe_")]
"""Those at code have tests of their own."""
SITES_OF = {"tour": ["shopping", "shopping_admin"]}
"""Of the experiments that name them."""


def test_some_experiment_is_a_sweep_and_some_is_none() -> None:
    assert {swept(name) > 1 for name in EXPERIMENTS} == {True, False}


@pytest.mark.parametrize(
    "name",
    [pytest.param(each, marks=pytest.mark.long) if each in ("embedders", "pocket") else each for each in ON_PAGES],
)
def test_every_experiment_runs(name: str, tmp_path: Path) -> None:
    line = ["run", f"+exp={name}", "limit=2", "suite.sites=[shopping]", f"results_dir={tmp_path}"]
    line += ["concurrency.workers=1"]
    if swept(name) > 1:
        assert run(*line).returncode == 0
    else:
        assert main(line) == 0
    [folder] = [each for each in tmp_path.iterdir() if each.is_dir()]
    assert folder.name.startswith(f"{name}-")
    runs = sorted(path.parent for path in folder.rglob("meta.json"))
    assert len(runs) == swept(name)
    for each in runs:
        assert {stream: len(lines) for stream, lines in results(each).items()} == {"shopping.t0": 2}
        assert (each / "summary.json").exists()


@pytest.mark.long
@pytest.mark.parametrize("name", ON_PAGES)
def test_every_experiment_runs_on_the_sites_it_names(name: str, tmp_path: Path) -> None:
    assert run("run", f"+exp={name}", "limit=2", f"results_dir={tmp_path}").returncode == 0
    runs = sorted(path.parent for path in tmp_path.rglob("meta.json"))
    assert len(runs) == swept(name)
    for each in runs:
        assert {stream: len(lines) for stream, lines in results(each).items()} == {
            f"{site}.t0": 2 for site in SITES_OF.get(name, [*SITES, MULTI])
        }


def test_there_is_a_stream_for_each_site_by_default(tmp_path: Path) -> None:
    assert main(["run", "limit=1", f"results_dir={tmp_path}", "run_name=all", "concurrency.workers=1"]) == 0
    streams = {stream: len(lines) for stream, lines in results(tmp_path / "all").items()}
    assert streams == {f"{site}.t0": 1 for site in [*SITES, MULTI]}


def test_a_sweep_is_the_product_and_continues(tmp_path: Path) -> None:
    line = ["run", *TINY, "-m", "memory=none,awm", "seed=0,1", "limit=1", f"results_dir={tmp_path}", "run_name=grid"]
    complete(*line)
    runs = sorted(path.parent for path in (tmp_path / "grid").rglob("meta.json"))
    assert [each.name for each in runs] == [
        *("memory=awm,seed=0", "memory=awm,seed=1", "memory=none,seed=0", "memory=none,seed=1")
    ]
    before = {each: results(each) for each in runs}
    complete(*line)
    assert {each: results(each) for each in runs} == before


def test_a_swept_experiment_takes_further_axes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", *TINY, "--show-config", "-m", "+exp=baselines", "seed=0,1", f"results_dir={tmp_path}"]) == 0
    assert len(re.findall(r"^# .*/baselines-", capsys.readouterr().out, re.MULTILINE)) == 8
    assert main(["run", *TINY, "--show-config", "+exp=baselines", "memory=awm"]) == 0
    assert len(re.findall(r"^# .*/baselines-", capsys.readouterr().out, re.MULTILINE)) == 1


def test_equal_runs_are_equal_however_long_attempts_take(tmp_path: Path) -> None:
    line = ["run", *TINY, "+exp=matts_parallel", "k=4", "limit=4", f"results_dir={tmp_path}"]
    assert main([*line, "run_name=quick"]) == 0
    for name in ("slow", "slower"):
        assert main([*line, "llm.slow=0.03", f"run_name={name}"]) == 0
        assert results(tmp_path / name) == results(tmp_path / "quick")
        assert bank_ids(tmp_path / name) == bank_ids(tmp_path / "quick")


def test_equal_runs_of_the_web_suite_are_equal(tmp_path: Path) -> None:
    line = ["run", "+exp=matts_parallel", "k=2", "limit=2", "suite.sites=[shopping]", f"results_dir={tmp_path}"]
    line += ["figure=false"]
    assert main([*line, "run_name=one"]) == 0
    assert run(*line, "run_name=two").returncode == 0
    assert results(tmp_path / "one") == results(tmp_path / "two")


@pytest.mark.long
def test_processes_and_the_run_name_move_nothing(tmp_path: Path) -> None:
    line = ["run", *TINY, "suite.sites=[a,b,c]", "trials=2", "limit=3", f"results_dir={tmp_path}"]
    assert run(*line, "run_name=one", "concurrency.workers=1").returncode == 0
    assert run(*line, "run_name=two", "concurrency.workers=2").returncode == 0
    assert set(results(tmp_path / "one")) == {f"{site}.t{trial}" for site in "abc" for trial in (0, 1)}
    assert results(tmp_path / "one") == results(tmp_path / "two")


def test_arms_are_paired(tmp_path: Path) -> None:
    """Neither method nor k moves the seeds of an attempt: the first task, where nothing is recalled, is the same."""
    for name, more in {"none": ["memory=none"], "awm": ["memory=awm"], "k2": ["scaling=parallel", "k=2"]}.items():
        assert main(["run", *TINY, *more, "limit=1", f"results_dir={tmp_path}", f"run_name={name}"]) == 0
    firsts = []
    for name in ("none", "awm", "k2"):
        [[line]] = results(tmp_path / name).values()
        firsts.append(json.loads(line)["attempts"][0]["trajectory_hash"])
    assert len(set(firsts)) == 1


def test_shuffled_orders_are_others_and_limit_is_per_stream(tmp_path: Path) -> None:
    orders = {}
    for seed in (0, 1, 1):
        line = ["run", *TINY, "order=shuffled", f"order_seed={seed}", "limit=5", f"results_dir={tmp_path}"]
        assert main([*line, f"run_name=o{seed}"]) == 0
        [lines] = results(tmp_path / f"o{seed}").values()
        orders[seed] = [json.loads(line)["task_id"] for line in lines]
    assert orders[0] != orders[1]
    assert all(len(order) == 5 for order in orders.values())


def test_an_infra_error_stops_its_stream_alone_and_the_same_command_continues(tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    broken.touch()
    line = ["run", *TINY, "suite.sites=[a,b]", "suite.count=3", "suite.fail_on='1'", f"suite.fail_while={broken}"]
    line += ["retries=1", "retry_wait=0", f"results_dir={tmp_path}", "run_name=job"]
    stopped = run(*line)
    assert stopped.returncode == 3
    assert "a.t0/0001/1" in stopped.stderr
    assert "the blackboard fell down" in stopped.stderr
    assert "the same command continues" in stopped.stderr
    assert {name: len(lines) for name, lines in results(tmp_path / "job").items()} == {"a.t0": 1, "b.t0": 3}
    broken.unlink()
    complete(*line)
    assert {name: len(lines) for name, lines in results(tmp_path / "job").items()} == {"a.t0": 3, "b.t0": 3}


def test_an_infra_error_that_is_skipped_is_in_no_mean_and_teaches_nothing(tmp_path: Path) -> None:
    (tmp_path / "broken").touch()
    line = ["run", *TINY, "suite.count=3", "suite.fail_on='1'", f"suite.fail_while={tmp_path / 'broken'}"]
    line += ["retries=0", "on_infra_error=skip", f"results_dir={tmp_path}", "run_name=job"]
    assert main(line) == 0
    [lines] = results(tmp_path / "job").values()
    skipped = json.loads(lines[1])
    assert [attempt["exit"] for attempt in skipped["attempts"]] == ["infra_error"]
    assert skipped["attempts"][0]["outcome"] is None
    assert skipped["learnt"] == []
    assert json.loads((tmp_path / "job" / "summary.json").read_text())["overall"]["n"] == 2


def test_a_bank_to_start_from_is_copied_and_counts_in_the_identity(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    base = ["run", *TINY, f"results_dir={tmp_path}", "limit=3"]
    assert main([*base, "run_name=first"]) == 0
    bank = next(tmp_path.glob("first/streams/*/bank.sqlite"))
    line = [*base, "seed=1", "run_name=second", f"bank.init_from={bank}"]
    for _ in range(2):
        assert main(line) == 0
        [lines] = results(tmp_path / "second").values()
        [held] = bank_ids(tmp_path / "second").values()
        assert [name.startswith("init/") for _, name in held] == [True] * 3 + [False] * 3
        recalled = [each for text in lines for each in json.loads(text)["recalled"]]
        assert recalled[0]["experience_id"].startswith("init/")
    assert main([*base, "seed=1", "run_name=second"]) == 2
    assert "bank.init_from" in capsys.readouterr().err
    assert main([*base, f"bank.init_from={tmp_path / 'nowhere'}"]) == 2
    assert "nowhere" in capsys.readouterr().err


@pytest.mark.long
def test_outcome_judges_are_stamped_on_the_run(tmp_path: Path) -> None:
    for name, more in {"oracle": [], "noisy": ["judge.tpr=0.0", "judge.tnr=0.0"]}.items():
        line = ["run", *TINY, f"judge={name}", *more, "limit=4", f"results_dir={tmp_path}", f"run_name={name}"]
        assert main(line) == 0
        assert meta(tmp_path / name)["gold_doors"] == [f"judge={name}"]
        [lines] = results(tmp_path / name).values()
        for attempt in (json.loads(line)["attempts"][0] for line in lines):
            agrees = (attempt["verdict"]["label"] == "success") == (attempt["outcome"]["status"] == "solved")
            assert agrees == (name == "oracle")
    assert main(["run", *TINY, "limit=1", f"results_dir={tmp_path}", "run_name=llm"]) == 0
    assert meta(tmp_path / "llm")["gold_doors"] == []
    assert meta(tmp_path / "llm")["simulated"] is True


METHOD = '''
from reasoningbank.interfaces import BankReader, Episode, EpisodeCalls
from reasoningbank.types import Distilled, Recall, Task


class Motto:
    """Recalls the same words for every task."""

    needs_verdicts = False

    def __init__(self, *, words: str = "Check the sum.") -> None:
        self.words = words

    def recall(self, task: Task, bank: BankReader) -> Recall:
        return Recall(text=self.words)

    def distill(self, episode: Episode, calls: EpisodeCalls) -> Distilled:
        return Distilled()
'''


@pytest.mark.long
@pytest.mark.parametrize("plugin", ["motto_method.py", "motto_method"])
def test_a_method_is_one_file_and_one_yaml(
    plugin: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "motto_method.py").write_text(METHOD)
    (tmp_path / "memory").mkdir()
    (tmp_path / "memory" / "motto.yaml").write_text("type: motto_method\nwords: Check the sum, always.\n")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), str(ROOT)]))
    plugins = f"plugins=[{ROOT / 'tests/runner/arithmetic.py'},{tmp_path / plugin if plugin[-3:] == '.py' else plugin}]"
    line = ["run", *TINY, f"--config-dir={tmp_path}", plugins, f"results_dir={tmp_path / 'results'}"]
    done = run(*line, "memory=motto", "limit=2", "run_name=mine")
    assert done.returncode == 0, done.stderr
    [lines] = results(tmp_path / "results" / "mine").values()
    assert all(json.loads(each)["injected_tokens"] == 6 for each in lines)
    if plugin.endswith(".py"):
        assert main([*line, "memory=motto", "+memory.word=x"]) == 2
        assert "did you mean words" in capsys.readouterr().err


def test_first_line_comes_soon_and_is_plain(tmp_path: Path) -> None:
    """Before any attempt has taken a step, and after little work."""
    line = ["run", *TINY, "limit=1", f"results_dir={tmp_path}"]
    with start(*line, failpoint=f"attempt@1:{tmp_path / 'here'}") as process:
        assert process.stdout is not None
        first = process.stdout.readline()
        reach(process, tmp_path / "here")
        assert cpu_seconds(working(process)) < 2
        os.killpg(process.pid, signal.SIGKILL)
        rest = process.stdout.read()
    rest += run(*line).stdout
    assert first == "1 run, 1 stream, 1 task\n"
    assert "\x1b" not in rest
    assert "simulated" in rest


def test_a_terminal_gets_a_bar_and_no_log(tmp_path: Path) -> None:
    import pty

    here, there = pty.openpty()
    with subprocess.Popen(command("run", *TINY, f"results_dir={tmp_path}"), cwd=ROOT, stdout=there) as process:
        os.close(there)
        said = b""
        while True:
            try:
                said += os.read(here, 4096)
            except OSError:  # the other end is closed
                break
        assert process.wait() == 0
    os.close(here)
    text = said.decode()
    assert "━" in text
    assert "sums.t0 task 7" in text
    assert "8/8" in text
    assert "[8/8]" not in text


@pytest.mark.long
def test_the_report_of_a_stopped_run_and_of_a_sweep(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line = ["run", *TINY, f"results_dir={tmp_path}"]
    kill_at("journal.bank", 2, tmp_path / "here", *line, "run_name=one")
    assert not (tmp_path / "one" / "summary.json").exists()
    assert main(["report", "one", f"--results={tmp_path}"]) == 0
    assert "incomplete" in capsys.readouterr().out
    assert json.loads((tmp_path / "one" / "summary.json").read_text())["overall"]["n"] == 2
    assert (tmp_path / "one" / "cumulative.png").exists()
    kill_at("journal.bank", 1, tmp_path / "here", *line, "-m", "seed=0,1", "limit=1", "run_name=two")
    assert main(["report", str(tmp_path / "two"), str(tmp_path / "one")]) == 0
    assert len(json.loads((tmp_path / "two" / "summary.json").read_text())["runs"]) == 2
    assert (tmp_path / "two" / "seed=0" / "table.txt").exists()
    capsys.readouterr()
    assert main(["report", "thre", f"--results={tmp_path}"]) == 2
    assert "no run 'thre'" in capsys.readouterr().err
