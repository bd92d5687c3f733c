"""How fast a provider is asked: requests and tokens a minute, calls in flight, and what its refusals teach.

    limiter = Limiter(Limits(requests_per_minute=500, in_flight=32))
    with limiter.turn(input_tokens=4_000) as turn:
        reply = llm.complete(...)              # RateLimited slows all down, and makes all wait
        turn.used(reply.usage.input_tokens, reply.usage.output_tokens)

Turns are given in the order in which they were asked for. Within any minute never more are given than allowed, and
only a tenth of that at once. Libraries for this know no corrections of what a call took after it was made, no common
pause and no learning from refusals, and grant turns in no order.
"""

from __future__ import annotations

import math
import threading
import time
from collections import deque
from collections.abc import Callable
from types import TracebackType
from typing import Self

from reasoningbank.errors import RateLimited
from reasoningbank.types import AtLeastOne, Record

MINUTE = 60.0
AT_ONCE = 0.1
"""Share of a minute's amount that may go at once."""
FIRST_PAUSE, LONGEST_PAUSE = 1.0, 30.0
"""Seconds of pause after a refusal that names none: doubled with each further one in a row."""
LONGEST_ASKED = 900.0
"""Seconds that are paused at most where a provider names them."""
BELOW = 0.9
"""After a refusal calls go at this share of the pace at which they were answered."""
REGAIN = 0.03
"""And faster by so much with each second."""
USUAL_OUTPUT = 500
"""Tokens that a reply is thought to take before any has come."""


