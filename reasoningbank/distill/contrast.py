"""Self-contrast: lessons from several labelled attempts at one task, compared in one prompt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from reasoningbank.distill.ask import ask_until_usable
from reasoningbank.distill.experience import make_experience, verdict_of
from reasoningbank.distill.extract import ExtractSettings
from reasoningbank.distill.parse import parse_items
from reasoningbank.distill.render import render_steps
from reasoningbank.interfaces import Calls, Episode
from reasoningbank.prompts import PromptPack
from reasoningbank.types import Distilled, JudgedAttempt, Refused

UNLABELLED = "unlabelled"


@dataclass(frozen=True, kw_only=True)
class ContrastExtractor:
    """At most `max_items` items from all attempts together, which share `trajectory_chars` evenly."""

    prompts: PromptPack
    settings: ExtractSettings
    labels: bool = True
    """Whether each trajectory is shown with its verdict."""

    def extract(self, episode: Episode, attempts: Sequence[JudgedAttempt], calls: Calls) -> Distilled:
        """One experience, or none. `attempts` in the order in which they are numbered, all labelled; `calls` is the
        episode's own."""
        asked = self.settings
        budget = asked.trajectory_chars // len(attempts)
        runs = [
            {
                "label": verdict_of(attempt).label if self.labels else UNLABELLED,
                "trajectory": render_steps(attempt.trajectory, budget, asked.observation_chars),
                "judge_reasons": verdict_of(attempt).reasons if asked.judge_reasons else "",
            }
            for attempt in attempts
        ]
        messages = self.prompts.messages("contrast", intent=episode.task.intent, runs=runs, max_items=asked.max_items)
        parse = partial(parse_items, max_items=asked.max_items)
        items = ask_until_usable(calls, "extractor", messages, parse, tries=asked.tries)
        if isinstance(items, Refused):
            return Distilled()
        return Distilled(experiences=(make_experience(episode, attempts, items),))
