"""Units, wider than the visible tests."""

import pytest
import unitbox
from unitbox import Quantity, convert, lookup


def test_masses() -> None:
    assert convert(1, "st", "lb") == pytest.approx(14)
    assert convert(16, "oz", "lb") == pytest.approx(1)
    assert convert(11, "st", "kg") == pytest.approx(69.85322498)
    assert convert(1, "t", "kg") == 1000
    assert convert(5, "ug", "mg") == pytest.approx(0.005)


def test_distances() -> None:
    assert convert(1, "nmi", "m") == 1852
    assert convert(2, "nautical miles", "km") == 3.704
    assert convert(3, "yards", "ft") == 9
    assert convert(1, "Mm", "km") == 1000
    assert convert(250, "um", "mm") == 0.25


def test_volumes_and_energies() -> None:
    assert convert(8, "pt", "gal") == pytest.approx(1)
    assert convert(1, "hl", "l") == 100
    assert convert(1, "kWh", "MJ") == 3.6
    assert convert(1, "kcal", "J") == 4184


def test_long_times() -> None:
    assert convert(2, "wk", "d") == 14
    assert convert(36, "h", "d") == 1.5
    assert convert(3, "ms", "us") == 3000


def test_temperatures() -> None:
    assert convert(100, "degC", "degF") == pytest.approx(212)
    assert convert(-40, "degF", "degC") == pytest.approx(-40)
    assert convert(300, "K", "degC") == pytest.approx(26.85)
    assert convert(300000, "mK", "degC") == pytest.approx(26.85)
    assert convert(20, "celsius", "kelvin") == pytest.approx(293.15)


def test_a_difference_of_temperatures_has_no_offset() -> None:
    assert (Quantity(20, "degC") + Quantity(5, "degC")).value == pytest.approx(25)
    assert (Quantity(20, "degC") - Quantity(9, "degF")).value == pytest.approx(15)


def test_names_in_any_case_and_symbols_in_theirs() -> None:
    assert lookup("Kilometres").symbol == "km"
    assert lookup("MEGAGRAM").symbol == "Mg"
    assert lookup("mg") != lookup("Mg")
    assert lookup(" stones ").symbol == "st"
    assert lookup("inch") == lookup("inches") == lookup("in")
    assert lookup("celsius").symbol == "degC"


def test_prefixes_only_where_they_are_allowed() -> None:
    for text in ("kft", "Mmin", "cs", "kmi", "nl", ""):
        with pytest.raises(unitbox.UnknownUnitError):
            lookup(text)


def test_units_of_are_sorted_by_size() -> None:
    assert [unit.symbol for unit in unitbox.units_of("mass")] == ["g", "oz", "lb", "st", "t"]
    with pytest.raises(unitbox.UnknownUnitError, match="charm"):
        unitbox.units_of("charm")
