"""What the system does to a run: full disks, too few files, a second process, signals, a wrong clock.

After each of these no process, no temporary file and no lock is left, and the same command ends as if nothing had
been.
"""

from __future__ import annotations

import fcntl
import json
import os
import re
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from runner_helpers import HERE, ROOT, TINY, bank_ids, command, reach, results, run, start, working
from waiting import HANG, slowness

pytestmark = pytest.mark.long

RUN = ["run", *TINY, "memory=reasoningbank", "limit=3", "run_name=job"]
PLUGINS = f"plugins=[{HERE / 'arithmetic.py'},{HERE / 'hanging.py'}]"


@pytest.fixture(autouse=True)
def nothing_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Every test's commands have this folder for temporary files, and name `tmp_path` in their command lines."""
    temporary = tmp_path / "temporary files"
    temporary.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    yield
    assert processes_of(str(tmp_path)) == []
    assert list(temporary.iterdir()) == []
    assert list(tmp_path.rglob("*.tmp")) == []
    for path in (*tmp_path.rglob("run.lock"), *tmp_path.rglob("journal.jsonl")):
        with path.open("rb+") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def processes_of(text: str) -> list[str]:
    """The command lines with this text, and of worker processes those that have it in their environment."""
    found = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit() or int(entry.name) == os.getpid():
            continue
        try:
            line, env = (entry / "cmdline").read_bytes(), (entry / "environ").read_bytes()
        except OSError:  # it has ended, or is somebody's
            continue
        if text.encode() in line or text.encode() in env:
            found.append(line.replace(b"\0", b" ").decode(errors="replace"))
    return found


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same run with nothing in its way."""
    root = tmp_path_factory.mktemp("whole")
    done = run(*RUN, f"results_dir={root}")
    assert done.returncode == 0, done.stderr
    return root / "job"


def limited(limit: str, *argv: str) -> subprocess.CompletedProcess[str]:
    line = ["bash", "-c", f'{limit}\nexec "$@"', "bash", *command(*argv)]
    return subprocess.run(line, cwd=ROOT, capture_output=True, text=True, timeout=HANG, check=False)


@pytest.mark.parametrize("limit", ["ulimit -f 0", "ulimit -f 8", "ulimit -n 9", "ulimit -n 18"])
def test_short_of_disk_or_files_at_any_moment(limit: str, whole: Path, tmp_path: Path) -> None:
    line = [*RUN, f"results_dir={tmp_path / 'results'}"]
    short = limited(limit, *line)
    assert "Traceback" not in short.stderr
    assert short.stderr.count("\n") == (short.returncode != 0)
    assert short.returncode in (0, 2, 3)
    if limit == "ulimit -f 0":
        assert short.returncode
        assert not (tmp_path / "results").exists(), "nothing could be written, and nothing is there"
    done = run(*line)
    assert done.returncode == 0, done.stderr
    assert results(tmp_path / "results/job") == results(whole)
    assert bank_ids(tmp_path / "results/job") == bank_ids(whole)


def test_a_second_process_is_refused_by_name_and_a_dead_ones_lock_is_taken_over(whole: Path, tmp_path: Path) -> None:
    line = [*RUN, f"results_dir={tmp_path}"]
    with start(*line, failpoint=f"attempt@5:{tmp_path / 'here'}") as first:
        reach(first, tmp_path / "here")
        before = {path: path.read_bytes() for path in (tmp_path / "job").rglob("*") if path.is_file()}
        second, pid = run(*line), working(first)
        assert second.returncode == 2
        assert second.stderr.count("\n") == 1
        for part in (str(tmp_path / "job"), f'"pid": {pid}', socket.gethostname(), "wait for it, or end it"):
            assert part in second.stderr
        assert {path: path.read_bytes() for path in (tmp_path / "job").rglob("*") if path.is_file()} == before
        os.killpg(first.pid, signal.SIGKILL)
    assert json.loads((tmp_path / "job/run.lock").read_text())["pid"] == pid
    assert run(*line).returncode == 0
    lock = json.loads((tmp_path / "job/run.lock").read_text())
    assert lock["pid"] != pid
    assert lock["host"] == socket.gethostname()
    assert results(tmp_path / "job") == results(whole)


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
@pytest.mark.parametrize("workers", [1, 2])
def test_a_signal_ends_a_run_within_a_second_though_its_environment_hangs(
    workers: int, number: signal.Signals, code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hangs = tmp_path / "hangs"
    monkeypatch.setenv("HANGING", str(hangs))
    spread = ["suite.sites=[a,b]", f"concurrency.workers={workers}"]
    line = [*RUN, *spread, PLUGINS, "suite.type=hanging", f"results_dir={tmp_path}"]
    seconds = []
    for _ in range(3):
        with start(*line) as process:
            reach(process, hangs)
            signalled = time.monotonic()
            process.send_signal(number)
            said, _ = process.communicate(timeout=HANG)  # its workers have the same output: this waits for them too
        seconds.append((time.monotonic() - signalled) / slowness())
        assert process.returncode == code
        assert "the same command continues" in said
        assert "Traceback" not in said
        hangs.unlink(missing_ok=True)  # of the other worker
        if min(seconds) < 1:
            break
    assert min(seconds) < 1


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_web_suite_leaves_no_temporary_files(number: signal.Signals, tmp_path: Path) -> None:
    line = ["run", "limit=30", "memory=none", f"results_dir={tmp_path}"]
    with start(*line, failpoint=f"attempt@9:{tmp_path / 'here'}") as process:
        reach(process, tmp_path / "here")
        process.send_signal(number)
        process.communicate(timeout=HANG)


@pytest.mark.long
def test_a_wall_clock_that_jumps_by_years_moves_nothing(tmp_path: Path) -> None:
    line = [*RUN, "suite.sites=[a,b]", "concurrency.workers=2", "progress=plain", "limit=4"]
    calm = run(*line, f"results_dir={tmp_path / 'calm'}")
    assert calm.returncode == 0, calm.stderr
    plugins = f"plugins=[{HERE / 'jumping.py'},{HERE / 'arithmetic.py'}]"
    done = run(*line, plugins, f"results_dir={tmp_path / 'jumps'}")
    assert done.returncode == 0, done.stderr
    assert results(tmp_path / "jumps/job") == results(tmp_path / "calm/job")
    assert bank_ids(tmp_path / "jumps/job") == bank_ids(tmp_path / "calm/job")
    lines = [
        json.loads(each)["telemetry"]
        for path in (tmp_path / "jumps/job").glob("streams/*/journal.jsonl")
        for each in path.read_text().splitlines()
    ]
    assert len({each["started"][:4] for each in lines}) == 2, "the clock has jumped"
    assert all(0 <= seconds < 60 for each in lines for seconds in (each["seconds"], *each["attempt_seconds"]))
    left = re.findall(r"ETA (\S+)", done.stdout)
    assert left
    assert all(re.fullmatch(r"\d:\d\d", each) for each in left)
