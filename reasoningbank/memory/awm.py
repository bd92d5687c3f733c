"""AWM, agent workflow memory: the memory of a task is the reusable routine that a model wrote from its trajectory.

Of several attempts learnt from together, the workflow of the shortest successful one is stored.
"""

from __future__ import annotations

from collections.abc import Mapping

from reasoningbank.distill.extract import ExtractSettings
from reasoningbank.distill.workflow import WorkflowExtractor
from reasoningbank.interfaces import Calls, Episode, Extractor
from reasoningbank.memory.base import LearnFrom, Learning, LearningMethod, Retrieval
from reasoningbank.prompts import PromptPack
from reasoningbank.types import AtLeastOne, Distilled, JudgedAttempt, NotNegative


class AWM(LearningMethod):
    """Workflows."""

    memory_prompt = "memory_workflow"

    def __init__(
        self,
        *,
        prompts: PromptPack,
        retrieval: Retrieval | Mapping[str, object],
        learning: Learning,
        learn_from: LearnFrom = "success",
        max_items: AtLeastOne = 3,
        tries: AtLeastOne = 3,
        trajectory_chars: AtLeastOne = 40_000,
        observation_chars: NotNegative = 0,
    ) -> None:
        super().__init__(prompts=prompts, retrieval=retrieval, learning=learning, learn_from=learn_from)
        settings = ExtractSettings(
            max_items=max_items,
            judge_reasons=False,
            tries=tries,
            trajectory_chars=trajectory_chars,
            observation_chars=observation_chars,
        )
        self._extractor: Extractor = WorkflowExtractor(prompts=prompts, settings=settings)

    def learn_one(self, episode: Episode, attempt: JudgedAttempt, calls: Calls) -> Distilled:
        return self._extractor.extract(episode, [attempt], calls)
