"""Units and how they are found."""

import pytest
from unitbox import UnknownUnitError, lookup, units_of


def test_a_unit_has_a_symbol_and_a_name() -> None:
    unit = lookup("km")
    assert (unit.symbol, unit.name, unit.dimension) == ("km", "kilometre", "length")
    assert lookup("kilometre") == unit
    assert lookup("kilometres") == unit


def test_a_symbol_of_the_table_comes_before_a_prefix() -> None:
    assert lookup("min").name == "minute"
    assert lookup("ft").name == "foot"


def test_feet_and_inches() -> None:
    assert lookup("feet").symbol == "ft"
    assert lookup("inches").symbol == "in"


def test_unknown_units_are_named() -> None:
    with pytest.raises(UnknownUnitError, match="furlong"):
        lookup("furlong")


def test_units_of_a_dimension() -> None:
    assert [unit.symbol for unit in units_of("time")] == ["s", "min", "h", "d", "wk"]
