"""Lessons from one attempt: one prompt for what was judged a success, another for a failure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from reasoningbank.distill.ask import ask_until_usable
from reasoningbank.distill.experience import make_experience, verdict_of
from reasoningbank.distill.parse import ParsedItem, parse_items
from reasoningbank.distill.render import render_steps
from reasoningbank.interfaces import Calls, Episode
from reasoningbank.prompts import PromptPack
from reasoningbank.types import (
    AtLeastOne,
    Distilled,
    Experience,
    JudgedAttempt,
    Message,
    NotNegative,
    Record,
    Refused,
)


class ExtractSettings(Record):
    """What an extractor shows, and what it asks for."""

    max_items: AtLeastOne
    judge_reasons: bool
    tries: AtLeastOne
    trajectory_chars: AtLeastOne
    """Of all trajectories that one prompt shows."""
    observation_chars: NotNegative


@dataclass(frozen=True, kw_only=True)
class ItemExtractor:
    """At most `max_items` items from each attempt by itself."""

    prompts: PromptPack
    settings: ExtractSettings

    def extract(self, episode: Episode, attempts: Sequence[JudgedAttempt], calls: Calls) -> Distilled:
        """One experience for each attempt that yields items. Every attempt must be labelled success or failure."""
        asked = self.settings

        def messages(attempt: JudgedAttempt) -> tuple[Message, ...]:
            verdict = verdict_of(attempt)
            return self.prompts.messages(
                "extract_success" if verdict.label == "success" else "extract_failure",
                intent=episode.task.intent,
                trajectory=render_steps(attempt.trajectory, asked.trajectory_chars, asked.observation_chars),
                judge_reasons=verdict.reasons if asked.judge_reasons else "",
                max_items=asked.max_items,
            )

        parse = partial(parse_items, max_items=asked.max_items)
        return extract_each(episode, attempts, calls, messages, parse, tries=asked.tries)


def extract_each(
    episode: Episode,
    attempts: Sequence[JudgedAttempt],
    calls: Calls,
    messages: Callable[[JudgedAttempt], Sequence[Message]],
    parse: Callable[[str], tuple[ParsedItem, ...]],
    *,
    tries: int,
) -> Distilled:
    """An experience for each attempt whose `messages` get a reply that `parse` can read."""
    experiences: list[Experience] = []
    for attempt in attempts:
        items = ask_until_usable(calls, "extractor", messages(attempt), parse, tries=tries)
        if not isinstance(items, Refused):
            experiences.append(make_experience(episode, [attempt], items, number=len(experiences)))
    return Distilled(experiences=tuple(experiences))
