"""No memory: the baseline that every other method is compared with."""

from __future__ import annotations

from reasoningbank.interfaces import BankReader, Episode, EpisodeCalls
from reasoningbank.types import Distilled, Recall, Role, Task


class NoMemory:
    """Recalls nothing and learns nothing."""

    needs_verdicts = False
    uses_bank = False
    roles: tuple[Role, ...] = ()

    def recall(self, task: Task, bank: BankReader) -> Recall:
        return Recall()

    def distill(self, episode: Episode, calls: EpisodeCalls) -> Distilled:
        return Distilled()
