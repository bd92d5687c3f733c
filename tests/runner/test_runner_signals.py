"""Signals, and programs that end without a word: whatever some code does, the command ends, and says how."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from runner_helpers import HERE, ROOT, TINY, Started, children_of, command, reach, start, working
from waiting import HANG, slowness

from eval.terminal.process import LEAVES, WORKS, exit_code, killed

RUN = ["run", *TINY, "suite.sites=[a,b]", "limit=2", "memory=none", "run_name=job"]
DEAF = [*RUN, f"plugins=[{HERE / 'arithmetic.py'},{HERE / 'deaf.py'}]", "suite.type=deaf"]

LOADS_SLOWLY = """
import os, time
from pathlib import Path

class Wraps:
    def __set_name__(self, owner, name):  # Python makes a RuntimeError of whatever is raised here
        Path(os.environ["MARK"]).touch()
        until = time.monotonic() + 0.4
        while time.monotonic() < until:
            pass

class Slow:
    wraps = Wraps()
"""

MAKES_ANOTHER_ERROR = """
import os, time
from pathlib import Path

from arithmetic import Arithmetic

class Turning(Arithmetic):
    def __init__(
        self, *, seed: int, count: int, sites: tuple[str, ...], fail_on: str = "", fail_while: str = ""
    ) -> None:
        super().__init__(seed=seed, count=count, sites=sites)
        try:
            Path(os.environ["MARK"]).touch()
            time.sleep(60)
        except KeyboardInterrupt as stop:
            raise TypeError("as some code that is compiled does") from stop
"""


ENDS_BEFORE_ITS_WATCHER_LOOKS = """
import os, signal, subprocess, sys
from eval.terminal.process import LEFT, watched

said = watched("interrupted")
watcher = os.getppid()
os.kill(watcher, signal.SIGSTOP)
subprocess.Popen(["sleep", "600"])
os.kill(watcher, signal.SIGTERM)
said[0] = LEFT
os._exit(143)
"""


@pytest.fixture
def mark(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A file that an environment touches. Nothing that knows of it outlives the test."""
    monkeypatch.setenv("MARK", str(tmp_path / "here"))
    yield tmp_path / "here"
    until = time.monotonic() + HANG / 10
    while left := with_environment(str(tmp_path / "here")):
        assert time.monotonic() < until, left
        time.sleep(0.05)


