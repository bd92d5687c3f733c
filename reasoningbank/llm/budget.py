"""What a command may spend: counted over all its processes, and looked at before every call.

budget = Budget(ledger=Ledger([0.0] * 4, place=1), usd=5.0)
budget.check()                             # BudgetSpent: nothing more is asked
budget.add(reply.usage, cost_usd=0.002)
"""

from __future__ import annotations

import threading
from collections.abc import MutableSequence
from dataclasses import dataclass

from reasoningbank.errors import BudgetSpent
from reasoningbank.types import Usage

_NEXT = "all that is finished is kept, the same command with a larger one continues"


class Ledger:
    """What has been spent. Thread-safe. `cells` are shared by processes: for each place tokens and US dollars.

    Each process writes in a place of its own, so that none waits for another, and none that dies leaves a lock.
    """

    def __init__(self, cells: MutableSequence[float], place: int) -> None:
        self._cells = cells
        self._at = 2 * place
        self._lock = threading.Lock()

    def add(self, tokens: int, cost_usd: float) -> None:
        with self._lock:
            self._cells[self._at] += tokens
            self._cells[self._at + 1] += cost_usd

    @property
    def tokens(self) -> int:
        return int(sum(self._cells[0::2]))

    @property
    def cost_usd(self) -> float:
        return sum(self._cells[1::2])


@dataclass(frozen=True, kw_only=True)
class Budget:
    """Limits of a ledger. What is under way when it is spent comes to its end: so much more is spent."""

    ledger: Ledger
    usd: float | None = None
    tokens: int | None = None

    def check(self) -> None:
        """BudgetSpent where nothing is left."""
        if self.usd is not None and self.ledger.cost_usd >= self.usd:
            raise BudgetSpent(f"budget.usd={self.usd:g} is spent: {_NEXT}")
        if self.tokens is not None and self.ledger.tokens >= self.tokens:
            raise BudgetSpent(f"budget.tokens={self.tokens} is spent: {_NEXT}")

    def add(self, usage: Usage, cost_usd: float) -> None:
        """Count a call. Tokens are those of input and output."""
        self.ledger.add(usage.total, cost_usd)
