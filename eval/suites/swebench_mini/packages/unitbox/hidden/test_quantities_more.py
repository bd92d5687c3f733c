"""Quantities, wider than the visible tests."""

import pytest
import unitbox
from unitbox import ParseError, Quantity, best_unit, breakdown, parse, render


def test_the_unit_is_kept_by_its_symbol() -> None:
    assert Quantity(3, "feet").unit == "ft"
    assert repr(Quantity(3, "feet")) == "Quantity(3, 'ft')"
    assert Quantity(2, "km").dimension == "length"


def test_the_same_unit_is_the_same_quantity() -> None:
    assert Quantity(0.1 + 0.2, "m").to("metres").value == 0.1 + 0.2


def test_comparisons_over_units() -> None:
    assert Quantity(900, "m") < Quantity(1, "km")
    assert not Quantity(1, "mi") < Quantity(1, "km")
    assert sorted([Quantity(1, "h"), Quantity(50, "min")]) == [Quantity(50, "min"), Quantity(1, "h")]


def test_ranked() -> None:
    given = [Quantity(2, "km"), Quantity(300, "m"), Quantity(1, "mi")]
    assert [each.unit for each in unitbox.ranked(given)] == ["m", "mi", "km"]
    assert [each.unit for each in unitbox.ranked(given, largest_first=True)] == ["km", "mi", "m"]


def test_ranked_keeps_the_order_of_equal_ones() -> None:
    given = [Quantity(1, "km"), Quantity(5, "m"), Quantity(1000, "m")]
    assert [each.unit for each in unitbox.ranked(given)] == ["m", "km", "m"]
    assert unitbox.ranked(given, largest_first=True)[:2] == [Quantity(1, "km"), Quantity(1000, "m")]
    assert unitbox.ranked([]) == []


def test_total() -> None:
    assert unitbox.total(iter([Quantity(1, "km"), Quantity(1, "m")])) == Quantity(1.001, "km")
    assert unitbox.total([], "kg") == Quantity(0, "kg")
    with pytest.raises(unitbox.UnitError):
        unitbox.total([])


def test_numbers() -> None:
    assert parse("1,200 m") == Quantity(1200, "m")
    assert parse("1,234,567.5 g").value == 1234567.5
    assert parse(".5 l") == Quantity(0.5, "l")
    assert parse("3km") == Quantity(3, "km")
    assert parse("-3 degC") == Quantity(-3, "degC")
    assert parse("2 nautical miles") == Quantity(2, "nmi")
    assert parse("1 kilowatt-hour").unit == "kWh"


def test_several_parts() -> None:
    assert parse("1 h 30 min") == Quantity(1.5, "h")
    assert parse("2h 15min 36s").value == pytest.approx(2.26)
    assert parse("-1 h 30 min") == Quantity(-1.5, "h")
    assert parse("-5 ft 6 in").to("in") == Quantity(-66, "in")
    assert parse("11 stones 4 pounds").to("lb").value == pytest.approx(158)


def test_texts_that_are_none() -> None:
    for text in ("1 h -30 min", "1 km 2 kg", "1,20 m", "1 h 2", "--3 m"):
        with pytest.raises(ParseError):
            parse(text)


def test_breakdown() -> None:
    assert breakdown(Quantity(3661, "s"), ["s", "h", "min"]) == [
        Quantity(1, "h"),
        Quantity(1, "min"),
        Quantity(1, "s"),
    ]
    assert breakdown(Quantity(71, "in"), ["ft", "in"]) == [Quantity(5, "ft"), Quantity(11, "in")]
    assert breakdown(Quantity(1.1, "km"), ["km", "m"]) == [Quantity(1, "km"), Quantity(100, "m")]


def test_breakdown_of_less_than_nothing() -> None:
    assert breakdown(Quantity(-75, "min"), ["h", "min"]) == [Quantity(-1, "h"), Quantity(-15, "min")]
    assert breakdown(Quantity(-90, "s"), ["min", "s"]) == [Quantity(-1, "min"), Quantity(-30, "s")]


def test_breakdown_that_ends_at_a_whole_number() -> None:
    assert breakdown(Quantity(2, "h"), ["h", "min"]) == [Quantity(2, "h"), Quantity(0, "min")]
    assert breakdown(Quantity(0.3, "km"), ["m", "cm"]) == [Quantity(300, "m"), Quantity(0, "cm")]
    with pytest.raises(unitbox.DimensionError):
        breakdown(Quantity(2, "h"), ["h", "m"])


def test_best_unit() -> None:
    assert best_unit(Quantity(0.0005, "g")) == Quantity(500, "ug")
    assert best_unit(Quantity(2e7, "m")) == Quantity(20, "Mm")
    assert best_unit(Quantity(-1500, "m")) == Quantity(-1.5, "km")
    assert best_unit(Quantity(0, "m")) == Quantity(0, "m")
    assert best_unit(Quantity(5000, "ft")) == Quantity(5000, "ft")
    assert best_unit(Quantity(1e-17, "m")) == Quantity(0.01, "fm")
    assert best_unit(Quantity(1, "s")) == Quantity(1, "s")


def test_rendered_numbers() -> None:
    assert render(Quantity(2.50, "km")) == "2.5 km"
    assert render(Quantity(-1, "h"), style="long") == "-1 hour"
    assert render(Quantity(0, "h"), style="long") == "0 hours"
    assert render(Quantity(1e-12, "m")) == "1e-12 m"
    assert render(Quantity(12.3456, "m"), style="plain", digits=1) == "12.3"
    assert render(Quantity(-0.001, "m"), digits=1) == "0 m"
    assert render(Quantity(1200, "m")) == "1200 m"


def test_rendered_names() -> None:
    assert render(Quantity(6, "in"), style="long") == "6 inches"
    assert render(Quantity(3, "nmi"), style="long") == "3 nautical miles"
    assert render(Quantity(20, "degC"), style="long") == "20 celsius"
    assert render(Quantity(1.04, "m"), style="long", digits=1) == "1 metre"


def test_what_is_rendered_can_be_read() -> None:
    for text in ("12 km", "2.5 ft", "20 celsius", "3 nautical miles", "11 stones", "1 inch"):
        quantity = parse(text)
        assert parse(render(quantity)) == quantity
        assert parse(render(quantity, style="long")) == quantity


def test_parts_from_the_larger_to_the_smaller() -> None:
    for text in ("11 in 5 ft", "30 min 1 h", "5 ft 3 ft", "3 oz 2 lb 1 st"):
        with pytest.raises(ValueError, match=r"."):
            parse(text)
    assert parse("1 st 2 lb 3 oz").unit == "st"


def test_different_things_are_not_added() -> None:
    for one, other in (("km", "kg"), ("s", "l"), ("J", "K")):
        with pytest.raises((ValueError, TypeError)):
            Quantity(1, one) + Quantity(1, other)
        with pytest.raises((ValueError, TypeError)):
            unitbox.total([Quantity(1, one), Quantity(1, other)])
