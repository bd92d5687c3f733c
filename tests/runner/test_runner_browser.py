"""The keys `web.*`: what they choose, how they are refused, and runs in a real browser."""

from __future__ import annotations

import json
import os
import signal
import time
from pathlib import Path

import pytest
from chromium_here import needs_chromium
from runner_helpers import TINY, run, start
from waiting import HANG

from eval.__main__ import main
from eval.config.load import load_config
from eval.journal import JournalLine
from eval.runs.identity import identity
from eval.workbench import build_workbench
from reasoningbank.types import canonical_json

SHOP = ["run", "memory=none", "suite.sites=[shopping]", "limit=1", "progress=quiet"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["web.backend=brwser"], "web.backend=brwser: must be 'text' or 'browser': did you mean browser?"),
        (["web.chrome=x"], "unknown key 'web.chrome'"),
        (["web.screenshots=perhaps"], "web.screenshots=perhaps"),
        ([*TINY, "web.backend=browser"], "web: arithmetic has no pages that a browser looks at"),
        (["code.sandbox=local"], "code: webarena_mini has no commands that a sandbox runs; leave the keys of code out"),
        (["code.sandbox=bubblerap"], "did you mean bubblewrap?"),
        (["code.limits.memory_mb=0"], "code.limits.memory_mb=0"),
        (["code.limits.memory=10"], "unknown key 'code.limits.memory'"),
        (
            ["suite=swebench_mini", "code.image=x"],
            "code.image=x: code.sandbox=bubblewrap runs no image; choose docker or",
        ),
        *(
            (
                ["suite=swebench", f"code.sandbox={sandbox}", "code.image=x"],
                "code.image=x: the tasks of suite=swebench name their images; leave it out",
            )
            for sandbox in ("docker", "singularity")
        ),
        (["suite=swebench", "code.sandbox=bubblewrap"], "code.sandbox=bubblewrap: the tasks of suite=swebench are"),
    ],
)
def test_what_makes_no_sense_is_refused_in_a_line(
    words: list[str], told: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert main(["run", f"results_dir={tmp_path}", *words]) == 2
    said = capsys.readouterr().err.strip()
    assert told in said
    assert "\n" not in said
    assert list(tmp_path.iterdir()) == []


def test_without_a_chromium_nothing_is_begun(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("importlib.metadata.version", lambda name: "1")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path))
    for words, told in (
        ([], f"web.backend=browser: no Chromium is on the PATH or in {tmp_path}; run ./scripts/setup_browser.sh"),
        (["web.chromium=/nowhere"], "web.chromium=/nowhere: no program is there"),
    ):
        assert main([*SHOP, "web.backend=browser", f"results_dir={tmp_path / 'results'}", *words]) == 2
        assert told in capsys.readouterr().err
    assert not (tmp_path / "results").exists()


def test_the_backend_is_in_a_runs_identity_and_what_changes_no_result_is_not() -> None:
    def of(*words: str) -> str:
        return canonical_json(identity(build_workbench(load_config(list(words)), asked=False)))

    assert of() == of("web.chromium=/a", "web.screenshots=true")
    assert of() != of("web.backend=browser") == of("web.backend=browser", "web.screenshots=true")


def lines(folder: Path) -> list[JournalLine]:
    return [
        JournalLine.model_validate(json.loads(line))
        for path in sorted(folder.glob("*/streams/*/journal.jsonl"))
        for line in path.read_text(encoding="utf-8").splitlines()
    ]


@needs_chromium
@pytest.mark.long
def test_a_run_in_a_browser_has_the_results_of_one_without_and_images(tmp_path: Path) -> None:
    results = []
    for backend in ("text", "browser"):
        folder = tmp_path / backend
        done = run(*SHOP, f"web.backend={backend}", "web.screenshots=true", f"results_dir={folder}")
        assert done.returncode == 0, done.stderr
        (line,) = lines(folder)
        attempt = line.result.attempts[0]
        results.append((attempt.exit, attempt.answer, attempt.steps, attempt.outcome))
        images = sorted(folder.glob("*/streams/*/attempts/*/0/step-*.png"))
        assert bool(images) == (backend == "browser")
    assert results[0] == results[1]


PROGRAM = (b"--remote-debugging-pipe",)
PARTS = (*PROGRAM, b"chromium.worker", b"run-driver")
"""What the processes of a browser and of its driver are known by; the first is the browser itself."""


def browsers(mark: str, of: tuple[bytes, ...] = PARTS) -> list[int]:
    """Processes of browsers and their drivers that have this text in their environment."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and mark.encode() in (entry / "environ").read_bytes():
                line = (entry / "cmdline").read_bytes()
                if any(part in line for part in of):
                    found.append(int(entry.name))
        except OSError:  # it has ended, or is somebody's
            continue
    return found


def reached(mark: str, wanted: bool, of: tuple[bytes, ...] = PARTS) -> bool:
    until = time.monotonic() + HANG
    while bool(browsers(mark, of)) != wanted and time.monotonic() < until:
        time.sleep(0.05)
    return bool(browsers(mark, of)) == wanted


@needs_chromium
@pytest.mark.long
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGKILL, -9)])
def test_nothing_is_left_of_the_browsers_of_a_run_that_is_ended(
    number: signal.Signals, code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mark = f"MARK_OF_THIS_TEST={tmp_path}"
    monkeypatch.setenv(*mark.split("=", 1))
    words = [*SHOP[:-2], "suite.sites=[shopping,shopping_admin]", "web.backend=browser", f"results_dir={tmp_path}"]
    with start(*words) as program:
        assert reached(mark, True)
        os.kill(program.pid, number)
        assert program.wait(HANG) == code
    assert reached(mark, False), browsers(mark)


@needs_chromium
@pytest.mark.long
def test_a_browser_that_dies_is_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mark = f"MARK_OF_THIS_TEST={tmp_path}"
    monkeypatch.setenv(*mark.split("=", 1))
    with start(*SHOP, "web.backend=browser", "retry_wait=0", f"results_dir={tmp_path}") as program:
        assert reached(mark, True, of=PROGRAM)
        time.sleep(0.5)
        for pid in browsers(mark, of=PROGRAM):
            os.kill(pid, signal.SIGKILL)
        assert program.wait(HANG) == 0
    (line,) = lines(tmp_path)
    assert line.result.attempts[0].outcome is not None
    assert line.telemetry.retries >= 1
