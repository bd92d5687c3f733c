"""Workflow induction, for AWM: the reusable routine behind an attempt."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from reasoningbank.distill.experience import verdict_of
from reasoningbank.distill.extract import extract_each
from reasoningbank.distill.parse import parse_items
from reasoningbank.distill.render import render_steps
from reasoningbank.interfaces import Calls, Episode
from reasoningbank.prompts import PromptPack
from reasoningbank.types import Distilled, JudgedAttempt, Message


class WorkflowExtractor:
    """At most `max_items` workflows from each attempt by itself."""

    def __init__(
        self, *, prompts: PromptPack, max_items: int = 3, tries: int = 3, trajectory_chars: int = 40_000
    ) -> None:
        self._prompts = prompts
        self._max_items = max_items
        self._tries = tries
        self._trajectory_chars = trajectory_chars

    def extract(self, episode: Episode, attempts: Sequence[JudgedAttempt], calls: Calls) -> Distilled:
        """One experience for each attempt that yields workflows. Every attempt must be labelled."""

        def messages(attempt: JudgedAttempt) -> tuple[Message, ...]:
            return self._prompts.messages(
                "workflow",
                intent=episode.task.intent,
                trajectory=render_steps(attempt.trajectory, self._trajectory_chars),
                label=verdict_of(attempt).label,
                max_items=self._max_items,
            )

        parse = partial(parse_items, max_items=self._max_items, heading="Workflow")
        return extract_each(episode, attempts, calls, messages, parse, tries=self._tries)
