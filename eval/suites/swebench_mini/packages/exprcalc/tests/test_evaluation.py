"""Expressions to values."""

import math

import pytest
from exprcalc import CalcError, NameFault, SyntaxFault, evaluate, names_used


def test_arithmetic() -> None:
    assert evaluate("1 + 2 * 3") == 7
    assert evaluate("(1 + 2) * 3") == 9
    assert evaluate("10 - 4 - 3") == 3
    assert evaluate("7 / 2") == 3.5
    assert evaluate("2 ^ 10") == 1024


def test_signs() -> None:
    assert evaluate("-3 + 5") == 2
    assert evaluate("2 * -3") == -6
    assert evaluate("--4") == 4


def test_comparisons() -> None:
    assert evaluate("1 + 1 == 2") == 1
    assert evaluate("3 < 2") == 0


def test_names() -> None:
    assert evaluate("2 * (width + 1)", {"width": 4}) == 10
    assert evaluate("tau / pi") == 2
    assert evaluate("e", {"e": 1}) == 1
    with pytest.raises(NameFault, match="height"):
        evaluate("height * 2")


def test_functions() -> None:
    assert evaluate("min(3, 1, 2)") == 1
    assert evaluate("sqrt(16) + abs(-2)") == 6
    assert evaluate("round(2.345, 2)") == 2.35
    assert evaluate("log(8, 2)") == pytest.approx(3)
    assert evaluate("log(e)") == pytest.approx(math.log(math.e))


@pytest.mark.parametrize("text", ["", "1+", "(1", "1)", "a,b", "min(1,", "$"])
def test_what_is_no_expression(text: str) -> None:
    with pytest.raises(SyntaxFault):
        evaluate(text)
    with pytest.raises(CalcError):
        evaluate(text)


def test_names_used() -> None:
    assert names_used("b * pi + max(a, b)") == ["b", "a"]
