"""The retry policy: faults use up tries, rate limits hardly any, outages none; time is bounded, what ends it told."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reasoningbank.errors import InfraError, Outage, RateLimited, SetupError
from reasoningbank.retry import LIMITED_A_TRY, OUTAGE_PAUSE, RetryPolicy


class World:
    """A server that fails as told, and a clock that sleeping moves."""

    def __init__(self, error: Callable[[int], Exception | None], *, took: float = 0.0) -> None:
        self.now = 0.0
        self.calls = 0
        self.waits: list[float] = []
        self.told: list[str] = []
        self._error = error
        self._took = took

    def call(self, failures: int) -> str:
        assert failures == self.calls
        self.calls += 1
        self.now += self._took
        if (error := self._error(self.calls)) is not None:
            raise error
        return "done"

    def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.now += seconds

    def run(self, policy: RetryPolicy, *, queued: float = 0.0) -> str:
        return policy.run(
            self.call,
            rng=random.Random(0),
            sleep=self.sleep,
            clock=lambda: self.now,
            waiting=self.told.append,
            queued=lambda: queued,
        )


def until(number: int, error: Exception) -> Callable[[int], Exception | None]:
    return lambda calls: error if calls < number else None


def test_what_a_server_asks_to_wait_is_waited() -> None:
    world = World(until(4, RateLimited("slower", retry_after=20.0)))
    assert world.run(RetryPolicy()) == "done"
    assert len(world.waits) == 3
    assert all(20.0 <= wait <= 21.0 for wait in world.waits)
    assert [text[:25] for text in world.told] == ["waiting for a rate limit,", ""] * 3


def test_a_longer_wait_than_allowed_is_given_up_at_once_and_told() -> None:
    world = World(lambda calls: RateLimited("daily quota", retry_after=7200.0))
    with pytest.raises(InfraError, match=r"daily quota; given up: to wait 7,200 s is asked.*900 s of give_up_after"):
        world.run(RetryPolicy())
    assert world.calls == 1
    assert not world.waits


def test_rate_limits_use_up_a_tenth_of_a_try() -> None:
    world = World(lambda calls: RateLimited("slower"))
    with pytest.raises(RateLimited):
        world.run(RetryPolicy(attempts=2, first_wait=0.0))
    assert world.calls == 2 * LIMITED_A_TRY


def test_faults_are_capped_in_number_and_in_time() -> None:
    world = World(lambda calls: InfraError("500"))
    with pytest.raises(InfraError, match=r"^500$"):
        world.run(RetryPolicy(attempts=4))
    assert world.calls == 4
    slow = World(lambda calls: InfraError("timeout"), took=300.0)
    with pytest.raises(InfraError, match=r"timeout; given up: 90\d of the 700 s of give_up_after"):
        slow.run(RetryPolicy(attempts=100, give_up_after=700.0))
    assert slow.calls == 3


def test_a_wait_that_a_person_would_notice_is_told_with_its_reason() -> None:
    world = World(until(4, InfraError("500")))
    world.run(RetryPolicy(attempts=9, first_wait=1.0))
    assert world.told[0].startswith("waiting to try again, ")
    assert world.told[0].endswith(" s (500)")
    assert len([text for text in world.told if text]) == sum(seconds >= 2.0 for seconds in world.waits)


def test_an_outage_uses_up_no_try_and_is_told() -> None:
    world = World(until(20, Outage("no route")), took=1.0)
    assert world.run(RetryPolicy(attempts=1, outage_wait=600.0)) == "done"
    assert max(world.waits) <= OUTAGE_PAUSE
    assert world.told[0].startswith("waiting for the network, ")
    assert world.told[-1] == ""
    assert all(text.endswith(" s (no route)") for text in world.told if text)
    told = [int(text.split()[4]) for text in world.told if text]
    assert told == sorted(told)
    assert told[-1] == pytest.approx(world.now, abs=3)


def test_an_outage_without_an_end_is_a_fault() -> None:
    world = World(lambda calls: Outage("no route"))
    with pytest.raises(Outage, match="no route"):
        world.run(RetryPolicy(attempts=3, outage_wait=100.0))
    assert 100.0 <= world.now <= 100.0 + 1.0 + 2.0
    at_once = World(lambda calls: Outage("no route"))
    with pytest.raises(Outage):
        at_once.run(RetryPolicy(attempts=3))
    assert at_once.calls == 3


def test_a_network_that_comes_back_may_go_again() -> None:
    """Each outage is waited out anew; what else fails is counted on."""
    world = World(lambda calls: InfraError("500") if calls % 10 == 0 else Outage("no route") if calls < 35 else None)
    assert world.run(RetryPolicy(attempts=4, outage_wait=120.0)) == "done"


def test_outages_take_none_of_the_time() -> None:
    world = World(until(30, Outage("no route")))
    assert world.run(RetryPolicy(give_up_after=1.0, outage_wait=10_000.0)) == "done"
    assert world.now > 100.0


def test_nothing_else_is_tried_again() -> None:
    world = World(lambda calls: SetupError("no such model"))
    with pytest.raises(SetupError):
        world.run(RetryPolicy(outage_wait=600.0))
    assert world.calls == 1


ERRORS = st.one_of(
    st.just(InfraError("500")),
    st.just(Outage("no route")),
    st.floats(0, 2000).map(lambda seconds: RateLimited("slower", retry_after=seconds)),
    st.just(RateLimited("slower")),
)


@given(
    st.lists(ERRORS, min_size=1, max_size=8),
    st.integers(1, 6),
    st.floats(0, 1000),
    st.floats(0, 1000),
    st.floats(0, 30),
)
def test_it_always_ends_within_its_bounds(
    errors: list[Exception], attempts: int, give_up_after: float, outage_wait: float, took: float
) -> None:
    world = World(lambda calls: errors[calls % len(errors)], took=took)
    policy = RetryPolicy(attempts=attempts, give_up_after=give_up_after, outage_wait=outage_wait)
    with pytest.raises(InfraError):
        world.run(policy)
    raised = [errors[number % len(errors)] for number in range(1, world.calls + 1)]
    limited = sum(isinstance(error, RateLimited) for error in raised)
    faults = sum(not isinstance(error, RateLimited | Outage) for error in raised)
    assert faults + limited / LIMITED_A_TRY < attempts + 1
    if not any(isinstance(error, Outage) for error in errors):
        assert sum(world.waits) <= give_up_after
        assert world.now <= give_up_after + took * 2


def test_to_wait_for_a_turn_is_no_time_that_a_try_took() -> None:
    world = World(until(4, InfraError("500")), took=100.0)
    policy = RetryPolicy(attempts=5, give_up_after=60.0)
    with pytest.raises(InfraError, match="given up"):
        world.run(policy)
    world = World(until(4, InfraError("500")), took=100.0)
    assert world.run(policy, queued=99.0) == "done"
