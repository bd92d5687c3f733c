"""The one retry policy: an InfraError is tried again with growing, jittered waits; nothing else is.

- A fault of the server or on the way (5xx, timeouts, resets) uses up a try.
- A rate limit uses up a tenth of one: the server works. What it asks to wait is waited, or, where that is longer than
  `give_up_after` leaves, given up at once.
- An outage, in which nothing was reached, uses up none for `outage_wait` seconds, and is a fault from then on.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from pydantic import Field

from reasoningbank.errors import InfraError, Outage, RateLimited
from reasoningbank.types import Record

if TYPE_CHECKING:
    from tenacity import RetryCallState

T = TypeVar("T")
Waiting = Callable[[str], None]
"""Gets what is waited for, to be shown to a person; an empty text when that is over."""

LIMITED_A_TRY = 10
"""Rate limits that use up one try."""
OUTAGE_PAUSE = 15.0
"""Seconds between two looks at a network that is down, at most."""
WORTH_TELLING = 2.0
"""Seconds of waiting from which on it is told."""


class RetryPolicy(Record):
    """How often and how patiently. Transport settings: they are no part of what makes two runs the same."""

    attempts: int = Field(5, ge=1, description="tries in all, the first included")
    first_wait: float = Field(1.0, ge=0, description="seconds before the second try; doubled for each further one")
    longest_wait: float = Field(60.0, ge=0, description="seconds a single wait never exceeds, unless a server asks so")
    give_up_after: float = Field(
        900.0, ge=0, description="seconds that failed tries and the waits between them may take, outages apart"
    )
    outage_wait: float = Field(0.0, ge=0, description="seconds for which an outage uses up no try")

    def wait(self, failures: int, rng: random.Random) -> float:
        """Seconds after the `failures`-th failure: half of the exponential wait, and up to the other half by chance."""
        full: float = min(self.longest_wait, self.first_wait * 2.0 ** min(failures - 1, 30))
        return full / 2 + rng.random() * full / 2

    def run(
        self,
        call: Callable[[int], T],
        *,
        rng: random.Random,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
        waiting: Waiting = lambda text: None,
        queued: Callable[[], float] = lambda: 0.0,
    ) -> T:
        """`call(failures so far)` until it returns. `queued`: seconds for which the last try waited for its turn, which
        are no time that it took.

        The last InfraError is raised as it is, or one that says which setting ended it.
        """
        from tenacity import Retrying, retry_if_exception_type

        tries = _Tries(self, rng, clock, waiting, queued)
        retrying = Retrying(
            stop=tries.over,
            wait=tries.wait,
            retry=retry_if_exception_type(InfraError),
            sleep=sleep,
            reraise=True,
        )
        return retrying(lambda: tries.make(call))


class _Tries:
    """What one call has gone through. Durations are those of calls and waits, added up, whatever sleeping took."""

    def __init__(
        self,
        policy: RetryPolicy,
        rng: random.Random,
        clock: Callable[[], float],
        waiting: Waiting,
        queued: Callable[[], float],
    ) -> None:
        self._policy = policy
        self._rng = rng
        self._clock = clock
        self._waiting = waiting
        self._queued = queued
        self._made = self._faults = self._limited = self._looks = 0
        self._took = self._spent = self._outage = 0.0
        self._told = False
        self._end: InfraError | None = None

    def make(self, call: Callable[[int], T]) -> T:
        begun = self._clock()
        try:
            return call(self._made)
        finally:
            self._made += 1
            self._took = max(0.0, self._clock() - begun - self._queued())
            if self._told:
                self._told = False
                self._waiting("")

    def wait(self, state: RetryCallState) -> float:
        """Seconds until the next try; settles whether there is one."""
        assert state.outcome is not None
        error = state.outcome.exception()
        assert isinstance(error, InfraError)
        if isinstance(error, Outage) and self._outage < self._policy.outage_wait:
            return self._out(error)
        self._outage, self._looks = (self._outage, self._looks) if isinstance(error, Outage) else (0.0, 0)
        asked: float | None = None
        if isinstance(error, RateLimited):
            self._limited += 1
            asked = error.retry_after
            seconds = self._policy.wait(self._limited, self._rng)
            if asked is not None:
                # not all at the same moment
                seconds = asked + self._rng.random() * min(1.0, self._policy.first_wait)
        else:
            self._faults += 1
            seconds = self._policy.wait(self._faults, self._rng)
        self._spent += self._took
        if self._faults + self._limited / LIMITED_A_TRY >= self._policy.attempts:
            self._end = error
        elif self._spent + seconds > self._policy.give_up_after:
            wish = "" if asked is None else f" to wait {asked:,.0f} s is asked, and"
            self._end = InfraError(
                f"{error}; given up:{wish} {self._spent:,.0f} of the {self._policy.give_up_after:,.0f} s of "
                "give_up_after are used"
            )
        elif seconds >= WORTH_TELLING:
            what = "for a rate limit" if isinstance(error, RateLimited) else "to try again"
            self._tell(f"waiting {what}, {seconds:.0f} s ({error})")
        self._spent += seconds
        return seconds

    def over(self, state: RetryCallState) -> bool:
        assert state.outcome is not None
        if self._end is None or self._end is state.outcome.exception():
            return self._end is not None
        raise self._end from state.outcome.exception()

    def _out(self, error: Outage) -> float:
        self._looks += 1
        left = self._policy.outage_wait - self._outage
        seconds = min(self._policy.wait(self._looks, self._rng), OUTAGE_PAUSE, left)
        self._tell(f"waiting for the network, {self._outage + seconds:.0f} s ({error})")
        # without a wait, as tests have it, looks must end too
        self._outage += max(self._took + seconds, 1e-3)
        return seconds

    def _tell(self, text: str) -> None:
        self._told = True
        self._waiting(text)
