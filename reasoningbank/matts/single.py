"""One attempt a task."""

from __future__ import annotations

from collections.abc import Sequence

from reasoningbank.errors import SetupError
from reasoningbank.interfaces import Calls, Rollout
from reasoningbank.types import JudgedAttempt, Role, Selection, SuccessMetric


class Single:
    """The one attempt stands for its task."""

    success_metric: SuccessMetric = "pass_at_1"
    roles: tuple[Role, ...] = ()

    def __init__(self, *, k: int = 1) -> None:
        if k != 1:
            raise SetupError(f"k={k} with scaling=single: one attempt is k=1; for more of them set scaling=parallel")
        self.k = self.attempts = k

    def run(self, rollout: Rollout) -> tuple[JudgedAttempt, ...]:
        return (rollout(0),)

    def select(self, attempts: Sequence[JudgedAttempt], calls: Calls, *, seed: int) -> Selection:
        """An empty one: there is nothing to choose from."""
        return Selection()
