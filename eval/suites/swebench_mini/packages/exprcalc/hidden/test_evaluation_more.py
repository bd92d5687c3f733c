"""Evaluation, wider than the visible tests."""

import pytest
from exprcalc import CalcError, MathFault, SyntaxFault, evaluate, names_used


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1e3", 1000),
        ("2.5e-3", 0.0025),
        ("1E+2*2", 200),
        (".5e1", 5),
        ("3.", 3),
        (".25", 0.25),
        ("1_000_000", 1e6),
        ("1e3-1", 999),
        ("2*e1", 14),
    ],
    ids=["e", "negative", "plus", "point", "bare", "quarter", "thousands", "minus", "name"],
)
def test_numbers(text: str, value: float) -> None:
    assert evaluate(text, {"e1": 7}) == value


@pytest.mark.parametrize("text", ["1e", "1e+", "2x", "1.2.3", "1__0", "_", "1e5.5", "5abc"])
def test_what_is_no_number(text: str) -> None:
    with pytest.raises(CalcError):
        evaluate(text)


def test_powers_group_from_the_right() -> None:
    assert evaluate("2 ^ 3 ^ 2") == 512
    assert evaluate("4 ^ 0.5 ^ 2") == pytest.approx(4**0.25)
    assert evaluate("-2 ^ 2") == -4
    assert evaluate("2 ^ -1") == 0.5
    assert evaluate("2 ^ -1 ^ 2") == 0.5


def test_other_operators_group_from_the_left() -> None:
    assert evaluate("100 / 10 / 5") == 2
    assert evaluate("2 - 3 + 4") == 3
    assert evaluate("1 < 2 < 1") == 0


def test_whole_division_and_remainder() -> None:
    assert evaluate("7 // 2") == 3
    assert evaluate("-7 // 2") == -4
    assert evaluate("7 % 4") == 3
    assert evaluate("-7 % 4") == 1
    assert evaluate("20 // 3 * 3 + 20 % 3") == 20
    assert evaluate("1 + 7 // 2") == 4
    assert evaluate("2 ^ 3 // 3") == 2
    assert evaluate("8 // 2 / 2") == 2


def test_strengths() -> None:
    assert evaluate("1 + 2 < 4 * 1") == 1
    assert evaluate("2 * 3 ^ 2") == 18
    assert evaluate("-2 * 3 + 1") == -5
    assert evaluate("1 + 1 >= 2") == 1
    assert evaluate("2 == 2 > 0") == 1


def test_no_result() -> None:
    for text in ("1 / 0", "4 % 0", "1 // (2 - 2)"):
        with pytest.raises((CalcError, ValueError)):
            evaluate(text)
    for text in ("sqrt(-1)", "log(0)", "log(5, 1)", "log(5, -2)"):
        with pytest.raises(MathFault):
            evaluate(text)
    assert evaluate("0 / 5") == 0


def test_clamp() -> None:
    assert evaluate("clamp(5, 0, 3)") == 3
    assert evaluate("clamp(-5, 0, 3)") == 0
    assert evaluate("clamp(2, 0, 3)") == 2
    assert evaluate("clamp(5, 3, 0)") == 3
    assert evaluate("clamp(-5, 3, 0)") == 0
    with pytest.raises((CalcError, ValueError)):
        evaluate("clamp(1, 2)")


def test_mean() -> None:
    assert evaluate("mean(1, 2, 6)") == 3
    assert evaluate("mean(4)") == 4
    assert evaluate("mean(-1, 1)") == 0
    assert evaluate("mean(" + ", ".join(["0.1"] * 10) + ")") == 0.1
    with pytest.raises((CalcError, ValueError)):
        evaluate("mean()")


def test_round() -> None:
    assert [evaluate(f"round({text})") for text in ("0.5", "1.5", "2.5", "-0.5", "-2.4")] == [1, 2, 3, -1, -2]
    assert evaluate("round(1234, -2)") == 1200
    assert evaluate("round(0.125, 2)") == 0.13


def test_other_functions() -> None:
    assert evaluate("max(3)") == 3
    assert evaluate("min(2, max(1, 5))") == 2
    assert evaluate("log(100, 10)") == pytest.approx(2)
    assert evaluate("abs(-2.5)") == 2.5
    assert evaluate("sqrt(0)") == 0
    assert evaluate("min(2 + 3 - 4, 9)") == 1


def test_wrong_numbers_of_arguments() -> None:
    for text in ("sqrt()", "sqrt(1, 2)", "round(1, 2, 3)", "max()", "abs()", "log(1, 2, 3)"):
        with pytest.raises((CalcError, ValueError)):
            evaluate(text)


def test_the_place_of_a_fault() -> None:
    for text, position in (("1 + $", 4), ("1 + ", 4), ("(1 2)", 3), ("2 3", 2), ("min(1;2)", 5)):
        with pytest.raises(SyntaxFault) as caught:
            evaluate(text)
        assert caught.value.position == position


def test_names() -> None:
    given = {"pi": 3.0}
    assert evaluate("pi", given) == 3
    assert given == {"pi": 3.0}
    assert names_used("1 + 2") == []
    assert names_used("min(b, -a) ^ b") == ["b", "a"]
    assert names_used("sqrt + sqrt(x)") == ["sqrt", "x"]
