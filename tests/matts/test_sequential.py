"""Sequential scaling: one rollout, k answers, k-1 checks."""

from __future__ import annotations

import pytest
from attempt_makers import make_attempt, make_scopes
from hypothesis import given
from hypothesis import strategies as st

from reasoningbank.distill.render import render_steps
from reasoningbank.errors import SetupError
from reasoningbank.interfaces import AnswerCheck, HeldAnswer
from reasoningbank.llm.offline.scripted import ScriptedLLM
from reasoningbank.matts.sequential import Sequential
from reasoningbank.prompts import PromptPack
from reasoningbank.types import Exit, JudgedAttempt, Selection

PACK = PromptPack()


def held(number: int, answer: str = "3", exit: Exit = "answered") -> HeldAnswer:
    return HeldAnswer(round=number, step=number, exit=exit, answer=answer)


def check_of(scaling: Sequential) -> AnswerCheck:
    given: list[AnswerCheck] = []

    def rollout(index: int, check: AnswerCheck | None = None) -> JudgedAttempt:
        assert check is not None
        given.append(check)
        return make_attempt(index)

    assert [attempt.index for attempt in scaling.run(rollout)] == [0]
    [check] = given
    return check


@given(k=st.integers(1, 9))
def test_k_answers_are_k_minus_one_checks(k: int) -> None:
    check = check_of(Sequential(prompts=PACK, k=k, env="reset"))
    asked = [check(held(number)) for number in range(k)]
    assert [text is None for text in asked] == [False] * (k - 1) + [True]
    assert check.env == "reset"
    assert check(held(0)) == asked[0], "it keeps nothing between attempts"


def test_the_first_check_differs_from_those_that_follow() -> None:
    check = check_of(Sequential(prompts=PACK, k=4))
    first, second, third = (check(held(number, "42 pears")) for number in range(3))
    assert first != second == third
    assert all("42 pears" in (text or "") for text in (first, second))
    assert "(reported as impossible) no pears" in (check(held(0, "no pears", "infeasible")) or "")
    assert "(none)" in (check(held(0, "")) or "")


def test_nothing_is_selected_and_nobody_asked() -> None:
    scaling = Sequential(prompts=PACK, k=3)
    scopes = make_scopes(ScriptedLLM([]))
    assert scaling.select([make_attempt(0)], scopes(None), seed=1) == Selection()
    assert scaling.success_metric == "last_answer"


def test_no_answers_at_all_are_refused() -> None:
    with pytest.raises(SetupError, match="k=0"):
        Sequential(prompts=PACK, k=0)


def test_what_was_noted_in_a_check_is_read_by_judge_and_extractor() -> None:
    attempt = make_attempt(0)
    steps = attempt.trajectory.steps
    checked = steps[0].model_copy(update={"thought": "It is three.", "check": "Is it?"})
    note = steps[0].model_copy(update={"index": len(steps), "thought": "One of them was counted twice."})
    text = render_steps(attempt.trajectory.model_copy(update={"steps": (checked, *steps[1:], note)}), 9_999)
    assert "Check: this answer was held back, to be checked first." in text
    assert "One of them was counted twice." in text
