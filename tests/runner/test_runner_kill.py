"""Killed anywhere and started again, a run ends as if nothing had happened."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from runner_helpers import (
    TINY,
    bank_ids,
    children_of,
    complete,
    cpu_seconds,
    kill_at,
    reach,
    results,
    run,
    start,
    working,
)
from waiting import HANG

RUN = ["run", *TINY, "memory=reasoningbank", "scaling=parallel", "k=3", "limit=6", "progress=plain", "run_name=job"]

# the passages at which the same run is killed, one after another
PASSAGES = {
    "attempt": (4, 9, 2, 7, 5),
    "judge": (1, 4, 2, 3, 5),
    "journal.bank": (1, 1, 2, 1, 1),
    "bank.commit": (1, 2, 2, 1, 2),
}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same run, never interrupted."""
    root = tmp_path_factory.mktemp("whole")
    done = run(*RUN, f"results_dir={root}")
    assert done.returncode == 0, done.stderr
    return root / "job"


@pytest.mark.parametrize("place", PASSAGES)
def test_killed_again_and_again_and_continued(place: str, whole: Path, tmp_path: Path) -> None:
    command = [*RUN, f"results_dir={tmp_path}"]
    for passage in PASSAGES[place]:
        kill_at(place, passage, tmp_path / "here", *command)
    complete(*command)
    assert results(tmp_path / "job") == results(whole)
    assert bank_ids(tmp_path / "job") == bank_ids(whole)
    assert sum(map(len, results(whole).values())) == 6


def test_finished_attempts_are_kept(tmp_path: Path) -> None:
    command = [*RUN, f"results_dir={tmp_path}"]
    kill_at("journal.bank", 1, tmp_path / "here", *command)
    files = sorted(tmp_path.glob("job/streams/*/attempts/0000-0/*.json"))
    before = [path.stat().st_mtime_ns for path in files]
    assert len(files) == 3
    complete(*command)
    assert [path.stat().st_mtime_ns for path in files] == before


def test_an_attempt_file_that_was_touched_is_not_trusted(whole: Path, tmp_path: Path) -> None:
    command = [*RUN, f"results_dir={tmp_path}"]
    kill_at("judge", 2, tmp_path / "here", *command)
    [path, *_] = sorted(tmp_path.glob("job/streams/*/attempts/0000-0/*.json"))
    path.write_text(path.read_text().replace("adding", "cheating"))
    complete(*command)
    assert results(tmp_path / "job") == results(whole)


@pytest.mark.long
def test_worker_processes_are_killed_and_continued_too(tmp_path: Path) -> None:
    sites = ["suite.sites=[a,b]", "concurrency.workers=2", "limit=3"]
    assert run(*RUN, *sites, f"results_dir={tmp_path / 'whole'}").returncode == 0
    command = [*RUN, *sites, f"results_dir={tmp_path / 'killed'}"]
    kill_at("judge", 3, tmp_path / "here", *command)
    assert run(*command).returncode == 0
    assert results(tmp_path / "killed" / "job") == results(tmp_path / "whole" / "job")
    assert set(results(tmp_path / "whole" / "job")) == {"a.t0", "b.t0"}


@pytest.mark.long
@pytest.mark.parametrize("place", PASSAGES)
def test_the_web_suite_is_killed_and_continued(place: str, tmp_path: Path) -> None:
    line = ["run", "+exp=matts_parallel", "k=3", "limit=6", "run_name=job"]
    assert run(*line, f"results_dir={tmp_path / 'whole'}").returncode == 0
    killed = [*line, f"results_dir={tmp_path / 'killed'}"]
    for passage in PASSAGES[place]:
        kill_at(place, passage, tmp_path / "here", *killed)
    assert run(*killed).returncode == 0
    assert results(tmp_path / "killed" / "job") == results(tmp_path / "whole" / "job")


def workers_of(process: subprocess.Popen[str]) -> list[int]:
    children = children_of(working(process))
    return [each for each in children if b"spawn_main" in Path(f"/proc/{each}/cmdline").read_bytes()]


def wait_for(process: subprocess.Popen[str], found: Callable[[], bool]) -> None:
    until = time.monotonic() + HANG
    while not found():
        if process.poll() is not None or time.monotonic() > until:
            raise AssertionError(f"never seen: {process.communicate()[0]}")
        time.sleep(0.01)


