"""Answers that a check holds back, so that the agent checks them first: when one is, and which stands in the end."""

from __future__ import annotations

from dataclasses import dataclass, field

from reasoningbank.interfaces import AnswerCheck
from reasoningbank.types import Exit, HeldAnswer, Step


@dataclass
class HeldAnswers:
    """Those of one attempt."""

    check: AnswerCheck | None
    max_steps: int
    answers: list[HeldAnswer] = field(default_factory=list)

    def ask(self, steps: list[Step], exit: Exit, answer: str | None) -> str | None:
        """What is asked for in the place of the answer that the last step gave, which the step tells then; None where
        the answer passes, or no step is left to check it in."""
        if self.check is None:
            return None
        held = HeldAnswer(round=len(self.answers), step=len(steps) - 1, exit=exit, answer=answer)
        self.answers.append(held)
        asked = self.check(held)
        if asked is None or len(steps) >= self.max_steps:
            return None
        steps[-1] = steps[-1].model_copy(update={"check": asked})
        return asked

    def standing(self, exit: Exit, answer: str | None, why: str) -> tuple[Exit, str | None, str]:
        """What an attempt ended with: an answer that was held back stands where no other followed."""
        if exit in ("limit", "agent_error") and self.answers:
            last = self.answers[-1]
            return last.exit, last.answer, ""
        return exit, answer, why
