"""A browser's processes: they end with the one that started them, however that ends, and a death is an infra error."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from chromium_here import needs_chromium
from test_environment import TASK, open_sites
from waiting import HANG

from eval.suites.web.chromium.environment import BrowserEnvironment
from eval.suites.web.chromium.find import find_chromium
from reasoningbank.errors import InfraError

pytestmark = needs_chromium
HERE = Path(__file__).parent
PROGRAM = """
import signal, sys, time
signal.signal(signal.SIGINT, signal.default_int_handler)  # whoever runs the tests may be deaf to it
sys.path[:0] = [{root!r}, {here!r}]
from test_environment import TASK, open_sites
from eval.suites.web.chromium.environment import BrowserEnvironment
from eval.suites.web.chromium.find import find_chromium
env = BrowserEnvironment(open_sites=open_sites, program=find_chromium(None), placeholders={{"__NOTES__": "http://notes.test"}})
env.reset(TASK, 0)
print("open", flush=True)
{then}
"""


def environment() -> BrowserEnvironment:
    return BrowserEnvironment(
        open_sites=open_sites, program=find_chromium(None), placeholders={"__NOTES__": "http://notes.test"}
    )


def family(pid: int) -> set[int]:
    """The processes below one, and it."""
    found = {pid}
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in task.read_text().split():
            found |= family(int(child))
    return found


def command(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
    except OSError:
        return ""


def living(pids: set[int]) -> list[str]:
    """What is left of them: a process that has ended has no command line, whether anybody has asked for it or not."""
    return [said for pid in pids if (said := command(pid))]


def gone(pids: set[int]) -> bool:
    until = time.monotonic() + HANG
    while living(pids) and time.monotonic() < until:
        time.sleep(0.05)
    return not living(pids)


def browsers(pids: set[int]) -> list[int]:
    """The browser itself, behind the script that starts it: the last is the one."""
    return sorted(pid for pid in pids if "--remote-debugging-pipe" in command(pid) and "--type=" not in command(pid))


@pytest.mark.parametrize(
    ("then", "number"),
    [
        ("time.sleep(600)", signal.SIGKILL),
        pytest.param("time.sleep(600)", signal.SIGTERM, marks=pytest.mark.long),
        pytest.param("time.sleep(600)", signal.SIGINT, marks=pytest.mark.long),
        pytest.param("env.step('noop(60000)')", signal.SIGKILL, marks=pytest.mark.long),
        pytest.param("import os; os._exit(3)", None, marks=pytest.mark.long),
    ],
)
def test_nothing_is_left_of_a_browser_when_its_process_ends(then: str, number: signal.Signals | None) -> None:
    text = PROGRAM.format(root=str(HERE.parents[1]), here=str(HERE), then=f"time.sleep(1); {then}")
    with subprocess.Popen(
        [sys.executable, "-c", text], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True
    ) as program:
        assert program.stdout is not None
        assert program.stdout.readline() == b"open\n"
        pids = family(program.pid)
        assert browsers(pids)
        if number is not None:
            os.kill(program.pid, number)
        program.wait(HANG)
    assert gone(pids - {program.pid}), living(pids)


def test_a_browser_that_dies_is_an_infra_error_and_the_next_reset_has_another() -> None:
    env = environment()
    env.reset(TASK, 0)
    assert env._process is not None
    pids = family(env._process.pid)
    os.kill(browsers(pids)[-1], signal.SIGKILL)
    with pytest.raises(InfraError, match="browser"):
        env.step("click('7')")
    with pytest.raises(InfraError):
        env.finish("done")
    assert "Note" in env.reset(TASK, 0).text
    assert gone(pids), living(pids)
    env.close()


@pytest.mark.long
def test_a_page_that_crashes_is_an_infra_error() -> None:
    env = environment()
    env.reset(TASK, 0)
    assert env._process is not None
    shown = [pid for pid in family(env._process.pid) if "--type=renderer" in command(pid)]
    for pid in shown:
        os.kill(pid, signal.SIGKILL)
    with pytest.raises(InfraError, match=r"a page has crashed: http://notes\.test/"):
        env.step("click('7')")
    env.close()


@pytest.mark.long
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSEGV])
def test_a_process_that_dies_is_an_infra_error(number: signal.Signals) -> None:
    env = environment()
    env.reset(TASK, 0)
    assert env._process is not None
    pids = family(env._process.pid)
    os.kill(env._process.pid, number)
    with pytest.raises(InfraError, match="process has ended"):
        env.step("click('7')")
    env.close()
    assert gone(pids), living(pids)