@pytest.mark.long
def test_a_worker_that_the_system_kills_stops_its_stream_alone(tmp_path: Path) -> None:
    """Three streams, two workers: the third stream finds the other worker, or a new one in the place of the dead."""
    sites = ["suite.sites=[a,b,c]", "concurrency.workers=2", "limit=3", "llm.slow=0.2"]
    command = [*RUN, *sites, f"results_dir={tmp_path}"]
    with start(*command) as process:
        wait_for(process, lambda: len(list(tmp_path.glob("job/streams/*/attempts/*/*.json"))) > 0)
        workers = workers_of(process)
        assert len(workers) == 2
        os.kill(workers[0], signal.SIGKILL)
        said, _ = process.communicate(timeout=HANG)
    assert process.returncode == 3
    assert "its process was killed (SIGKILL" in said
    assert "Traceback" not in said
    assert sorted(map(len, results(tmp_path / "job").values()))[1:] == [3, 3]
    assert len(min(results(tmp_path / "job").values(), key=len)) < 3
    done = run(*command)
    assert done.returncode == 0, done.stderr
    assert list(map(len, results(tmp_path / "job").values())) == [3, 3, 3]


def test_workers_leave_quietly_when_their_command_is_killed(tmp_path: Path) -> None:
    command = [*RUN, "suite.sites=[a,b]", "concurrency.workers=2", "llm.slow=0.2", f"results_dir={tmp_path}"]
    with start(*command) as process:
        wait_for(process, lambda: len(list(tmp_path.glob("job/streams/*/attempts/*/*.json"))) > 0)
        process.kill()
        said, _ = process.communicate(timeout=HANG)  # the workers hold the same output: this waits for them too
    assert "Traceback" not in said
    assert "Error" not in said


def test_temporary_files_of_killed_processes_are_removed(whole: Path, tmp_path: Path) -> None:
    command = [*RUN, f"results_dir={tmp_path}"]
    kill_at("attempt", 4, tmp_path / "here", *command)
    folder = tmp_path / "job" / "streams" / "sums.t0" / "attempts" / "0000-0"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / ".1.json.abc.tmp").write_text("half of an att")
    complete(*command)
    assert not list(tmp_path.rglob("*.tmp"))
    assert results(tmp_path / "job") == results(whole)


def test_a_bank_ahead_of_a_journal_torn_by_two_lines_is_refused_before_anything_is_cut(
    whole: Path, tmp_path: Path
) -> None:
    shutil.copytree(whole, tmp_path / "job")
    journal = tmp_path / "job" / "streams" / "sums.t0" / "journal.jsonl"
    journal.write_bytes(b"".join(journal.read_bytes().splitlines(keepends=True)[:4]) + b'{"result":{"attem')
    before = journal.read_bytes()
    done = run(*RUN, f"results_dir={tmp_path}")
    assert done.returncode == 2
    assert "nothing was changed" in done.stderr
    assert journal.read_bytes() == before


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
@pytest.mark.parametrize("sites", ["[a,b]", pytest.param("[a]", marks=pytest.mark.long)])
def test_ctrl_c_and_sigterm_leave_at_once_though_an_attempt_hangs(
    sites: str, number: signal.Signals, code: int, tmp_path: Path
) -> None:
    command = [*RUN, f"suite.sites={sites}", "limit=2", f"results_dir={tmp_path}"]
    with start(*command, "concurrency.workers=2", failpoint=f"attempt@3:{tmp_path / 'here'}") as process:
        reach(process, tmp_path / "here")
        process.send_signal(number)
        # the attempt hangs for good; this leaves time to a busy machine
        said, _ = process.communicate(timeout=HANG)
    assert process.returncode == code
    assert "the same command continues" in said
    assert "Traceback" not in said
    complete(*command)


@pytest.mark.parametrize("after", [0.3, 0.6])
def test_ctrl_c_while_it_starts_says_how_to_go_on(after: float, tmp_path: Path) -> None:
    with start(*RUN, f"results_dir={tmp_path}", "llm.slow=1.0") as process:
        wait_for(process, lambda: bool(children_of(process.pid)))
        until = cpu_seconds(working(process)) + after
        wait_for(process, lambda: cpu_seconds(working(process)) > until)
        process.send_signal(signal.SIGINT)
        said, _ = process.communicate(timeout=HANG)
    assert process.returncode == 130, said
    assert "Traceback" not in said
    assert "the same command" in said
