"""Synapse: the memory of a task is its trajectory itself, thoughts and actions, without page text.

Of several attempts learnt from together, the shortest successful one is stored.
"""

from __future__ import annotations

from collections.abc import Mapping

from reasoningbank.distill.experience import make_experience, verdict_of
from reasoningbank.distill.parse import ParsedItem
from reasoningbank.distill.render import render_steps
from reasoningbank.interfaces import Calls, Episode
from reasoningbank.memory.base import LearnFrom, Learning, LearningMethod, Retrieval
from reasoningbank.prompts import PromptPack
from reasoningbank.types import AtLeastOne, Distilled, JudgedAttempt, Role


class Synapse(LearningMethod):
    """Trajectories as exemplars. No model is asked."""

    memory_prompt = "memory_trajectory"
    roles: tuple[Role, ...] = ()

    def __init__(
        self,
        *,
        prompts: PromptPack,
        retrieval: Retrieval | Mapping[str, object],
        learning: Learning,
        learn_from: LearnFrom = "success",
        trajectory_chars: AtLeastOne = 12_000,
    ) -> None:
        super().__init__(prompts=prompts, retrieval=retrieval, learning=learning, learn_from=learn_from)
        self._trajectory_chars = trajectory_chars

    def learn_one(self, episode: Episode, attempt: JudgedAttempt, calls: Calls) -> Distilled:
        """One item: the task as its title, the steps as its content."""
        steps = len(attempt.trajectory.steps)
        item = ParsedItem(
            title=episode.task.intent,
            description=f"A run of {steps} {'step' if steps == 1 else 'steps'}, judged a {verdict_of(attempt).label}.",
            content=render_steps(attempt.trajectory, self._trajectory_chars, bare=True),
        )
        return Distilled(experiences=(make_experience(episode, [attempt], [item]),))
