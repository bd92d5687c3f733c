"""A check of answers for tests of the agents."""

from __future__ import annotations

from reasoningbank.interfaces import HeldAnswer
from reasoningbank.types import CheckEnv


class Asks:
    """Asks so many times, and keeps what it was shown."""

    def __init__(self, times: int, env: CheckEnv = "continue") -> None:
        self.env: CheckEnv = env
        self.times = times
        self.shown: list[HeldAnswer] = []

    def __call__(self, held: HeldAnswer) -> str | None:
        self.shown.append(held)
        return f"Is {held.answer} right?" if held.round < self.times else None