def with_environment(text: str) -> list[str]:
    """The command lines of all other processes that have this text in their environment."""
    found = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit() or int(entry.name) == os.getpid():
            continue
        try:
            line, env = (entry / "cmdline").read_bytes(), (entry / "environ").read_bytes()
        except OSError:  # it has ended, or is somebody's
            continue
        if text.encode() in env and line:
            found.append(line.replace(b"\0", b" ").decode(errors="replace"))
    return found


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_code_that_keeps_the_interpreter_to_itself_keeps_nobody(
    number: signal.Signals, code: int, workers: int, mark: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DEAF", "regex")
    with start(*DEAF, f"results_dir={mark.parent}", f"concurrency.workers={workers}") as process:
        reach(process, mark)
        time.sleep(0.2)  # from the mark into the expression
        signalled = time.monotonic()
        process.send_signal(number)
        said, _ = process.communicate(timeout=HANG)
    assert process.returncode == code
    assert "interrupted; " in said
    assert "the same command continues" in said
    assert ("it hung and was killed" in said) == (workers == 1)
    assert time.monotonic() - signalled < 5 * slowness(), "the expression takes years"


def test_a_program_that_leaves_without_a_word_is_no_success(mark: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEAF", "leave")
    line = command(*DEAF, f"results_dir={mark.parent}", "concurrency.workers=1")
    done = subprocess.run(line, cwd=ROOT, capture_output=True, text=True, timeout=HANG, check=False)
    assert done.returncode == 3
    assert "its process ended by itself (exit code 0): some code has called os._exit" in done.stderr
    assert "the same command continues" in done.stderr


@pytest.mark.parametrize("victim", ["child", "watcher"])
def test_neither_of_the_two_processes_outlives_the_other(victim: str, mark: Path) -> None:
    with start(*RUN, f"results_dir={mark.parent}", failpoint=f"attempt@1:{mark}") as process:
        reach(process, mark)
        os.kill(process.pid if victim == "watcher" else working(process), signal.SIGKILL)
        said, _ = process.communicate(timeout=HANG)  # both hold this output
    assert process.returncode == (-signal.SIGKILL if victim == "watcher" else 3)
    assert ("its process was killed (SIGKILL; out of memory, perhaps" in said) == (victim == "child")


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("ended_by", ["terminal", "SIGTERM", "out of memory"])
def test_programs_that_a_plugin_started_end_with_the_run(
    ended_by: str, workers: int, mark: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DEAF", "program")
    with start(*DEAF, f"results_dir={mark.parent}", f"concurrency.workers={workers}") as process:
        reach(process, mark)
        until = time.monotonic() + HANG
        while sum(line.startswith("sleep 600") for line in with_environment(str(mark))) < workers:
            assert time.monotonic() < until
            time.sleep(0.05)
        match ended_by:
            case "terminal":
                os.killpg(process.pid, signal.SIGINT)
            case "SIGTERM":
                process.send_signal(signal.SIGTERM)
            case _:
                os.kill(working(process), signal.SIGKILL)
        process.communicate(timeout=HANG)  # they hold this output
    assert process.returncode == {"terminal": 130, "SIGTERM": 143}.get(ended_by, 3)


def test_programs_end_where_the_one_that_works_was_quicker_than_its_watcher() -> None:
    line = [sys.executable, "-c", ENDS_BEFORE_ITS_WATCHER_LOOKS]
    with Started(line, cwd=ROOT, stdout=subprocess.PIPE, text=True, start_new_session=True) as process:
        until = time.monotonic() + HANG
        while not (ours := children_of(process.pid)) or state_of(ours[0]) != "Z":
            assert time.monotonic() < until
            time.sleep(0.02)
        process.send_signal(signal.SIGCONT)
        process.communicate(timeout=60 * slowness())  # they hold this output
    assert process.returncode == 143


def state_of(pid: int) -> str:
    """`Z` where it has ended and nobody has asked how."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2][0]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["SIGINT", "SIGTERM"])
def test_what_breaks_into_the_loading_of_a_module_stays_what_it_is(
    number: signal.Signals, mark: Path, tmp_path: Path
) -> None:
    module = tmp_path / "slow.py"
    module.write_text(LOADS_SLOWLY, encoding="utf-8")
    with start(*RUN, f"plugins=[{HERE / 'arithmetic.py'},{module}]", f"results_dir={mark.parent}") as process:
        reach(process, mark)
        process.send_signal(number)
        said, _ = process.communicate(timeout=HANG)
    assert process.returncode == 128 + number, said
    assert "no task was begun, the same command starts again" in said
    assert "Traceback" not in said


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["SIGINT", "SIGTERM"])
def test_what_code_makes_another_error_of_stays_what_it_is(number: signal.Signals, mark: Path, tmp_path: Path) -> None:
    module = tmp_path / "turning.py"
    module.write_text(MAKES_ANOTHER_ERROR, encoding="utf-8")
    plugins = f"plugins=[{HERE / 'arithmetic.py'},{module}]"
    with start(*RUN, plugins, "suite.type=turning", f"results_dir={mark.parent}") as process:
        reach(process, mark)
        process.send_signal(number)
        said, _ = process.communicate(timeout=HANG)
    assert process.returncode == 128 + number, said
    assert "no task was begun, the same command starts again" in said
    assert "Traceback" not in said


def test_a_second_signal_breaks_into_nothing(mark: Path) -> None:
    with start(*RUN, f"results_dir={mark.parent}", failpoint=f"attempt@2:{mark}") as process:
        reach(process, mark)
        for _ in range(20):
            os.killpg(process.pid, signal.SIGINT)
        said, _ = process.communicate(timeout=HANG)
    assert process.returncode == 130
    assert said.count("interrupted; ") == 1
    assert "Traceback" not in said
    assert "race" not in said


def test_a_job_in_the_background_is_deaf_to_ctrl_c(mark: Path) -> None:
    line = ["bash", "-c", '"$@" & wait', "bash", *command(*RUN, f"results_dir={mark.parent}")]
    env = {**os.environ, "REASONINGBANK_FAILPOINT": f"attempt@1:{mark}"}
    with Started(line, cwd=ROOT, env=env, stdout=subprocess.PIPE, text=True, start_new_session=True) as shell:
        reach(shell, mark)
        ours = children_of(shell.pid)
        assert ours
        for each in ours:
            os.kill(each, signal.SIGINT)
        time.sleep(1.5)
        assert all(Path(f"/proc/{each}").exists() for each in ours)
        os.killpg(shell.pid, signal.SIGKILL)


def test_what_is_said_of_the_end_of_the_one_that_works(capfd: pytest.CaptureFixture[str]) -> None:
    memory = "out of memory"
    assert memory in killed(signal.SIGKILL)
    assert memory not in killed(signal.SIGTERM) + killed(signal.SIGSEGV)
    for code in range(4):
        assert exit_code(code << 8, None, LEAVES, "interrupted") == code
    assert capfd.readouterr().err == ""
    assert exit_code(signal.SIGSEGV, None, WORKS, "interrupted") == 3
    assert "killed (SIGSEGV)" in capfd.readouterr().err
    assert exit_code(signal.SIGKILL, signal.SIGTERM, WORKS, "interrupted") == 143
    assert exit_code(0, None, WORKS, "interrupted") == 3
    assert "os._exit" in capfd.readouterr().err
