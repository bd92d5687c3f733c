"""How calls travel to models: what no result depends on."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from reasoningbank.llm.budget import Budget
from reasoningbank.llm.limits import Limiter
from reasoningbank.llm.prices import Price
from reasoningbank.retry import RetryPolicy, Waiting
from reasoningbank.types import Role


def nobody(text: str) -> None:
    """For `waiting`, where nobody looks on."""


@dataclass(frozen=True)
class Transport:
    """What the calls of a run have in common."""

    retry: RetryPolicy = field(default_factory=RetryPolicy)
    waiting: Waiting = nobody
    """Gets what is waited for."""
    limiters: Mapping[Role, Limiter] = field(default_factory=dict)
    """A role without one is asked as fast as it answers."""
    prices: Mapping[Role, Price | None] = field(default_factory=dict)
    """Of each role whose calls are paid for; None where it is not known."""
    budget: Budget | None = None
    sleep: Callable[[float], None] = time.sleep
