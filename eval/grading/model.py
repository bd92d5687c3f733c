"""Fuzzy match by a model, as WebArena grades: the role `grader` compares an answer with the reference.

Only a grade of "correct" counts. Of the models of a run this one alone sees gold.
"""

from __future__ import annotations

from collections.abc import Mapping

from eval.suites.base import unachievable
from reasoningbank.distill.ask import ask_until_usable
from reasoningbank.distill.parse import parse_word
from reasoningbank.interfaces import Calls
from reasoningbank.prompts import PromptPack
from reasoningbank.types import Message, Refused

TRIES = 3
GRADES: Mapping[str, bool] = {
    "correct": True,
    "partial": False,
    "partially correct": False,
    "incorrect": False,
}


class ModelGrader:
    """Asks the model of role `grader`. When it declines, or none of its replies can be read, the answer counts as not
    correct, `ungraded` counts it, and the replies are among the episode's refused ones."""

    def __init__(self, *, prompts: PromptPack, calls: Calls) -> None:
        self._prompts = prompts
        self._calls = calls
        self.ungraded = 0

    def __call__(self, question: str, reference: str, answer: str) -> bool:
        """Whether the answer says what the reference says; of a reference "N/A: reason", that it cannot be done."""
        messages = grade_messages(self._prompts, question, reference, answer)
        grade = ask_until_usable(self._calls, "grader", messages, parse_grade, tries=TRIES)
        if isinstance(grade, Refused):
            self.ungraded += 1
            return False
        return grade


def grade_messages(prompts: PromptPack, question: str, reference: str, answer: str) -> tuple[Message, ...]:
    """What the model is asked."""
    reason = unachievable(reference)
    if reason is None:
        return prompts.messages("grade", question=question, reference=reference, answer=answer)
    return prompts.messages("grade_unachievable", question=question, reason=reason or "(not told)", answer=answer)


def parse_grade(text: str) -> bool:
    """Whether a reply grades the answer as correct. Raises UnusableReply and nothing else."""
    grade, _ = parse_word(text, mark="Grade", words=GRADES)
    return grade
