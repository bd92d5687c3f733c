"""The offline grader: same meaning in other clothes is taken, another number, date or polarity is not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.grading.normalised import means_unachievable, normalised_grader


@pytest.mark.parametrize(
    ("reference", "answer"),
    [
        ("Tea", "tea."),
        ("$1,234.50", "1234.5"),
        ("$12", "The total is 12.00 dollars"),
        ("3", "three"),
        ("3", "You placed 3 orders."),
        ("2024-03-05", "March 5, 2024"),
        ("5 March 2024", "It came on Mar. 5th, 2024"),
        ("Blue, Green", "green and blue"),
        ("Harbor's mug", "Harbor mug"),
        ("Ann O'Neil", "ann o’neil"),
        ("-5", "-5.0"),
        ("no", "No"),
    ],
)
def test_the_same_in_other_words_is_taken(reference: str, answer: str) -> None:
    assert normalised_grader("How much?", reference, answer)


@pytest.mark.parametrize(
    ("reference", "answer"),
    [
        ("3", "13"),
        ("3", "3 or 4"),
        ("3", "There are 3.5"),
        ("$12", "$12.50"),
        ("2024-03-05", "2024-05-03"),
        ("March 5, 2024", "March 2024"),
        ("Blue, Green", "Blue"),
        ("Blue", "not Blue"),
        ("Blue", "Red or Blue"),
        ("Blue", "red orange yellow green blue indigo violet black white grey"),
        ("the", "Blue"),
        ("yes", "no"),
        ("Tea", ""),
        ("5", "-5"),
    ],
)
def test_what_says_something_else_is_not_taken(reference: str, answer: str) -> None:
    assert not normalised_grader("How much?", reference, answer)


def test_numbers_that_the_question_names_may_be_repeated() -> None:
    assert normalised_grader("How many orders in 2023?", "4", "In 2023 there were 4 orders")
    assert not normalised_grader("How many orders in 2023?", "4", "In 2022 there were 4 orders")


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("N/A", True),
        ("There is no such product in the shop.", True),
        ("This can’t be done: the shop doesn't sell gift cards", True),
        ("I was unable to find it", True),
        ("Not possible", True),
        ("Done, the order was placed", False),
        ("The price is $5", False),
        ("", False),
        ("Notable mention", False),
    ],
)
def test_answers_that_mean_unachievable(answer: str, expected: bool) -> None:
    assert means_unachievable(answer) is expected
    assert normalised_grader("Buy it", "N/A: the shop sells no such thing", answer) is expected


@given(st.text(), st.text())
def test_any_texts_are_compared_and_each_equals_itself(one: str, other: str) -> None:
    assert normalised_grader("", other, one) in (True, False)
    assert one.startswith("N/A") or normalised_grader("", one, one)
