"""A network that is down, and a provider that allows little, are waited for; that is shown, and Ctrl-C is heard."""

from __future__ import annotations

import signal
import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from arithmetic import Calculator
from attempt_makers import TASK
from fakes.base import FakeServer, Fault, Request, plain, simulated
from fakes.openai_server import OpenAIApp
from runner_helpers import TINY, Started, results, run, start
from waiting import HANG, slowness

from reasoningbank.llm.calls import CallScope, ScopeKey
from reasoningbank.llm.limits import Limiter, Limits
from reasoningbank.llm.openai import OpenAIChat
from reasoningbank.llm.transport import Transport
from reasoningbank.types import Message

RUN = ["run", *TINY, "llm=openai", "llm.model=fake-model", "limit=2", "memory=none"]
ASK = (Message(role="user", content="How many?"),)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def lines_until(process: Started, text: str) -> list[str]:
    """What it says up to the first line with that text."""
    assert process.stdout is not None
    said: list[str] = []
    for line in process.stdout:
        said.append(line)
        if text in line:
            return said
    raise AssertionError("".join(said))


@pytest.fixture
def process(tmp_path: Path) -> Iterator[tuple[Started, int]]:
    """A run whose server is not there, when it has said so; and the port at which it looks for it."""
    port = free_port()
    where = [f"llm.base_url=http://127.0.0.1:{port}/v1", f"results_dir={tmp_path}", "run_name=late"]
    with start(*RUN, *where) as started:
        lines_until(started, "waiting for the network, ")
        yield started, port


def test_a_network_that_is_down_is_waited_for(process: tuple[Started, int], tmp_path: Path) -> None:
    started, port = process
    with FakeServer(OpenAIApp(simulated(Calculator())), port=port) as server:
        said, _ = started.communicate(timeout=HANG)
        assert started.returncode == 0, said
        where = [f"llm.base_url={server.url}/v1", f"results_dir={tmp_path}", "run_name=there"]
        assert run(*RUN, *where).returncode == 0
    assert results(tmp_path / "late") == results(tmp_path / "there")


def test_ctrl_c_is_heard_in_a_wait(process: tuple[Started, int]) -> None:
    started, _ = process
    begun = time.monotonic()
    started.send_signal(signal.SIGINT)
    said, _ = started.communicate(timeout=HANG)
    assert started.returncode == 130
    assert "the same command continues" in said
    assert time.monotonic() - begun < 1.0 * slowness() + 1.0


@pytest.mark.long
def test_an_outage_without_an_end_stops_the_stream_after_its_wait(tmp_path: Path) -> None:
    """Once: an episode is not tried again to wait as long anew."""
    where = [f"llm.base_url=http://127.0.0.1:{free_port()}/v1", f"results_dir={tmp_path}"]
    begun = time.monotonic()
    done = run(*RUN, *where, "llm.outage_wait=1", "llm.tries=1", "retries=50")
    assert time.monotonic() - begun < HANG / 2
    assert done.returncode == 3
    assert "cannot be reached" in done.stderr
    assert "the same command continues" in done.stderr
    assert "try 2 of" not in done.stdout


@pytest.mark.long
def test_ctrl_c_is_heard_while_a_limit_is_waited_for(tmp_path: Path) -> None:
    with FakeServer(OpenAIApp(simulated(Calculator()))) as server:
        where = [f"llm.base_url={server.url}/v1", f"results_dir={tmp_path}", "llm.requests_per_minute=1"]
        with start(*RUN, *where) as started:
            until = time.monotonic() + HANG
            while not server.requests:
                assert time.monotonic() < until
                assert started.poll() is None
                time.sleep(0.05)
            time.sleep(0.5)
            begun = time.monotonic()
            started.send_signal(signal.SIGINT)
            said, _ = started.communicate(timeout=HANG)
            assert started.returncode == 130, said
            assert time.monotonic() - begun < 1.0 * slowness() + 1.0
        assert len(server.requests) == 1


class Allowing:
    """Refuses what is beyond `allowed` calls in each second, and says when the next one begins."""

    def __init__(self, allowed: int, *, says: bool) -> None:
        self._allowed = allowed
        self._says = says
        self._lock = threading.Lock()
        self._second, self._count = -1, 0
        self.refused = 0

    def __call__(self, request: Request) -> Fault | None:
        now = time.monotonic()
        with self._lock:
            if (second := int(now)) != self._second:
                self._second, self._count = second, 0
            self._count += 1
            if self._count <= self._allowed:
                return None
            self.refused += 1
        after = (("retry-after-ms", str(int((second + 1 - now) * 1000) + 1)),) if self._says else ()
        return Fault("status", status=429, headers=after)


def calls_of(server: FakeServer, limiter: Limiter, threads: int, calls: int) -> float:
    """Seconds that so many calls take from each of so many attempts at once. None of them fails."""
    model = OpenAIChat(model="fake-model", base_url=f"{server.url}/v1")
    transport = Transport(limiters={"agent": limiter})

    def attempt(index: int) -> None:
        key = ScopeKey(seed=0, trial=0, suite="any", suite_seed=0, task=TASK.id, attempt=index)
        scope = CallScope(llms={"agent": model}, key=key, transport=transport)
        for _ in range(calls):
            assert scope.ask("agent", ASK).text == "three"

    begun = time.monotonic()
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(attempt, range(threads)))
    model.close()
    return time.monotonic() - begun


@pytest.mark.long
@pytest.mark.parametrize("says", [True, pytest.param(False, marks=pytest.mark.long)], ids=["retry-after", "no-word"])
def test_a_server_that_refuses_is_asked_at_about_the_pace_that_it_allows(says: bool) -> None:
    allowing = Allowing(20, says=says)
    with FakeServer(OpenAIApp(lambda asked: plain("three")), faults=allowing) as server:
        seconds = calls_of(server, Limiter(), threads=8, calls=15)
        answered = len(server.requests) - allowing.refused
    assert answered == 120
    least = 120 / 20 - 1
    assert least <= seconds <= least * 2.5 + 2 * slowness()
    assert 1 <= allowing.refused <= 60


@pytest.mark.long
def test_who_knows_the_limit_is_not_refused() -> None:
    allowing = Allowing(25, says=True)
    with FakeServer(OpenAIApp(lambda asked: plain("three")), faults=allowing) as server:
        seconds = calls_of(server, Limiter(Limits(requests_per_minute=180, in_flight=4)), threads=8, calls=4)
        assert server.peak <= 4
    assert allowing.refused == 0
    # 19 at once, and 13 at 3 a second
    assert 4.0 <= seconds <= 4.4 + 3 * slowness()
