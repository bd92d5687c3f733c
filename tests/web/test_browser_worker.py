"""The process of a browser, with a stub in the browser's place: who is at fault, how long it may take, and whose turn
it is."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from waiting import HANG

from eval.suites.web.chromium import process
from eval.suites.web.chromium.actions import longest
from eval.suites.web.chromium.process import BrowserProcess
from eval.suites.web.chromium.turns import Turns
from reasoningbank.errors import CodeError, InfraError

HERE = Path(__file__).parent
ROOT = HERE.parents[1]


@pytest.fixture
def stub(monkeypatch: pytest.MonkeyPatch) -> Iterator[BrowserProcess]:
    monkeypatch.setenv("PYTHONPATH", str(HERE))
    made = BrowserProcess("stub_worker")
    yield made
    made.kill()


def test_a_mistake_in_some_code_is_told_as_one_and_the_rest_is_tried_again(stub: BrowserProcess) -> None:
    with pytest.raises(CodeError, match=r"environment: AttributeError: .*\(stub_worker\.py:\d+ in fail\)"):
        stub.ask({"do": "fail", "how": "our mistake"}, within=HANG)
    with pytest.raises(CodeError, match=r"TypeError: wait\(\) got an unexpected keyword argument"):
        stub.ask({"do": "wait", "minutes": 1}, within=HANG)
    for how, told in (
        ("a library's", "the browser failed: TypeError: the JSON object"),
        ("our own", "^the site is away$"),
        ("network", "the browser failed: ConnectionResetError: gone"),
        ("browser", "the browser failed: RuntimeError: page crashed"),
    ):
        with pytest.raises(InfraError, match=told):
            stub.ask({"do": "fail", "how": how}, within=HANG)
    assert stub.ask({"do": "close"}, within=HANG) == {}


def test_a_program_that_cannot_be_made_is_a_mistake_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(HERE))
    made = BrowserProcess("broken_worker")
    try:
        for _ in range(2):
            with pytest.raises(CodeError, match="ModuleNotFoundError: No module named 'no_such_module_anywhere'"):
                made.ask({"do": "close"}, within=HANG)
    finally:
        made.kill()


def test_what_takes_too_long_is_an_infra_error(stub: BrowserProcess) -> None:
    stub.ask({"do": "close"}, within=HANG)
    with pytest.raises(InfraError, match=r"gives no answer within 0\.1 s"):
        stub.ask({"do": "wait", "seconds": 600.0}, within=0.1)


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("click('1')", 60.0),
        ("noop()", 61.0),
        ("noop(2500)", 62.5),
        ("noop(600000)", 70.0),
        ("noop(-5)", 60.0),
        ("\n".join(["noop(10000)"] * 20), 20 * 70.0),
        ("noop(1000); click('1') noop(1000)", 2 * 61.0 + 60.0),
        ("click(", 0.0),
    ],
)
def test_the_time_for_an_answer_grows_with_what_is_asked_for(text: str, seconds: float) -> None:
    assert longest(text, 30.0) == seconds


HOLDER = """
import sys, time
from pathlib import Path
sys.path.insert(0, {root!r})
from eval.suites.web.chromium.turns import Turns
turns = Turns(Path({folder!r}), {most})
for _ in range({times}):
    with turns.turn():
        began = time.monotonic()
        print("has it", flush=True)
        time.sleep({held})
        print(began, time.monotonic(), flush=True)
"""


def holder(folder: Path, *, most: int, held: float, times: int = 1) -> subprocess.Popen[str]:
    """A process that takes turns."""
    text = HOLDER.format(root=str(ROOT), folder=str(folder), most=most, held=held, times=times)
    return subprocess.Popen([sys.executable, "-c", text], stdout=subprocess.PIPE, text=True)


def test_no_more_work_at_a_time_than_there_are_turns_in_all_processes_together(tmp_path: Path) -> None:
    with (
        holder(tmp_path / "a" / "b", most=2, held=0.05, times=4) as one,
        holder(tmp_path / "a" / "b", most=2, held=0.05, times=4) as two,
        holder(tmp_path / "a" / "b", most=2, held=0.05, times=4) as three,
    ):
        said = [line for program in (one, two, three) for line in program.communicate(timeout=HANG)[0].splitlines()]
    spans = [tuple(map(float, line.split())) for line in said if line != "has it"]
    assert len(spans) == 12
    assert max(sum(began <= each[0] < ended for began, ended in spans) for each in spans) <= 2


def test_a_process_that_dies_frees_its_turn_and_one_that_stops_holds_nobody_up(tmp_path: Path) -> None:
    with holder(tmp_path, most=1, held=600.0) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "has it\n"
        began = time.monotonic()
        with Turns(tmp_path, 1, longest=0.2).turn():
            assert 0.2 <= time.monotonic() - began < HANG
        patient = Turns(tmp_path, 1, longest=HANG)
        threading.Timer(0.2, other.kill).start()
        began = time.monotonic()
        with patient.turn():
            assert time.monotonic() - began < HANG / 2


def test_threads_take_turns_as_well(tmp_path: Path) -> None:
    turns, at_once, most = Turns(tmp_path, 2), 0, []
    guard = threading.Lock()

    def work() -> None:
        nonlocal at_once
        with turns.turn():
            with guard:
                at_once += 1
                most.append(at_once)
            time.sleep(0.02)
            with guard:
                at_once -= 1

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert max(most) == 2


def test_a_folder_that_cannot_be_used_is_an_infra_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with (
        pytest.raises(InfraError, match=r"turns in .* cannot be taken: Not a directory"),
        Turns(tmp_path / "file" / "x", 1).turn(),
    ):
        raise AssertionError


def test_a_request_to_a_browser_takes_a_turn(
    stub: BrowserProcess, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "machine_turns", lambda: Turns(tmp_path, 1, longest=0.3))
    stub.ask({"do": "close"}, within=HANG)
    with holder(tmp_path, most=1, held=600.0) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "has it\n"
        began = time.monotonic()
        stub.ask({"do": "close"}, within=HANG)
        assert time.monotonic() - began >= 0.3
        other.kill()
