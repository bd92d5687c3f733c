"""Self-contrast: lessons from several labelled attempts at one task, compared in one prompt."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from reasoningbank.distill.ask import ask_until_usable
from reasoningbank.distill.experience import make_experience, verdict_of
from reasoningbank.distill.parse import parse_items
from reasoningbank.distill.render import render_steps
from reasoningbank.interfaces import Calls, Episode
from reasoningbank.prompts import PromptPack
from reasoningbank.types import Distilled, JudgedAttempt


class ContrastExtractor:
    """At most `max_items` items from all attempts together."""

    def __init__(
        self,
        *,
        prompts: PromptPack,
        max_items: int = 5,
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
        """One experience, or none. `attempts` in the order in which they are numbered, all labelled; `calls` is the
        episode's own."""
        runs = [
            {
                "label": verdict_of(attempt).label,
                "trajectory": render_steps(attempt.trajectory, self._trajectory_chars),
                "judge_reasons": verdict_of(attempt).reasons if self._judge_reasons else "",
            }
            for attempt in attempts
        ]
        messages = self._prompts.messages("contrast", intent=episode.task.intent, runs=runs, max_items=self._max_items)
        parse = partial(parse_items, max_items=self._max_items)
        answer = ask_until_usable(calls, "extractor", messages, parse, tries=self._tries)
        if answer.value is None:
            return Distilled(refused=answer.refused)
        return Distilled(experiences=(make_experience(episode, attempts, answer.value),), refused=answer.refused)
