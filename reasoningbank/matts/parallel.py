"""k independent attempts at the same time, and best-of-N among them."""

from __future__ import annotations

import threading
from collections.abc import Sequence

from reasoningbank.boundary import Guarded, capture
from reasoningbank.errors import InfraError, SetupError
from reasoningbank.interfaces import Calls, Rollout
from reasoningbank.matts.select import select_best
from reasoningbank.prompts import PromptPack
from reasoningbank.types import AtLeastOne, JudgedAttempt, Role, Selection, SuccessMetric

MOST = 1000
"""Attempts that run at the same time: more threads than that no machine is meant for."""


class Parallel:
    """k threads, one an attempt. With `select`, a model picks the attempt that stands for the task."""

    def __init__(
        self,
        *,
        prompts: PromptPack,
        k: int,
        select: bool = True,
        tries: AtLeastOne = 3,
        trajectory_chars: AtLeastOne = 80_000,
    ) -> None:
        if k < 1:
            raise SetupError(f"k={k}: a task needs at least one attempt")
        if k > MOST:
            raise SetupError(f"k={k}: at most {MOST} attempts can run at the same time")
        self.k = self.attempts = k
        self.success_metric: SuccessMetric = "best_of_n" if select else "pass_at_1"
        self.roles: tuple[Role, ...] = ("selector",) if select else ()
        self._prompts = prompts
        self._selects = select
        self._tries = tries
        self._trajectory_chars = trajectory_chars

    def run(self, rollout: Rollout) -> tuple[JudgedAttempt, ...]:
        """All attempts by index. When some raise, the first by index is raised after all have ended."""
        ended: list[Guarded[JudgedAttempt] | None] = [None] * self.k

        def attempt(index: int) -> None:
            ended[index] = capture(lambda: rollout(index))

        # daemon threads: after Ctrl-C the process must not wait for an environment that hangs
        threads = [
            threading.Thread(target=attempt, args=(index,), name=f"attempt-{index}", daemon=True)
            for index in range(self.k)
        ]
        started: list[threading.Thread] = []
        for index, thread in enumerate(threads):
            try:
                thread.start()
            except RuntimeError as error:  # the system grants no more threads
                ended[index] = Guarded(error=InfraError(f"no thread for attempt {index} of {self.k}: {error}"))
            else:
                started.append(thread)
        for thread in started:
            thread.join()
        return tuple(result.unwrap() for result in ended if result is not None)

    def select(self, attempts: Sequence[JudgedAttempt], calls: Calls, *, seed: int) -> Selection:
        """The attempt that the model picks; with `select` off, none."""
        if not self._selects:
            return Selection()
        return select_best(
            attempts,
            calls,
            prompts=self._prompts,
            seed=seed,
            tries=self._tries,
            trajectory_chars=self._trajectory_chars,
        )
