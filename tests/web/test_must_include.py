"""must_include of answers: every one of the references counts, wherever in the list it stands."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.suites.web.evaluators import EvalSpec, string_match

WORDS = ("apple", "birch", "clove", "damson", "elder")


def score(references: list[str], answer: str) -> float:
    spec = EvalSpec.model_validate({"eval_types": ["string_match"], "reference_answers": {"must_include": references}})
    return string_match(spec, "Which?", answer, lambda question, reference, given: True)


@pytest.mark.parametrize(("answer", "expected"), [("a", 0.0), ("b", 0.0), ("a b", 1.0), ("b, a", 1.0), ("", 0.0)])
def test_both_of_two(answer: str, expected: float) -> None:
    assert score(["a", "b"], answer) == expected


@given(references=st.permutations(WORDS), said=st.sets(st.sampled_from(WORDS)))
def test_an_answer_holds_all_of_them_or_nothing_counts(references: list[str], said: set[str]) -> None:
    assert score(references, "; ".join(sorted(said))) == float(said == set(WORDS))


@given(missing=st.integers(0, 4), choice=st.integers(0, 1))
def test_alternatives_stand_for_one_reference_alone(missing: int, choice: int) -> None:
    references = [f"{word} |OR| {word[::-1]}" for word in WORDS]
    said = [reference.split(" |OR| ")[choice] for reference in references]
    assert score(references, " ".join(said)) == 1.0
    del said[missing]
    assert score(references, " ".join(said)) == 0.0
