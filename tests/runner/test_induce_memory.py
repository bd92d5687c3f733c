"""`python induce_memory.py`: a run's stored attempts distilled again."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from runner_helpers import ROOT, TINY, complete, run
from waiting import HANG

from eval.analysis.records import find_run, load_run
from eval.banks.induce import Induction, induction_settings
from eval.banks.induced import Induced
from eval.banks.opened import choose_stream, read_experiences
from eval.config.load import load_config
from eval.workbench import build_workbench
from induce_memory import main
from reasoningbank.bank import files
from reasoningbank.errors import SetupError
from reasoningbank.types import Experience

COMMANDS = (
    ("run_name=single", "memory=reasoningbank"),
    ("run_name=sweep", "-m", "memory=none,reasoningbank,awm", "judge=llm,oracle", "scaling=parallel", "k=3", "seed=3"),
    ("run_name=each", "scaling=parallel", "k=2", "scaling.aggregate=false", "scaling.store=per_attempt"),
    ("run_name=two", "suite.sites=[sums,more]", "trials=2", "suite.count=2"),
)
SINGLE, EACH, TWO = "single", "each", "two"
NONE, PARALLEL, AWM, ORACLE = (
    f"sweep/memory={method},judge={judge}"
    for method, judge in (("none", "llm"), ("reasoningbank", "llm"), ("awm", "llm"), ("reasoningbank", "oracle"))
)
CONFIG_DIR = TINY[0].partition("=")[2]


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A results folder with the runs."""
    root = tmp_path_factory.mktemp("results")
    for words in COMMANDS:
        complete("run", *TINY, "suite.count=5", *words, f"results_dir={root}")
    return root


def tree(folder: Path) -> dict[str, bytes]:
    """Every file below a folder, with its content."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def own(root: Path, name: str, stream: str = "sums.t0") -> tuple[str, list[Experience]]:
    """The run's own bank."""
    return read_experiences(root / name / "streams" / stream / "bank.sqlite")


def induce(root: Path, out: Path, *argv: str) -> tuple[str, list[Experience]]:
    assert main([*argv, "--results", str(root), "--out", str(out)]) == 0
    return read_experiences(out)


@pytest.mark.parametrize("name", [SINGLE, PARALLEL, EACH, AWM])
def test_with_the_runs_settings_it_is_the_runs_own_bank(root: Path, tmp_path: Path, name: str) -> None:
    before = tree(root / name)
    scope, experiences = own(root, name)
    assert experiences
    assert induce(root, tmp_path / "stored.sqlite", name) == (scope, experiences)
    assert induce(root, tmp_path / "judged.sqlite", name, "--judge", "llm") == (scope, experiences)
    [bank] = (root / name).glob("streams/*/bank.sqlite")
    for made in ("stored", "judged"):
        assert files.check(tmp_path / f"{made}.sqlite") == files.check(bank)
    assert tree(root / name) == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["judged.sqlite", "stored.sqlite"]


def test_it_continues_from_the_bank_that_the_run_was_given(root: Path, tmp_path: Path) -> None:
    given = root / "single/streams/sums.t0/bank.sqlite"
    where = (f"results_dir={tmp_path}", "run_name=warm")
    complete("run", *TINY, "suite.count=3", "suite.seed=9", f"bank.init_from={given}", *where)
    wanted = own(tmp_path, "warm")
    assert wanted[1][0].position == -1
    assert induce(tmp_path, tmp_path / "new.sqlite", "warm") == wanted


def test_a_frozen_run_can_be_learnt_from_though_it_learnt_nothing(root: Path, tmp_path: Path) -> None:
    given = root / "single/streams/sums.t0/bank.sqlite"
    where = (f"results_dir={tmp_path}", "run_name=cold", "bank.frozen=true")
    complete("run", *TINY, "suite.count=3", "suite.seed=9", f"bank.init_from={given}", *where)
    _, learnt = induce(tmp_path, tmp_path / "new.sqlite", "cold", "--judge", "llm")
    assert [each.position for each in learnt] == [-1] * 5 + [0, 1, 2]


def test_several_streams_must_be_told_apart(root: Path, tmp_path: Path) -> None:
    with pytest.raises(SetupError, match=r"4 streams.*more\.t1"):
        induce(root, tmp_path / "new.sqlite", TWO)
    with pytest.raises(SetupError, match=r"did you mean more\.t1"):
        induce(root, tmp_path / "new.sqlite", TWO, "--stream", "more.t7")
    assert induce(root, tmp_path / "new.sqlite", TWO, "--stream", "more.t1") == own(root, TWO, "more.t1")


