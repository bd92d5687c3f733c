"""Fuzzy match by a model: what it is shown, which grades count, and what comes of replies that are none."""

from __future__ import annotations

import pytest
from attempt_makers import make_scopes
from hypothesis import given, settings
from hypothesis import strategies as st

from eval.grading.model import ModelGrader, parse_grade
from reasoningbank.errors import InfraError, UnusableReply
from reasoningbank.llm.offline.scripted import ScriptedLLM
from reasoningbank.prompts import PromptPack
from reasoningbank.retry import RetryPolicy
from reasoningbank.types import Message, Reply, Usage

RIGHT = "Thoughts: It says the same.\nGrade: correct"


def grade(llm: object, reference: str = "$12.00", answer: str = "12 dollars") -> bool:
    calls = make_scopes(llm, retry=RetryPolicy(attempts=1))(0)
    return ModelGrader(prompts=PromptPack(), calls=calls)("What is the price?", reference, answer)


@pytest.mark.parametrize(
    ("reply", "counts"),
    [
        (RIGHT, True),
        ("**Grade:** Correct.", True),
        ("- Grade: `correct`", True),
        ("Thoughts: correct in part.\nGrade: partial", False),
        ("Grade: partially correct", False),
        ("Thoughts: the correct one is another.\nGrade: incorrect", False),
        ("Grade: INCORRECT\n", False),
    ],
)
def test_only_correct_counts(reply: str, counts: bool) -> None:
    assert parse_grade(reply) is counts
    assert grade(ScriptedLLM([reply])) is counts


@pytest.mark.parametrize(
    "reply", ["correct", "Grade:", "Grade: correct or incorrect", "Grade: correct\nGrade: incorrect", "Grade: yes"]
)
def test_what_is_no_grade_is_asked_for_again_and_never_counts(reply: str) -> None:
    with pytest.raises(UnusableReply):
        parse_grade(reply)
    assert grade(ScriptedLLM([reply, reply, RIGHT]))
    calls = make_scopes(ScriptedLLM([reply] * 3))(0)
    grader = ModelGrader(prompts=PromptPack(), calls=calls)
    assert grader.ungraded == 0
    assert not grader("Which?", "a", "a")
    assert grader.ungraded == 1
    assert [(one.role, one.text) for one in calls.refused] == [("grader", reply)] * 3


@settings(deadline=None, max_examples=60)
@given(st.text() | st.lists(st.sampled_from(["Grade", ":", "correct", "in", "partial", "\n", "*", " "])).map("".join))
def test_any_text_is_a_grade_or_refused(text: str) -> None:
    try:
        assert parse_grade(text) in (True, False)
    except UnusableReply:
        return
    assert "grade" in text.lower()


def test_it_is_shown_the_question_the_reference_and_the_answer() -> None:
    seen: list[str] = []

    class Seeing(ScriptedLLM):
        def complete(self, messages: tuple[Message, ...], *, temperature: float, seed: int, max_tokens: int) -> Reply:  # type: ignore[override]
            seen.append(messages[-1].content)
            assert temperature == 0.0
            return Reply(text=RIGHT, usage=Usage(calls=1), stop_reason="stop")

    assert grade(Seeing([]))
    assert seen[-1] == "# Question\nWhat is the price?\n\n# Reference\n$12.00\n\n# Answer\n12 dollars"
    assert grade(Seeing([]), reference="N/A: nobody sells it", answer="There is none")
    task = "# Task\nWhat is the price?\n\n# Why it cannot be done"
    assert seen[-1] == f"{task}\nnobody sells it\n\n# Answer\nThere is none"
    assert grade(Seeing([]), reference="N/A", answer="There is none")
    assert "# Why it cannot be done\n(not told)\n" in seen[-1]


def test_a_grader_that_cannot_be_reached_has_graded_nothing() -> None:
    class Dead(ScriptedLLM):
        def complete(self, messages: object, **keys: object) -> Reply:
            raise InfraError("the line is dead")

    with pytest.raises(InfraError):
        grade(Dead([]))
