"""What a run tells of itself: what is continued, how far it is, and that a narrow terminal keeps bar and counts."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import subprocess
import termios
from pathlib import Path

import pytest
from runner_helpers import ROOT, TINY, command, kill_at

from eval.__main__ import main
from eval.progress import Progress, beginning, shortened
from eval.runner import Waiting
from eval.terminal import bar


def test_a_continued_run_says_where_it_continues(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line = ["run", *TINY, f"results_dir={tmp_path}", "run_name=mine", "limit=6"]
    kill_at("attempt", 8, tmp_path / "here", *line)
    capsys.readouterr()
    assert main(line) == 0
    said = capsys.readouterr().out.splitlines()
    assert re.fullmatch(r"1 run, 1 stream, 6 tasks; continues at [1-5] of 6", said[0])
    assert not [each for each in said if each.startswith("[1/6]")]
    assert main(line) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[0] == "1 run, 1 stream, 6 tasks; already finished"
    assert not [each for each in said if each.startswith("[")]


def test_the_time_after_the_last_task_is_told_unless_the_run_is_quiet(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    line = ["run", *TINY, f"results_dir={tmp_path}", "limit=1"]
    for more in ([], ["-m", "seed=1,2"]):
        for told in (1, 0):  # of a report that is there nothing is written again
            assert main([*line, *more]) == 0
            said = capsys.readouterr().out.splitlines()
            assert said.count("writing tables and figures") == told
            if told:
                assert said[said.index("writing tables and figures") - 1].startswith(("[1/1]", "[2/2]"))
    assert main([*line, "seed=3", "progress=quiet"]) == 0
    assert capsys.readouterr().out == ""


def test_success_is_of_one_run_and_the_end_is_guessed_from_several_tasks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("eval.progress.PLAIN_SECONDS", 0.0)
    line = ["run", *TINY, f"results_dir={tmp_path}", "concurrency.workers=1"]
    assert main([*line, "limit=5"]) == 0
    said = [each for each in capsys.readouterr().out.splitlines() if each.startswith("[")]
    assert [("ETA" in each, "success" in each) for each in said] == [
        *((False, True), (False, True), (True, True), (True, True), (False, True))
    ]
    assert main([*line, "-m", "seed=1,2", "limit=2"]) == 0
    said = [each for each in capsys.readouterr().out.splitlines() if each.startswith("[")]
    assert len(said) == 4
    assert not [each for each in said if "success" in each]


@pytest.mark.parametrize(
    "columns", [pytest.param(60, marks=pytest.mark.long), 80, pytest.param(200, marks=pytest.mark.long)]
)
def test_a_terminal_keeps_bar_and_counts(columns: int, tmp_path: Path) -> None:
    here, there = pty.openpty()
    fcntl.ioctl(there, termios.TIOCSWINSZ, struct.pack("HHHH", 30, columns, 0, 0))
    sites = "suite.sites=[a-site-with-a-name-that-is-long]"
    line = command("run", *TINY, sites, f"results_dir={tmp_path}")
    env = {key: value for key, value in os.environ.items() if key != "COLUMNS"}
    with subprocess.Popen(line, cwd=ROOT, stdout=there, stdin=there, env=env) as process:
        os.close(there)
        said = b""
        while True:
            try:
                said += os.read(here, 4096)
            except OSError:  # the other end is closed
                break
        assert process.wait() == 0
    os.close(here)
    plain = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", said.decode())
    shown = [each for each in re.split(r"[\r\n]+", plain) if "8/8" in each]
    assert shown
    assert len(shown[-1].rstrip()) <= columns
    assert "━" * 12 in shown[-1]
    assert "task 7 " in shown[-1]
    assert "tokens" in shown[-1]


def test_what_is_waited_for_is_named_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """However long the reason is that follows; and no more when it is over."""
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "60")
    with Progress([], mode="auto") as progress:
        assert progress._rich is not None
        progress.event(Waiting("waiting for the network, 40 s (" + "the line is dead " * 9 + ")"))
        assert progress._rich.tasks[0].description.startswith("waiting for the network, 40 s")
        progress.event(Waiting(""))
        assert "waiting" not in progress._rich.tasks[0].description
    assert [beginning("waiting for it", room) for room in (20, 10, 1)] == ["waiting for it", "waiting f…", ""]


def test_shortened_keeps_the_end() -> None:
    assert shortened("shopping.t0 task 17", 40) == "shopping.t0 task 17"
    assert shortened("shopping.t0 task 17", 10) == "…0 task 17"
    assert [len(shortened("shopping.t0 task 17", room)) for room in range(-2, 25)] == [
        *(0, 0, 0, 0, *range(2, 20), *[19] * 5)
    ]


def test_the_last_line_of_a_bar_is_how_it_ended(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bar, "PLAIN_SECONDS", 0)
    with bar.Bar("instances", 3) as shown:
        shown.step()
        monkeypatch.setattr(bar, "PLAIN_SECONDS", 999)
        shown.step("so far")
        shown.step()
    assert capsys.readouterr().err.splitlines() == ["[1/3] instances", "[2/3] instances  so far", "[3/3] instances"]
    with bar.Bar("instances", 3) as shown:
        shown.step()
    assert capsys.readouterr().err == "", "what is done at once needs no line"
