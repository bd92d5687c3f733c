"""Expressions to texts."""

import pytest
from exprcalc import parse, show, summary


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("(a*b)+(c)", "a * b + c"),
        ("a*(b+c)", "a * (b + c)"),
        ("a-(b-c)", "a - (b - c)"),
        ("-(a+b)", "-(a + b)"),
        ("min(a,(b))", "min(a, b)"),
    ],
    ids=["sum", "product", "difference", "sign", "call"],
)
def test_no_more_parentheses_than_needed(text: str, shown: str) -> None:
    assert show(parse(text)) == shown
    assert parse(shown) == parse(text)


def test_summaries() -> None:
    assert summary("min") == "min(a, ...): the smallest"
