"""The LLM judge: success or failure of a trajectory, without ground truth."""

from __future__ import annotations

from reasoningbank.distill.ask import ask_until_usable
from reasoningbank.distill.parse import parse_verdict
from reasoningbank.distill.render import render_answer, render_page, render_steps
from reasoningbank.errors import SetupError
from reasoningbank.interfaces import Calls
from reasoningbank.prompts import PromptPack
from reasoningbank.truncate import keep_ends
from reasoningbank.types import Trajectory, Verdict

KEPT_CHARS = 2_000
"""How much of a reply that could not be read is kept with the verdict."""


class LLMJudge:
    """Asks the model of role `judge`; when none of `tries` replies can be read, the verdict is unparseable."""

    def __init__(
        self, *, prompts: PromptPack, tries: int = 3, trajectory_chars: int = 40_000, page_chars: int = 40_000
    ) -> None:
        if tries < 1:
            raise SetupError(f"judge.tries={tries}: at least 1")
        self._prompts = prompts
        self._tries = tries
        self._trajectory_chars = trajectory_chars
        self._page_chars = page_chars

    def judge(self, trajectory: Trajectory, calls: Calls) -> Verdict:
        """The verdict; InfraError passes, since a judge that cannot be reached has said nothing."""
        messages = self._prompts.messages(
            "judge",
            intent=trajectory.task.intent,
            trajectory=render_steps(trajectory, self._trajectory_chars),
            final_url=trajectory.final_url,
            final_page=render_page(trajectory.final_observation, self._page_chars),
            answer=render_answer(trajectory),
        )
        answer = ask_until_usable(calls, "judge", messages, parse_verdict, tries=self._tries)
        if answer.value is not None:
            return answer.value
        last = answer.refused[-1]
        return Verdict(label="unparseable", reasons=f"{last.reason}\n{keep_ends(last.text, KEPT_CHARS)}".strip())
