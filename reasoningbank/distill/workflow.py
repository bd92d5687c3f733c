"""Workflow induction, for AWM: the reusable routine behind an attempt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from reasoningbank.distill.experience import verdict_of
from reasoningbank.distill.extract import ExtractSettings, extract_each
from reasoningbank.distill.parse import parse_items
from reasoningbank.distill.render import render_steps
from reasoningbank.interfaces import Calls, Episode
from reasoningbank.prompts import PromptPack
from reasoningbank.types import Distilled, JudgedAttempt, Message


@dataclass(frozen=True, kw_only=True)
class WorkflowExtractor:
    """At most `max_items` workflows from each attempt by itself. The judge's reasons are never shown."""

    prompts: PromptPack
    settings: ExtractSettings

    def extract(self, episode: Episode, attempts: Sequence[JudgedAttempt], calls: Calls) -> Distilled:
        """One experience for each attempt that yields workflows. Every attempt must be labelled."""
        asked = self.settings

        def messages(attempt: JudgedAttempt) -> tuple[Message, ...]:
            return self.prompts.messages(
                "workflow",
                intent=episode.task.intent,
                trajectory=render_steps(attempt.trajectory, asked.trajectory_chars, asked.observation_chars),
                label=verdict_of(attempt).label,
                max_items=asked.max_items,
            )

        parse = partial(parse_items, max_items=asked.max_items, heading="Workflow")
        return extract_each(episode, attempts, calls, messages, parse, tries=asked.tries)
