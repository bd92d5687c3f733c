"""AWM, agent workflow memory: the memory of a task is the reusable routine that a model wrote from its trajectory.

Of several attempts learnt from together, the workflow of the shortest successful one is stored.
"""

from __future__ import annotations

from collections.abc import Mapping

from reasoningbank.distill.workflow import WorkflowExtractor
from reasoningbank.interfaces import Calls, Episode
from reasoningbank.memory.base import LearnFrom, LearningMethod, Retrieval, Store
from reasoningbank.prompts import PromptPack
from reasoningbank.types import Distilled, JudgedAttempt


class AWM(LearningMethod):
    """Workflows."""

    memory_prompt = "memory_workflow"

    def __init__(
        self,
        *,
        prompts: PromptPack,
        retrieval: Retrieval | Mapping[str, object],
        aggregate: bool,
        store: Store,
        learn_from: LearnFrom = "success",
        max_items: int = 3,
        tries: int = 3,
        trajectory_chars: int = 40_000,
    ) -> None:
        super().__init__(prompts=prompts, retrieval=retrieval, aggregate=aggregate, store=store, learn_from=learn_from)
        self._extractor = WorkflowExtractor(
            prompts=prompts, max_items=max_items, tries=tries, trajectory_chars=trajectory_chars
        )

    def learn_one(self, episode: Episode, attempt: JudgedAttempt, calls: Calls) -> Distilled:
        return self._extractor.extract(episode, [attempt], calls)