def test_another_method_learns_from_the_same_attempts(root: Path, tmp_path: Path) -> None:
    _, workflows = induce(root, tmp_path / "awm.sqlite", PARALLEL, "--memory", "awm")
    assert workflows != own(root, PARALLEL)[1]
    _, learnt = induce(root, tmp_path / "each.sqlite", PARALLEL, "scaling.aggregate=false", "memory.learn_from=both")
    assert all(len(each.items) == 3 for each in learnt), "an item from each attempt"
    _, other = induce(root, tmp_path / "seed.sqlite", PARALLEL, "seed=5")
    assert [each.id for each in other] == [each.id for each in own(root, PARALLEL)[1]]
    assert other != own(root, PARALLEL)[1], "the extractor was asked with other seeds"


@pytest.mark.parametrize(
    ("name", "overrides"),
    [(SINGLE, ["profile=official_code"]), (PARALLEL, ["profile=official_code"]), (SINGLE, ["memory=awm"])],
)
def test_settings_are_those_of_a_run_with_the_same_words(root: Path, name: str, overrides: list[str]) -> None:
    """A profile says something of each method and scaling: all of it is taken, and what was set by hand stays."""
    run = load_run(find_run(name, root))
    run.meta["settings"]["temperature"]["judge"] = 0.3
    made = induction_settings(run, [f"--config-dir={CONFIG_DIR}", *overrides], judge="stored")
    scaling = [f"scaling={run.meta['choices']['scaling']}", f"k={run.meta['settings']['k']}"]
    given = [text for text in overrides if not text.startswith("memory=")]
    memory = [text for text in overrides if text.startswith("memory=")] or ["memory=reasoningbank"]
    wanted = load_config([*TINY, *scaling, *memory, *given, "temperature.judge=0.3"])
    for key in ("memory", "temperature", "max_tokens", "profile", "retrieval"):
        assert getattr(made, key) == getattr(wanted, key), key


def test_a_method_taken_under_the_runs_profile_has_what_the_profile_says_of_it(root: Path, tmp_path: Path) -> None:
    done = run("run", *TINY, "profile=official_code", "limit=1", "run_name=one", f"results_dir={tmp_path}")
    assert done.returncode == 0, done.stderr
    made = induction_settings(load_run(tmp_path / "one"), [f"--config-dir={CONFIG_DIR}", "memory=awm"], judge="stored")
    assert made.temperature == load_config([*TINY, "profile=official_code", "memory=awm"]).temperature


def test_a_run_without_verdicts_can_be_judged(root: Path, tmp_path: Path) -> None:
    out = tmp_path / "new.sqlite"
    with pytest.raises(SetupError, match="--judge llm"):
        induce(root, out, NONE, "--memory", "reasoningbank")
    _, learnt = induce(root, out, NONE, "--memory", "reasoningbank", "--judge", "llm")
    assert len(learnt) == 5


def test_verdicts_that_know_the_outcome_are_said_so(
    root: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert induce(root, tmp_path / "stored.sqlite", ORACLE) == own(root, ORACLE)
    assert "through judge=oracle: no result" in capsys.readouterr().out
    _, judged = induce(root, tmp_path / "judged.sqlite", ORACLE, "--judge", "llm")
    assert "through judge=oracle of the attempts' run" in capsys.readouterr().out
    assert all(verdict.reasons for each in judged for verdict in each.verdicts), "the model's, which has reasons"


def test_a_bank_that_exists_is_left_as_it_is(root: Path, tmp_path: Path) -> None:
    out = tmp_path / "taken.sqlite"
    out.write_bytes(b"mine")
    with pytest.raises(SetupError, match="exists and is left as it is"):
        induce(root, out, SINGLE)
    assert tree(tmp_path) == {"taken.sqlite": b"mine"}
    with pytest.raises(SetupError, match="inside of the run"):
        induce(root, root / SINGLE / "new.sqlite", SINGLE)


class Stopped(Exception):
    """What the test stops an induction with."""


def stop_after(episodes: int, root: Path, out: Path, *overrides: str) -> Induction:
    """Induce the parallel run, and stop once so many episodes are done."""
    record = load_run(find_run(PARALLEL, root))
    bench = build_workbench(induction_settings(record, overrides, judge="llm"))
    induction = Induction(run=record, stream=choose_stream(record, None), bench=bench, judge="llm", out=out)
    seen: list[Induced] = []

    def report(induced: Induced, old: bool) -> None:
        seen.append(induced)
        if len(seen) == episodes:
            raise Stopped

    with pytest.raises(Stopped):
        induction.make(report)
    assert not out.exists()
    return induction


@pytest.mark.parametrize("torn", [0, 10])
def test_a_stopped_one_goes_on(root: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], torn: int) -> None:
    out = tmp_path / "new.sqlite"
    partial = stop_after(3, root, out).partial
    if torn:
        partial.write_bytes(partial.read_bytes()[:-torn])
    assert induce(root, out, PARALLEL, "--judge", "llm") == own(root, PARALLEL)
    assert f"({2 if torn else 3} kept from before)" in capsys.readouterr().out
    assert not partial.exists()


