"""Lessons from one attempt: one prompt for what was judged a success, another for a failure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from reasoningbank.distill.ask import ask_until_usable
from reasoningbank.distill.experience import make_experience, verdict_of
from reasoningbank.distill.parse import ParsedItem, parse_items
from reasoningbank.distill.render import render_steps
from reasoningbank.interfaces import Calls, Episode
from reasoningbank.prompts import PromptPack
from reasoningbank.types import Distilled, Experience, JudgedAttempt, Message, Refused


class ItemExtractor:
    """At most `max_items` items from each attempt by itself."""

    def __init__(
        self,
        *,
        prompts: PromptPack,
        max_items: int = 3,
        judge_reasons: bool = False,
        tries: int = 3,
        trajectory_chars: int = 40_000,
    ) -> None:
        self._prompts = prompts
        self._max_items = max_items
        self._judge_reasons = judge_reasons
        self._tries = tries
        self._trajectory_chars = trajectory_chars

    def extract(self, episode: Episode, attempts: Sequence[JudgedAttempt], calls: Calls) -> Distilled:
        """One experience for each attempt that yields items. Every attempt must be labelled success or failure."""

        def messages(attempt: JudgedAttempt) -> tuple[Message, ...]:
            verdict = verdict_of(attempt)
            return self._prompts.messages(
                "extract_success" if verdict.label == "success" else "extract_failure",
                intent=episode.task.intent,
                trajectory=render_steps(attempt.trajectory, self._trajectory_chars),
                judge_reasons=verdict.reasons if self._judge_reasons else "",
                max_items=self._max_items,
            )

        parse = partial(parse_items, max_items=self._max_items)
        return extract_each(episode, attempts, calls, messages, parse, tries=self._tries)


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
    refused: list[Refused] = []
    for attempt in attempts:
        answer = ask_until_usable(calls, "extractor", messages(attempt), parse, tries=tries)
        refused += answer.refused
        if answer.value is not None:
            experiences.append(make_experience(episode, [attempt], answer.value, number=len(experiences)))
    return Distilled(experiences=tuple(experiences), refused=tuple(refused))