class Limits(Record):
    """What is allowed. None: as much as is asked for."""

    requests_per_minute: AtLeastOne | None = None
    tokens_per_minute: AtLeastOne | None = None
    in_flight: AtLeastOne | None = None

    def share(self, number: int, workers: int) -> Limits:
        """That of process `number` (from 0) of `workers`. Together they are the whole, if each is 1 at least."""
        given = self.model_dump()
        return Limits(
            **{
                key: None if most is None else max(1, most // workers + (number < most % workers))
                for key, most in given.items()
            }
        )

    @property
    def most_workers(self) -> int | None:
        """Among how many processes it can be divided."""
        return min((most for most in self.model_dump().values() if most is not None), default=None)


class Window:
    """At most `amount` within any `seconds`, spread evenly but for a tenth of it. Times are handed in, in order.

    What is larger than all that is allowed goes alone.
    """

    def __init__(self, amount: float, seconds: float = MINUTE) -> None:
        self._amount = amount
        self._seconds = seconds
        self._slack = seconds * AT_ONCE
        self._even = -math.inf
        """When all that was taken would have been, had it come evenly."""
        self._taken: deque[list[float]] = deque()
        self._sum = 0.0

    def ready(self, now: float, wanted: float) -> float:
        """The time from which on `wanted` can be taken; `now` at the earliest."""
        self._forget(now)
        at = max(now, self._even - self._slack)
        excess = self._sum + min(wanted, self._amount) - self._amount
        for time_, amount in self._taken:
            if excess <= 1e-9:
                break
            excess -= amount
            at = max(at, time_ + self._seconds)
        return at

    def take(self, now: float, amount: float) -> list[float]:
        """Count `amount`; what is returned names it for `correct`."""
        entry = [now, amount]
        self._taken.append(entry)
        self._sum += amount
        self._even = max(now, self._even) + amount / self._amount * self._seconds
        return entry

    def correct(self, entry: list[float], amount: float) -> None:
        """It was another amount than was thought."""
        more = amount - entry[1]
        entry[1] = amount
        if self._taken and entry[0] >= self._taken[0][0]:
            self._sum += more
        self._even += more / self._amount * self._seconds

    def _forget(self, now: float) -> None:
        while self._taken and self._taken[0][0] + self._seconds <= now:
            self._sum -= self._taken.popleft()[1]
        if not self._taken:
            self._sum = 0.0


class Pace:
    """Calls a second, as learnt from refusals; as many as are asked for as long as there are none. Times are handed in.

    Where a provider asks for a pause longer than `longest`, whoever made the call gives up, and nobody else waits.
    """

    def __init__(self, longest: float = LONGEST_ASKED) -> None:
        self._longest = longest
        self.paused_until = -math.inf
        self._answered: deque[float] = deque(maxlen=10_000)
        self._refused_at = -math.inf
        self._refusals = 0
        self._pace: float | None = None
        self._next = -math.inf

    def ready(self, now: float) -> float:
        return max(now, self.paused_until, self._next)

    def take(self, now: float) -> None:
        if self._pace is not None:
            self._next = max(now, self._next) + 1.0 / self.at(now)

    def at(self, now: float) -> float:
        """Calls a second, at this time."""
        assert self._pace is not None
        return self._pace * math.exp(min(REGAIN * max(0.0, now - self.paused_until), 100.0))

    def answered(self, now: float) -> None:
        self._refusals = 0
        self._answered.append(now)

    def refused(self, now: float, begun: float, asked: float | None) -> None:
        """A call that began at `begun` was refused; `asked` are the seconds that the provider wants us to wait.

        Calls that were under way when another was refused teach nothing new.
        """
        if asked is not None and asked > self._longest:
            return
        first = begun >= self._refused_at
        self._refusals += first
        pause = min(FIRST_PAUSE * 2.0 ** (self._refusals - 1), LONGEST_PAUSE) if asked is None else asked
        before = None if self._pace is None else self.at(now)
        self.paused_until = max(self.paused_until, now + pause)
        if not first:
            return
        self._refused_at = now
        while self._answered and self._answered[0] <= now - MINUTE:
            self._answered.popleft()
        # what was answered until the provider takes calls again: by its own account that is one period of its
        since = self._answered[0] if self._answered else now
        period = max(now - since + pause, 1e-3)
        pace = BELOW * max(len(self._answered), 1) / period
        self._pace = pace if before is None else min(pace, before)
        self._next = self.paused_until


class Limiter:
    """The turns of one provider in one process. Thread-safe."""

    def __init__(
        self,
        limits: Limits | None = None,
        *,
        longest_pause: float = LONGEST_ASKED,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        limits = limits or Limits()
        self._clock = clock
        self._lock = threading.Lock()
        self._queue: deque[threading.Condition] = deque()
        self._most = limits.in_flight
        self._flying = 0
        self._pace = Pace(longest_pause)
        self._requests = _window(limits.requests_per_minute)
        self._tokens = _window(limits.tokens_per_minute)
        self._output = float(USUAL_OUTPUT)
        self.counts_tokens = self._tokens is not None

    def turn(self, input_tokens: int = 0) -> Turn:
        """A context manager that waits for its turn. `input_tokens`, an estimate, matter where `counts_tokens`; the
        reply is thought to take as many as others lately."""
        return Turn(self, input_tokens + round(self._output) if self.counts_tokens else 0)

    def _enter(self, turn: Turn) -> None:
        asked = self._clock()
        with self._lock:
            try:
                self._wait(turn)
            finally:
                turn.queued = self._clock() - asked

    def _wait(self, turn: Turn) -> None:
        """Until the turn is granted; the lock is held."""
        if not self._queue and self._ready(turn) <= 0:
            self._grant(turn)
            return
        mine = threading.Condition(self._lock)
        self._queue.append(mine)
        try:
            while self._queue[0] is not mine:
                mine.wait()
            while (left := self._ready(turn)) > 0:
                mine.wait(None if left == math.inf else left)
            self._grant(turn)
        finally:
            self._queue.remove(mine)
            self._wake()

    def _ready(self, turn: Turn) -> float:
        """Seconds until the turn can be granted; infinite until a call ends."""
        if self._most is not None and self._flying >= self._most:
            return math.inf
        now = self._clock()
        at = self._pace.ready(now)
        if self._requests is not None:
            at = max(at, self._requests.ready(now, 1))
        if self._tokens is not None:
            at = max(at, self._tokens.ready(now, turn.tokens))
        return at - now

    def _grant(self, turn: Turn) -> None:
        now = turn.begun = self._clock()
        self._flying += 1
        self._pace.take(now)
        if self._requests is not None:
            self._requests.take(now, 1)
        if self._tokens is not None:
            turn.entry = self._tokens.take(now, turn.tokens)

    def _exit(self, turn: Turn, error: BaseException | None) -> None:
        with self._lock:
            self._flying -= 1
            now = self._clock()
            if isinstance(error, RateLimited):
                self._pace.refused(now, turn.begun, error.retry_after)
            elif error is None:
                self._pace.answered(now)
            if self._tokens is not None and turn.entry is not None and turn.taken is not None:
                self._tokens.correct(turn.entry, sum(turn.taken))
                self._output += (turn.taken[1] - self._output) / 10
            self._wake()

    def _wake(self) -> None:
        if self._queue:
            self._queue[0].notify()


class Turn:
    """One call's. Without a limiter it is given at once."""

    def __init__(self, limiter: Limiter | None = None, tokens: int = 0) -> None:
        self.tokens = tokens
        self.taken: tuple[int, int] | None = None
        self.begun = 0.0
        self.queued = 0.0
        """Seconds for which it was waited for."""
        self.entry: list[float] | None = None
        self._limiter = limiter

    def used(self, input_tokens: int, output_tokens: int) -> None:
        """What the call really took."""
        self.taken = (input_tokens, output_tokens)

    def __enter__(self) -> Self:
        if self._limiter is not None:
            self._limiter._enter(self)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._limiter is not None:
            self._limiter._exit(self, error)


def _window(per_minute: float | None) -> Window | None:
    return None if per_minute is None else Window(per_minute)
