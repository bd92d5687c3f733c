"""The one retry policy: an InfraError is tried again with growing, jittered waits; nothing else is."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from itertools import count
from typing import TYPE_CHECKING, TypeVar

from pydantic import Field

from reasoningbank.errors import InfraError
from reasoningbank.types import Record

if TYPE_CHECKING:
    from tenacity import RetryCallState

T = TypeVar("T")


class RetryPolicy(Record):
    """How often and how patiently. Transport settings: they are no part of what makes two runs the same."""

    attempts: int = Field(5, ge=1, description="tries in all, the first included")
    first_wait: float = Field(1.0, ge=0, description="seconds before the second try; doubled for each further one")
    longest_wait: float = Field(60.0, ge=0, description="seconds a single wait never exceeds")

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
    ) -> T:
        """`call(failures so far)` until it returns. The last InfraError is raised as it is."""
        from tenacity import Retrying, retry_if_exception_type, stop_after_attempt

        tries = count()

        def wait(state: RetryCallState) -> float:
            return self.wait(state.attempt_number, rng)

        retrying = Retrying(
            stop=stop_after_attempt(self.attempts),
            wait=wait,
            retry=retry_if_exception_type(InfraError),
            sleep=sleep,
            reraise=True,
        )
        return retrying(lambda: call(next(tries)))
