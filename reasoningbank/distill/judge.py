"""The LLM judge: success or failure of a trajectory, without ground truth."""

from __future__ import annotations

from typing import Literal

from reasoningbank.distill.ask import ask_until_usable
from reasoningbank.distill.parse import parse_verdict
from reasoningbank.distill.render import answer_text, render_page, render_steps
from reasoningbank.interfaces import Calls
from reasoningbank.prompts import PromptPack
from reasoningbank.truncate import keep_ends
from reasoningbank.types import AtLeastOne, NotNegative, Record, Role, Trajectory, Verdict

Unreadable = Literal["unparseable", "failure"]

KEPT_CHARS = 2_000
"""How much of a reply that could not be read is kept with the verdict."""


class JudgeSettings(Record):
    """What the judge is shown, and how often it is asked."""

    tries: AtLeastOne
    trajectory_chars: AtLeastOne
    page_chars: AtLeastOne
    observation_chars: NotNegative
    pages: AtLeastOne
    strict: bool
    unreadable: Unreadable


class LLMJudge:
    """Asks the model of role `judge`; when none of `tries` replies can be read, the verdict is unparseable.

    `pages`: how many of the last pages it is shown, which share `page_chars`. `strict`: with three rules more, for what
    is in doubt. `unreadable="failure"`: what cannot be read counts as the verdict "failure", and teaches as one.
    """

    roles: tuple[Role, ...] = ("judge",)

    def __init__(
        self,
        *,
        prompts: PromptPack,
        tries: AtLeastOne = 3,
        trajectory_chars: AtLeastOne = 40_000,
        page_chars: AtLeastOne = 40_000,
        observation_chars: NotNegative = 0,
        pages: AtLeastOne = 1,
        strict: bool = False,
        unreadable: Unreadable = "unparseable",
    ) -> None:
        self._prompts = prompts
        self._settings = JudgeSettings(
            tries=tries,
            trajectory_chars=trajectory_chars,
            page_chars=page_chars,
            observation_chars=observation_chars,
            pages=pages,
            strict=strict,
            unreadable=unreadable,
        )

    def judge(self, trajectory: Trajectory, calls: Calls) -> Verdict:
        """The verdict; InfraError passes, since a judge that cannot be reached has said nothing."""
        asked = self._settings
        shell = trajectory.medium == "shell"
        # what commands printed stands with their steps
        earlier = trajectory.steps[-(asked.pages - 1) :] if asked.pages > 1 and not shell else ()
        room = max(1, asked.page_chars // (1 + len(earlier)))
        told = answer_text(trajectory.exit, trajectory.answer)
        messages = self._prompts.messages(
            "judge",
            intent=trajectory.task.intent,
            medium=trajectory.medium,
            trajectory=render_steps(trajectory, asked.trajectory_chars, asked.observation_chars, final=False),
            earlier_pages=[
                {"step": step.index + 1, "url": step.url, "page": render_page(step.observation, room)}
                for step in earlier
            ],
            final_url=trajectory.final_url,
            final_page=render_page(trajectory.final_observation, room),
            answer=keep_ends(told, asked.trajectory_chars) if shell else told,  # which may be a patch
            strict=asked.strict,
        )
        answer = ask_until_usable(calls, "judge", messages, parse_verdict, tries=asked.tries)
        if isinstance(answer, Verdict):
            return answer
        reply = keep_ends(answer.text, KEPT_CHARS)
        return Verdict(label=asked.unreadable, reasons=f"{answer.reason}\n{reply}".strip())