def test_ctrl_c_leaves_and_says_how_to_go_on(root: Path, tmp_path: Path) -> None:
    out = tmp_path / "new.sqlite"
    argv = [SINGLE, "--judge", "llm", "llm.slow=3.0", "--config-dir", CONFIG_DIR, "--out", str(out)]
    with subprocess.Popen(
        [sys.executable, str(ROOT / "induce_memory.py"), *argv, "--results", str(root)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # a shell's background jobs ignore Ctrl-C, and their children inherit that
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith("[1/5]")
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=HANG)
    assert process.returncode == 130
    assert "the same command continues" in errors
    assert [path.name for path in tmp_path.iterdir()] == ["new.sqlite.partial.jsonl"]


def test_what_was_begun_otherwise_is_not_gone_on_with(root: Path, tmp_path: Path) -> None:
    out = tmp_path / "new.sqlite"
    before = stop_after(2, root, out).partial.read_bytes()
    for other in (("--judge", "stored"), ("--judge", "llm", "seed=8"), ("--judge", "llm", "memory.max_items=1")):
        with pytest.raises(SetupError, match="was begun otherwise"):
            induce(root, out, PARALLEL, *other)
    assert tree(tmp_path) == {"new.sqlite.partial.jsonl": before}


def test_an_attempt_that_is_not_the_recorded_one_teaches_nothing(root: Path, tmp_path: Path) -> None:
    import shutil

    shutil.copytree(root / SINGLE, tmp_path / SINGLE)
    (file,) = (tmp_path / SINGLE).glob("streams/*/attempts/0002-*/0.json")
    stored = json.loads(file.read_text())
    stored["attempt"]["trajectory"]["answer"] = "another"
    file.write_text(json.dumps(stored))
    with pytest.raises(SetupError, match="hash differs"):
        induce(tmp_path, tmp_path / "new.sqlite", SINGLE)
    file.unlink()
    with pytest.raises(SetupError, match="bring it back"):
        induce(tmp_path, tmp_path / "new.sqlite", SINGLE)
    assert not (tmp_path / "new.sqlite").exists()


@pytest.mark.parametrize(
    ("argv", "told"),
    [
        (["suite.seed=3"], "suite.seed cannot be set here"),
        (["k=2"], "k cannot be set here"),
        (["memory=raesoningbank"], "did you mean reasoningbank"),
        (["memory.max_itms=2"], "did you mean memory.max_items"),
        (["judge.tries=1"], "add --judge llm"),
        (["--judge", "llm", "judge=oracle"], "no model would judge"),
        (["nonsense"], "is not a setting"),
        (["--jugde", "llm"], "--jugde"),
    ],
)
def test_what_is_wrong_is_one_line(root: Path, tmp_path: Path, argv: list[str], told: str) -> None:
    with pytest.raises(SetupError, match=told):
        induce(root, tmp_path / "new.sqlite", SINGLE, *argv)
    assert not (tmp_path / "new.sqlite").exists()


def test_as_a_program_it_has_the_exit_codes_of_all_commands(root: Path, tmp_path: Path) -> None:
    def program(*argv: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, str(ROOT / "induce_memory.py"), *argv, "--results", str(root)]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=HANG, check=False)

    done = program(SINGLE, "memory.max_items=1", "--config-dir", CONFIG_DIR)
    assert done.returncode == 0, done.stderr
    assert (root / "banks" / "single-sums.t0-reasoningbank.sqlite").is_file()
    assert "simulated" in done.stdout
    wrong = program("signle")
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert wrong.stderr.startswith("error: no run 'signle'")
    assert len(wrong.stderr.splitlines()) == 1
