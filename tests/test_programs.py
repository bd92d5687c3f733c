"""What a newcomer types first: the list of commands, and the example of the library."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from waiting import HANG

from eval.__main__ import command_names, main

ROOT = Path(__file__).parents[1]


def test_the_help_lists_every_command_with_an_example(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    lines = [line.strip() for line in capsys.readouterr().out.splitlines()]
    for name in command_names():
        at = next(number for number, line in enumerate(lines) if line.startswith(f"{name} "))
        assert lines[at + 1].startswith(f"python -m eval {name}"), name
        assert len(lines[at].split(None, 1)[1]) > 10, name


def test_the_librarys_example_runs(tmp_path: Path) -> None:
    def run() -> list[str]:
        line = [sys.executable, str(ROOT / "scripts/example_library.py"), str(tmp_path / "memory.sqlite")]
        done = subprocess.run(line, capture_output=True, text=True, timeout=HANG, check=False)
        assert (done.returncode, done.stderr) == (0, "")
        return done.stdout.split("task: ")[1:]

    first, second = run()
    assert "(none" in first
    assert "Title: Cancel from the order's own page" in second
    assert all("learnt:  success: 1 item learnt" in each for each in (first, second))
    assert all("Title: " in each for each in run()), "what was learnt the first time is there"
