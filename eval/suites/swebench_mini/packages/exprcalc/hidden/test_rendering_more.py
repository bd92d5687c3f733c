"""Texts of expressions, wider than the visible tests."""

import pytest
from exprcalc import NameFault, parse, show, summary

TEXTS = {
    "a - b - c": "a - b - c",
    "a - (b + c)": "a - (b + c)",
    "a / (b * c)": "a / (b * c)",
    "(a / b) * c": "a / b * c",
    "a ^ b ^ c": "a ^ b ^ c",
    "(a ^ b) ^ c": "(a ^ b) ^ c",
    "a ^ (b ^ c)": "a ^ b ^ c",
    "(-a) ^ b": "(-a) ^ b",
    "-(a ^ b)": "-a ^ b",
    "-(a * b)": "-(a * b)",
    "(-a) * b": "-a * b",
    "a * (-b)": "a * -b",
    "a - (-b)": "a - -b",
    "(a < b) + 1": "(a < b) + 1",
    "a < (b + 1)": "a < b + 1",
    "a // (b % c)": "a // (b % c)",
    "min((a), b + (c))": "min(a, b + c)",
    "+(a)": "+a",
    "0.1 + 1e20": "0.1 + 1e+20",
}


@pytest.mark.parametrize("text", TEXTS, ids=[f"text{number}" for number in range(len(TEXTS))])
def test_what_is_shown(text: str) -> None:
    assert show(parse(text)) == TEXTS[text]
    assert parse(show(parse(text))) == parse(text)


def test_no_summary_of_what_there_is_not() -> None:
    with pytest.raises(NameFault, match="sin"):
        summary("sin")
