"""The limiter: never more than allowed within any minute, close to all of it, turns in order, and refusals heeded."""

from __future__ import annotations

import subprocess
import sys
import threading
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from waiting import HANG

from reasoningbank.errors import InfraError, RateLimited
from reasoningbank.llm.limits import MINUTE, Limiter, Limits, Pace, Window


class Clock:
    """Time that passes when it is told to."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def granted(window: Window, wanted: list[tuple[float, int]]) -> list[tuple[float, int]]:
    """When each of the wanted amounts is given, asked for one after the other, some time after the last was."""
    now, given_at = 0.0, []
    for pause, amount in wanted:
        now = window.ready(now + pause, amount)
        window.take(now, amount)
        given_at.append((now, amount))
    return given_at


def most_in_a_minute(taken: list[tuple[float, int]]) -> int:
    # a hair less than a minute: the times are sums of floats
    return max(sum(n for at, n in taken if start <= at < start + MINUTE - 1e-6) for start, _ in taken)


PAUSES = st.one_of(st.just(0.0), st.floats(0, 0.5), st.floats(0, 200))


@given(st.integers(1, 40), st.lists(PAUSES, min_size=1, max_size=150))
def test_no_minute_has_more_requests_than_allowed(allowed: int, pauses: list[float]) -> None:
    taken = granted(Window(allowed), [(pause, 1) for pause in pauses])
    assert most_in_a_minute(taken) <= allowed


@given(st.integers(100, 5000), st.lists(st.tuples(PAUSES, st.integers(0, 4000)), min_size=1, max_size=80))
def test_no_minute_has_more_tokens_than_allowed(allowed: int, wanted: list[tuple[float, int]]) -> None:
    taken = granted(Window(allowed), wanted)
    fitting = [(at, amount) for at, amount in taken if amount <= allowed]
    if fitting:
        assert most_in_a_minute(fitting) <= allowed
    for at, amount in taken:
        if amount > allowed:
            others = [n for then, n in taken if n and abs(then - at) < MINUTE - 1e-6 and (then, n) != (at, amount)]
            assert not others or max(others) > allowed, "what is larger than allowed goes alone"


@given(st.integers(1, 200))
def test_what_is_asked_for_without_a_pause_comes_close_to_what_is_allowed(allowed: int) -> None:
    taken = granted(Window(allowed), [(0.0, 1)] * (4 * allowed))
    assert taken[-1][0] <= 4 * MINUTE
    at_once = [at for at, _ in taken if at < 0.001]
    assert len(at_once) <= allowed / 10 + 2, "a minute's share does not go at once"


@given(st.lists(st.integers(1, 900), min_size=30, max_size=60))
def test_tokens_too(sizes: list[int]) -> None:
    taken = granted(Window(6000), [(0.0, size) for size in sizes])
    allowed_time = sum(sizes) / 6000 * MINUTE
    assert taken[-1][0] <= allowed_time * 1.25 + 10


def test_what_a_call_really_took_counts() -> None:
    window = Window(1000)
    entry = window.take(0.0, 100)
    window.correct(entry, 1000)
    assert window.ready(0.0, 1) == pytest.approx(MINUTE)
    window.correct(entry, 0)
    assert window.ready(0.0, 1000) == 0.0


@given(st.integers(1, 7), st.builds(Limits, requests_per_minute=st.integers(7, 500), in_flight=st.integers(7, 99)))
def test_the_shares_of_the_workers_are_the_whole(workers: int, limits: Limits) -> None:
    shares = [limits.share(number, workers) for number in range(workers)]
    assert sum(share.requests_per_minute or 0 for share in shares) == limits.requests_per_minute
    assert sum(share.in_flight or 0 for share in shares) == limits.in_flight
    assert {share.tokens_per_minute for share in shares} == {None}
    assert limits.most_workers == min(limits.requests_per_minute or 0, limits.in_flight or 0)


class Server:
    """Allows so many calls in each period of `seconds`; refuses the rest."""

    def __init__(self, allowed: int, seconds: float, *, says: bool) -> None:
        self._allowed, self._seconds, self._says = allowed, seconds, says
        self._period, self._count = -1, 0

    def refuses(self, now: float) -> RateLimited | None:
        if (period := int(now // self._seconds)) != self._period:
            self._period, self._count = period, 0
        self._count += 1
        if self._count <= self._allowed:
            return None
        return RateLimited("slower", retry_after=(period + 1) * self._seconds - now if self._says else None)


@pytest.mark.parametrize("says", [True, False], ids=["retry-after", "no-word"])
@pytest.mark.parametrize(("allowed", "seconds"), [(10, 1.0), (60, 60.0), (500, 60.0), (3, 1.0)])
def test_a_pace_is_learnt_from_refusals(allowed: int, seconds: float, says: bool) -> None:
    """In ten simulated minutes of calls without end: most of what the server allows is used, few calls are refused."""
    pace, server, now = Pace(), Server(allowed, seconds, says=says), 0.0
    answered = refused = 0
    while now < 600.0:
        now = pace.ready(now + 0.001)
        pace.take(now)
        error = server.refuses(now)
        if error is None:
            answered += 1
            pace.answered(now)
        else:
            refused += 1
            pace.refused(now, now, error.retry_after)
    most = allowed * 600 / seconds
    assert answered >= 0.75 * most
    assert refused <= 0.1 * answered + 10


def test_calls_that_were_under_way_at_a_refusal_teach_nothing_more() -> None:
    pace = Pace()
    for number in range(100):
        pace.answered(number / 10)
    pace.refused(10.0, 9.0, 1.0)
    before = pace.at(20.0)
    for _ in range(20):
        pace.refused(10.1, 9.5, 3.0)
    assert pace.at(20.0) == pytest.approx(before, rel=0.1)
    assert pace.paused_until == pytest.approx(13.1)


def test_a_pause_that_is_too_long_is_nobodys() -> None:
    pace = Pace(longest=900.0)
    pace.refused(0.0, 0.0, 7200.0)
    assert pace.ready(1.0) == 1.0
    pace.refused(2.0, 1.0, 900.0)
    assert pace.ready(3.0) == 902.0


def test_turns_are_given_in_order_and_no_more_are_in_flight_than_allowed() -> None:
    limiter = Limiter(Limits(in_flight=3))
    order: list[int] = []
    flying = peak = 0
    lock, asked = threading.Lock(), threading.Semaphore(0)

    def call(number: int) -> None:
        nonlocal flying, peak
        asked.release()
        with limiter.turn():
            with lock:
                order.append(number)
                flying += 1
                peak = max(peak, flying)
            time.sleep(0.005)
            with lock:
                flying -= 1

    threads = [threading.Thread(target=call, args=(number,)) for number in range(40)]
    with limiter.turn(), limiter.turn(), limiter.turn():
        for number, thread in enumerate(threads):
            thread.start()
            asked.acquire()
            while len(limiter._queue) <= number:
                time.sleep(0.0005)
    for thread in threads:
        thread.join(HANG)
    assert peak == 3
    # three start at the same time, and which of them notes it first is chance
    assert all(abs(place - number) < 3 for place, number in enumerate(order))


def test_a_refusal_makes_all_wait() -> None:
    limiter = Limiter()
    with pytest.raises(RateLimited), limiter.turn():
        raise RateLimited("slower", retry_after=0.3)
    begun = time.monotonic()
    threads = [threading.Thread(target=lambda: limiter.turn().__enter__()) for _ in range(4)]
    for thread in threads:
        thread.start()
    time.sleep(0.05)
    assert all(thread.is_alive() for thread in threads)
    threads[0].join(HANG)
    assert time.monotonic() - begun >= 0.29


def test_a_turn_ends_whatever_happens_in_it() -> None:
    limiter = Limiter(Limits(in_flight=1))
    for error in (InfraError("reset"), RateLimited("slower", retry_after=0.0), KeyboardInterrupt()):
        with pytest.raises(type(error)), limiter.turn():
            raise error
    with limiter.turn():
        pass


def test_tokens_in_turns() -> None:
    clock = Clock()
    limiter = Limiter(Limits(tokens_per_minute=6000), clock=clock)
    assert limiter.counts_tokens
    with limiter.turn(input_tokens=1000) as turn:
        assert turn.tokens == 1500, "a reply is thought to take as many as usual"
        turn.used(5900, 100)
    assert limiter._ready(limiter.turn(0)) == pytest.approx(MINUTE)
    clock.now = MINUTE
    assert limiter._ready(limiter.turn(0)) <= 0


def test_ctrl_c_leaves_a_queue_at_once() -> None:
    """Also in the main thread, where a program that uses the library has its calls."""
    code = (
        "import os, signal, threading, time\n"
        "from reasoningbank.llm.limits import Limiter, Limits\n"
        "limiter = Limiter(Limits(requests_per_minute=1))\n"
        "with limiter.turn(): pass\n"
        "threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()\n"
        "begun = time.monotonic()\n"
        "try:\n"
        "    limiter.turn().__enter__()\n"
        "except KeyboardInterrupt:\n"
        "    print(time.monotonic() - begun, len(limiter._queue))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=HANG, check=False)
    seconds, left = done.stdout.split()
    assert float(seconds) < 1.0
    assert left == "0"
