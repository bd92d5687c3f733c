"""What every change of this library has to keep."""

import importlib.util
from pathlib import Path
from types import ModuleType

import exprcalc
import pytest
from exprcalc import CalcError, _operators, evaluate, functions, summaries

ROOT = Path(exprcalc.__file__).resolve().parent.parent


def tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location("exprcalc_make_operators", ROOT / "tools/make_operators.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_table_is_that_of_the_operators() -> None:
    text = (ROOT / "exprcalc/operators.txt").read_text(encoding="utf-8")
    assert tool().tables(text) == {"INFIX": _operators.INFIX, "PREFIX": _operators.PREFIX}


def test_every_function_has_a_summary() -> None:
    assert set(summaries.SUMMARIES) == set(functions.FUNCTIONS)
    for name in functions.FUNCTIONS:
        assert exprcalc.summary(name).startswith(f"{name}(")
        assert ": " in exprcalc.summary(name)
    assert len(functions.FUNCTIONS) >= 8


def test_division_by_zero_is_an_error_of_ours() -> None:
    for text, value in (("7 / 0", "7"), ("5 % (1 - 1)", "5"), ("9 // 0", "9")):
        with pytest.raises(CalcError, match=value):
            evaluate(text)


def test_powers_without_a_result_are_errors_of_ours() -> None:
    for text, value in (("(-8) ^ 0.5", "-8"), ("0 ^ -1", "-1"), ("10 ^ 999", "999")):
        with pytest.raises(CalcError, match=value):
            evaluate(text)


def test_a_wrong_number_of_arguments_is_an_error_of_ours() -> None:
    for text, name in (("sqrt(1, 2)", "sqrt"), ("min()", "min"), ("round(1, 2, 3)", "round"), ("log()", "log")):
        with pytest.raises(CalcError, match=name):
            evaluate(text)
    for text, told in (("round(1, 2, 3)", "1 to 2, not 3"), ("min()", "at least 1, not 0"), ("abs(1, 2)", "1, not 2")):
        with pytest.raises(CalcError, match=told):
            evaluate(text)
