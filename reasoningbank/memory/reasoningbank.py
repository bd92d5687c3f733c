"""ReasoningBank: the memory of a task is a few lessons, from its successes and from its failures.

Several attempts learnt from together are contrasted: one prompt sees them all, with their verdicts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from reasoningbank.distill.contrast import ContrastExtractor
from reasoningbank.distill.extract import ExtractSettings, ItemExtractor
from reasoningbank.interfaces import Calls, Episode, EpisodeCalls, Extractor
from reasoningbank.memory.base import LearnFrom, Learning, LearningMethod, Retrieval
from reasoningbank.prompts import PromptPack
from reasoningbank.types import AtLeastOne, Distilled, JudgedAttempt, NotNegative


class ReasoningBankMemory(LearningMethod):
    """Memory items with title, description and content."""

    memory_prompt = "memory_items"

    def __init__(
        self,
        *,
        prompts: PromptPack,
        retrieval: Retrieval | Mapping[str, object],
        learning: Learning,
        learn_from: LearnFrom = "both",
        judge_reasons: bool = False,
        max_items: AtLeastOne = 3,
        max_items_contrast: AtLeastOne = 5,
        tries: AtLeastOne = 3,
        trajectory_chars: AtLeastOne = 40_000,
        trajectory_chars_contrast: AtLeastOne = 80_000,
        observation_chars: NotNegative = 0,
        show_description: bool = False,
    ) -> None:
        super().__init__(prompts=prompts, retrieval=retrieval, learning=learning, learn_from=learn_from)
        self.shown = {"descriptions": show_description}
        settings = ExtractSettings(
            max_items=max_items,
            judge_reasons=judge_reasons,
            tries=tries,
            trajectory_chars=trajectory_chars,
            observation_chars=observation_chars,
        )
        several = {"max_items": max_items_contrast, "trajectory_chars": trajectory_chars_contrast}
        self._extractor: Extractor = ItemExtractor(prompts=prompts, settings=settings)
        self._contrast: Extractor = ContrastExtractor(
            prompts=prompts, settings=settings.model_copy(update=several), labels=learning.labels
        )

    def learn_one(self, episode: Episode, attempt: JudgedAttempt, calls: Calls) -> Distilled:
        return self._extractor.extract(episode, [attempt], calls)

    def learn_many(self, episode: Episode, attempts: Sequence[JudgedAttempt], calls: EpisodeCalls) -> Distilled:
        return self._contrast.extract(episode, attempts, calls(None))
