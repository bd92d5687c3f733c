"""Quantities: conversion, sums, texts."""

import pytest
from unitbox import DimensionError, ParseError, Quantity, best_unit, convert, parse, render, total


def test_convert() -> None:
    assert convert(10, "mi", "km") == 16.09344
    assert convert(0, "degC", "degF") == pytest.approx(32)
    with pytest.raises(DimensionError):
        convert(1, "km", "kg")


def test_sums_are_in_the_first_unit() -> None:
    assert Quantity(1, "km") + Quantity(500, "m") == Quantity(1.5, "km")
    assert Quantity(1, "h") - Quantity(15, "min") == Quantity(0.75, "h")
    assert total([Quantity(1, "ft"), Quantity(6, "in")], "in") == Quantity(18, "in")


def test_parse() -> None:
    assert parse("12 km") == Quantity(12, "km")
    assert parse("1.5e3 g") == Quantity(1500, "g")
    assert parse("5 ft 11 in").to("cm") == Quantity(180.34, "cm")
    for text in ("", "km", "3", "3 4 km"):
        with pytest.raises(ParseError):
            parse(text)


def test_render() -> None:
    assert render(Quantity(1500, "m")) == "1500 m"
    assert render(Quantity(1, "m"), style="long") == "1 metre"
    assert render(Quantity(2.5, "ft"), style="long") == "2.5 feet"
    assert render(Quantity(1 / 3, "m"), digits=2) == "0.33 m"


def test_best_unit() -> None:
    assert best_unit(Quantity(1500, "m")) == Quantity(1.5, "km")
    assert best_unit(Quantity(0.02, "m")) == Quantity(2, "cm")
