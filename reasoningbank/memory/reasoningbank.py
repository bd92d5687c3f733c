"""ReasoningBank: the memory of a task is a few lessons, from its successes and from its failures.

Several attempts learnt from together are contrasted: one prompt sees them all, with their verdicts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from reasoningbank.distill.contrast import ContrastExtractor
from reasoningbank.distill.extract import ItemExtractor
from reasoningbank.interfaces import Calls, Episode, EpisodeCalls
from reasoningbank.memory.base import LearnFrom, LearningMethod, Retrieval, Store
from reasoningbank.prompts import PromptPack
from reasoningbank.types import Distilled, JudgedAttempt


class ReasoningBankMemory(LearningMethod):
    """Memory items with title, description and content."""

    memory_prompt = "memory_items"

    def __init__(
        self,
        *,
        prompts: PromptPack,
        retrieval: Retrieval | Mapping[str, object],
        aggregate: bool,
        store: Store,
        learn_from: LearnFrom = "both",
        judge_reasons: bool = False,
        max_items: int = 3,
        max_items_contrast: int = 5,
        tries: int = 3,
        trajectory_chars: int = 40_000,
    ) -> None:
        super().__init__(prompts=prompts, retrieval=retrieval, aggregate=aggregate, store=store, learn_from=learn_from)
        self._extractor = ItemExtractor(
            prompts=prompts,
            max_items=max_items,
            judge_reasons=judge_reasons,
            tries=tries,
            trajectory_chars=trajectory_chars,
        )
        self._contrast = ContrastExtractor(
            prompts=prompts,
            max_items=max_items_contrast,
            judge_reasons=judge_reasons,
            tries=tries,
            trajectory_chars=trajectory_chars,
        )

    def learn_one(self, episode: Episode, attempt: JudgedAttempt, calls: Calls) -> Distilled:
        return self._extractor.extract(episode, [attempt], calls)

    def learn_many(self, episode: Episode, attempts: Sequence[JudgedAttempt], calls: EpisodeCalls) -> Distilled:
        return self._contrast.extract(episode, attempts, calls(None))
