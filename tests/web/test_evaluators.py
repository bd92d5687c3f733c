"""WebArena's evaluators on evidence: each rule by its kind, and the eval object's own checks."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from eval.suites.web.evaluators import (
    EvalSpec,
    ReferenceAnswers,
    clean_answer,
    evaluate,
    must_include,
    string_match,
    url_match,
    word_tokens,
)
from eval.suites.web.evidence import Probe, WebEvidence


def no_grader(question: str, reference: str, answer: str) -> bool:
    raise AssertionError(f"the grader was asked about {reference!r}")


def answers(**references: object) -> EvalSpec:
    return EvalSpec.model_validate(
        {"eval_types": ["string_match"], "reference_answers": references, "string_note": "no such thing"}
    )


def score(spec: EvalSpec, answer: str) -> float:
    return string_match(spec, "How many?", answer, no_grader)


@pytest.mark.parametrize(
    ("text", "clean"), [(" A b ", "a b"), ("'Yes'", "yes"), ('"Yes"', "yes"), ("'Yes\"", "'yes\""), ("", ""), ("'", "")]
)
def test_answers_are_cleaned(text: str, clean: str) -> None:
    assert clean_answer(text) == clean


def test_exact_match() -> None:
    assert score(answers(exact_match="Tea"), " 'tea' ") == 1.0
    assert score(answers(exact_match="Tea"), "tea.") == 0.0


@pytest.mark.parametrize(
    ("references", "answer", "expected"),
    [
        (["tea"], "Green Tea, please", 1.0),
        (["tea", "milk"], "tea", 0.0),
        (["tea", "milk"], "milk and tea", 1.0),
        (["0"], "10 orders", 0.0),
        (["0"], "0 orders", 1.0),
        (["0"], "It is 0.", 1.0),
        (["5"], "$5", 1.0),
        (["5"], "(5)", 1.0),
        (["5"], "5%", 1.0),
        (["5"], "5, they say", 1.0),
        (["5"], "1,500", 0.0),
        (["5"], "3.5", 0.0),
        (["5"], "5-6", 0.0),
        (["12"], "112", 1.0),  # WebArena compares whole tokens for one character only
        (["0", "1"], "10", 1.0),  # and only where it is the single reference
        (["a |OR| tea"], "tea", 1.0),
        (["coffee |OR| tea"], "milk", 0.0),
        (["5 |OR| five"], "five", 1.0),
        (["5 |OR| five"], "15", 0.0),
    ],
)
def test_must_include(references: list[str], answer: str, expected: float) -> None:
    assert score(answers(must_include=references), answer) == expected


def test_fuzzy_match_asks_the_grader_about_each_reference() -> None:
    asked = []

    def grader(question: str, reference: str, answer: str) -> bool:
        asked.append((question, reference, answer))
        return reference != "b"

    assert string_match(answers(fuzzy_match=["a", "c"]), "Which?", "'A'", grader) == 1.0
    assert string_match(answers(fuzzy_match=["a", "b"]), "Which?", "x", grader) == 0.0
    assert asked == [("Which?", "a", "a"), ("Which?", "c", "a"), ("Which?", "a", "x"), ("Which?", "b", "x")]
    assert score(answers(fuzzy_match=["a"]), "") == 0.0


def test_an_impossible_task_wants_na_or_an_answer_that_means_it() -> None:
    asked = []

    def grader(question: str, reference: str, answer: str) -> bool:
        asked.append(reference)
        return "cannot" in answer

    spec = answers(fuzzy_match="N/A")
    assert string_match(spec, "Buy it", "N/A", no_grader) == 1.0
    assert string_match(spec, "Buy it", "", no_grader) == 0.0
    assert string_match(spec, "Buy it", "It cannot be bought", grader) == 1.0
    assert string_match(spec, "Buy it", "Done", grader) == 0.0
    assert asked == ["N/A: no such thing"] * 2


@pytest.mark.parametrize(
    ("reference", "url", "expected"),
    [
        ("http://a.test/x", "http://a.test/x/", 1.0),
        ("http://a.test/x/", "http://a.test/x", 1.0),
        ("http://a.test/x", "http://a.test/x/y", 1.0),
        ("http://a.test/x/y", "http://a.test/x", 0.0),
        ("http://a.test/x", "http://b.test/x", 0.0),
        ("http://a.test/x |OR| http://a.test/y", "http://a.test/y", 1.0),
        ("http://a.test/x?p=1", "http://a.test/x?q=2&p=1", 1.0),
        ("http://a.test/x?p=1", "http://a.test/x?p=2", 0.0),
        ("http://a.test/x?p=1", "http://a.test/x", 0.0),
        ("http://a.test/x?p=1 |OR| http://a.test/x?p=2", "http://a.test/x?p=2", 1.0),
        ("http://a.test/x", "http://a.test/x?p=1#here", 1.0),
        ("https://a.test/x", "http://a.test/x", 1.0),
        ("http://a.test/x?p=a+b", "http://a.test/x?p=a%20b", 1.0),
        ("http://a.test/x", "", 0.0),
        ("http://a.test/x", "http://[", 0.0),
    ],
)
def test_url_match(reference: str, url: str, expected: float) -> None:
    assert url_match(reference, url) == expected


def page(required: dict[str, object], url: str = "last") -> EvalSpec:
    target = {"url": url, "locator": "#x", "required_contents": required}
    return EvalSpec.model_validate({"eval_types": ["program_html"], "program_html": [target]})


@pytest.mark.parametrize(
    ("required", "text", "expected"),
    [
        ({"exact_match": "Tea"}, "tea ", 1.0),
        ({"exact_match": ""}, "", 1.0),
        ({"exact_match": "Tea"}, "Teas", 0.0),
        ({"must_include": ["a", "b"]}, "ab", 1.0),
        ({"must_include": ["a", "c"]}, "ab", 0.0),
        ({"must_include": ["z |OR| b"]}, "ab", 1.0),
        ({"must_include": ["a & b"]}, "A &amp; B", 1.0),
    ],
)
def test_program_html(required: dict[str, object], text: str, expected: float) -> None:
    evidence = WebEvidence(probes=(Probe(url="last", locator="#x", text=text),))
    assert evaluate(page(required), "", evidence, no_grader).reward == expected


def test_a_place_nobody_looked_at_says_nothing() -> None:
    assert evaluate(page({"must_include": ["a"]}, url="http://a.test/"), "", WebEvidence(), no_grader).reward == 0.0


def test_all_types_must_hold_and_each_is_in_the_checks() -> None:
    spec = EvalSpec.model_validate(
        {
            "eval_types": ["string_match", "url_match"],
            "reference_answers": {"exact_match": "5"},
            "reference_url": "__SHOP__/x",
        }
    )
    evidence = WebEvidence(answer="5", url="http://a.test/x")
    solved = evaluate(spec, "", evidence, no_grader, {"__SHOP__": "http://a.test"})
    assert (solved.status, solved.reward) == ("solved", 1.0)
    missed = evaluate(spec, "", evidence, no_grader, {"__SHOP__": "http://b.test"})
    assert (missed.status, missed.reward, missed.checks) == ("unsolved", 0.0, {"string_match": 1.0, "url_match": 0.0})
    assert evaluate(spec, "", WebEvidence(url="http://a.test/x"), no_grader).status == "unsolved"


@pytest.mark.parametrize(
    ("spec", "told"),
    [
        ({}, "eval_types"),
        ({"eval_types": []}, "at least 1 item"),
        ({"eval_types": ["magic"]}, "string_match"),
        ({"eval_types": ["string_match"]}, "needs reference_answers"),
        ({"eval_types": ["string_match"], "reference_answers": {}}, "needs reference_answers"),
        ({"eval_types": ["string_match"], "reference_answers": {"exact": "x"}}, "Extra inputs"),
        ({"eval_types": ["string_match"], "reference_answers": {"fuzzy_match": "N/A"}}, "needs string_note"),
        ({"eval_types": ["url_match"]}, "needs reference_url"),
        ({"eval_types": ["url_match"], "reference_url": "x", "url_note": "EXACT"}, "GOLD in PRED"),
        ({"eval_types": ["program_html"]}, "needs program_html"),
        (
            {
                "eval_types": ["program_html"],
                "program_html": [{"url": "last", "locator": "", "required_contents": {}}],
            },
            "exactly one of exact_match and must_include",
        ),
    ],
)
def test_a_wrong_eval_object_is_refused_with_what_is_missing(spec: dict[str, object], told: str) -> None:
    with pytest.raises(ValidationError, match=told):
        EvalSpec.model_validate(spec)


def test_probes_are_what_the_environment_needs_to_know_and_no_more() -> None:
    spec = EvalSpec.model_validate(
        {
            "eval_types": ["program_html"],
            "program_html": [
                {"url": "last", "locator": "h1", "required_contents": {"exact_match": "secret"}},
                {"url": "last", "locator": "h1", "required_contents": {"must_include": ["cret"]}},
                {"url": "__SHOP__/x", "locator": "", "required_contents": {"must_include": ["b"]}},
            ],
        }
    )
    assert spec.probes() == (("last", "h1"), ("__SHOP__/x", ""))


@given(st.text(), st.text())
def test_any_texts_are_compared_without_errors(reference: str, answer: str) -> None:
    assert string_match(answers(must_include=[reference]), "", answer, no_grader) in (0.0, 1.0)
    assert url_match(reference, answer) in (0.0, 1.0)
    assert must_include(reference, f"<{reference}>") == 1.0 or clean_answer(reference) not in f"<{reference}>".lower()


@given(st.text(st.sampled_from("ab 1.,:;-'\"$%()"), max_size=30))
def test_tokens_hold_all_of_a_text_but_its_spaces(text: str) -> None:
    assert "".join(word_tokens(text)) == "".join(text.split())


def test_reference_answers_may_be_combined() -> None:
    assert ReferenceAnswers(exact_match="a").must_include is None
    assert score(answers(exact_match="a b", must_include=["a"]), "a b") == 1.0
    assert score(answers(exact_match="a b", must_include=["c"]), "a b") == 0.0
