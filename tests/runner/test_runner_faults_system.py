"""What the system refuses or breaks is told in one line, nothing is lost, and the same command goes on."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from runner_helpers import ROOT, TINY, bank_ids, command, complete, results, run
from waiting import HANG

from eval.faults import surroundings
from eval.terminal.process import Errors, Output, OutputLost
from reasoningbank.errors import InfraError, SetupError
from reasoningbank.files import SHORTAGES

RUN = ["run", *TINY, "memory=reasoningbank", "scaling=parallel", "k=3", "limit=4", "run_name=job"]
QUIET = [*RUN, "progress=quiet"]


def in_shell(before: str, *argv: str, after: str = "", cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """`python -m eval` after a shell's commands, such as a limit, and with its redirections."""
    line = ["bash", "-c", f'{before}\nexec "$@" {after}', "bash", *command(*argv)]
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(line, cwd=cwd, env=env, capture_output=True, text=True, timeout=HANG, check=False)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same run with nothing in its way."""
    root = tmp_path_factory.mktemp("whole")
    complete(*QUIET, f"results_dir={root}")
    return root / "job"


@pytest.mark.parametrize(
    ("limit", "said"),
    [("ulimit -f 30", "File too large|disk I/O error"), ("ulimit -n 12", "Too many open files"), ("ulimit -f 100", "")],
)
def test_a_run_short_of_something_says_so_and_goes_on_later(limit: str, said: str, whole: Path, tmp_path: Path) -> None:
    short = in_shell(limit, *QUIET, f"results_dir={tmp_path}")
    if short.returncode or said:
        assert short.returncode in (2, 3)
        assert short.stderr.count("\n") == 1
        assert str(tmp_path / "job") in short.stderr
        assert any(each in short.stderr for each in said.split("|"))
    complete(*QUIET, f"results_dir={tmp_path}")
    assert results(tmp_path / "job") == results(whole)
    assert bank_ids(tmp_path / "job") == bank_ids(whole)
    assert not list(tmp_path.rglob("*.tmp"))


def test_too_little_memory_is_said_in_a_line(tmp_path: Path) -> None:
    done = run(*QUIET, f"results_dir={tmp_path}", "embedder.dims=1000000000000")
    assert done.returncode == 3
    assert done.stderr.count("\n") == 1
    assert "out of memory" in done.stderr


@pytest.mark.parametrize("number", SHORTAGES)
def test_every_shortage_is_infra_with_its_path_and_advice(number: int) -> None:
    error = surroundings(OSError(number, os.strerror(number), "/some/where"))
    assert isinstance(error, InfraError)
    for part in ("/some/where", os.strerror(number), SHORTAGES[number]):
        assert part in str(error)


@pytest.mark.parametrize("number", [errno.EISDIR, errno.ENOTDIR, errno.ELOOP, errno.EACCES, errno.ENOENT])
def test_a_path_that_is_something_else_is_the_users_to_mend(number: int) -> None:
    error = surroundings(OSError(number, os.strerror(number), "/some/where"))
    assert isinstance(error, SetupError)
    assert f"/some/where: {os.strerror(number)}" in str(error)


def folder(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    path.unlink(missing_ok=True)
    path.mkdir()


def file(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    path.write_text("")


def loop(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    path.unlink(missing_ok=True)
    path.symlink_to(path.name)


def deep(path: Path) -> None:
    path.write_text("[" * 200_000)


STREAM = "streams/sums.t0"
DAMAGES: dict[str, tuple[str, Callable[[Path], None], str]] = {
    "journal is a folder": (f"{STREAM}/journal.jsonl", folder, "run report show"),
    "journal is a loop": (f"{STREAM}/journal.jsonl", loop, "run report show"),
    "attempt is a folder": (f"{STREAM}/attempts/0003-3/0.json", folder, "run"),
    "attempt is a loop": (f"{STREAM}/attempts/0003-3/0.json", loop, ""),
    "attempt is deep": (f"{STREAM}/attempts/0003-3/0.json", deep, ""),
    "attempts are a file": (f"{STREAM}/attempts/0003-3", file, "run"),
    "attempts are a loop": (f"{STREAM}/attempts/0003-3", loop, "run"),
    "all attempts are a file": (f"{STREAM}/attempts", file, "run"),
    "summary is a folder": ("summary.json", folder, "run report"),
    "table is a folder": ("table.txt", folder, "run report"),
    "figure is a folder": ("cumulative.png", folder, "run report"),
    "meta is deep": ("meta.json", deep, "run report show"),
    "streams are a file": ("streams", file, "run report show"),
}
"""What, how, and the commands that refuse it. The last episode is not in the journal."""


@pytest.mark.parametrize("damage", DAMAGES)
def test_what_is_in_the_way_is_named_or_made_anew(
    damage: str, whole: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from eval.__main__ import main

    shutil.copytree(whole, tmp_path / "job")
    journal = tmp_path / "job" / STREAM / "journal.jsonl"
    journal.write_bytes(b"".join(journal.read_bytes().splitlines(keepends=True)[:3]))
    name, harm, refusing = DAMAGES[damage]
    path = tmp_path / "job" / name
    harm(path)
    for line in (
        [*QUIET, f"results_dir={tmp_path}", "figure=true"],
        ["report", f"{tmp_path}/job"],
        ["show", f"{tmp_path}/job"],
    ):
        code = main(line)
        said = capsys.readouterr().err
        if line[0] in refusing.split():
            assert code == 2
            assert said.count("\n") == 1
            assert str(path) in said
        else:
            assert (code, said) == (0, "")
    if not refusing:
        assert results(tmp_path / "job") == results(whole)


@pytest.mark.parametrize(
    ("after", "code", "said"),
    [
        ("<&- >&- 2>&-", 0, ""),
        (">/dev/full", 3, "standard output cannot be written: No space left on device"),
        *(
            pytest.param(after, 0, "", marks=pytest.mark.long)
            for after in (">&-", "2>&-", "2>/dev/full", ">/dev/full progress=quiet")
        ),
    ],
)
@pytest.mark.parametrize("workers", [1, pytest.param(2, marks=pytest.mark.long)])
def test_streams_that_are_closed_or_full(
    after: str, code: int, said: str, workers: int, whole: Path, tmp_path: Path
) -> None:
    line = [*RUN, f"results_dir={tmp_path}", "trials=2", f"concurrency.workers={workers}"]
    done = in_shell("", *line, after=after)
    assert done.returncode == code
    assert said in done.stderr
    assert "Traceback" not in done.stdout + done.stderr
    complete(*line)
    assert results(tmp_path / "job")["sums.t0"] == results(whole)["sums.t0"]


def test_a_reader_that_goes_ends_it_silently_and_any_other_pipe_does_not(tmp_path: Path) -> None:
    done = in_shell("set -o pipefail", *RUN, f"results_dir={tmp_path}", after="| true; exit ${PIPESTATUS[0]}")
    assert (done.returncode, done.stderr) in ((141, ""), (0, ""))
    assert str(surroundings(BrokenPipeError(errno.EPIPE, "Broken pipe"))).startswith("Broken pipe")


def test_output_names_its_own_failures_alone() -> None:
    for number, gone in ((errno.EPIPE, True), (errno.ENOSPC, False)):

        class Broken:
            encoding = "utf-8"

            def write(self, text: str) -> int:
                raise OSError(number, os.strerror(number))  # noqa: B023

            def flush(self) -> None:
                self.write("")

        stream = Output(Broken())  # type: ignore[arg-type]
        assert stream.encoding == "utf-8"
        for call in (lambda: stream.write("a"), stream.flush):  # noqa: B023
            with pytest.raises(OutputLost) as lost:
                call()
            assert lost.value.reader_gone is gone
        errors = Errors(Broken())  # type: ignore[arg-type]
        assert errors.write("abc") == 3
        errors.flush()


def test_a_current_folder_that_is_gone(tmp_path: Path) -> None:
    done = in_shell(f"mkdir {tmp_path}/gone; cd {tmp_path}/gone; rmdir {tmp_path}/gone", *RUN, "results_dir=.")
    assert done.returncode == 2
    assert done.stderr == "error: the current folder has been removed: change to one that exists\n"
