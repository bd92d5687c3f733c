"""Conversions of numbers and of many quantities at once."""

from collections.abc import Iterable

from unitbox.errors import DimensionError, UnitError
from unitbox.quantity import Quantity
from unitbox.units import PREFIXES, UNITS, lookup, prefixed


def convert(value: float, source: str, target: str) -> float:
    """A number of one unit as a number of another."""
    return Quantity(value, source).to(target).value


def rescale(quantities: Iterable[Quantity], unit: str) -> list[Quantity]:
    """All of them in this unit, in their order."""
    return [quantity.to(unit) for quantity in quantities]


def total(quantities: Iterable[Quantity], unit: str | None = None) -> Quantity:
    """Their sum in this unit, or in that of the first.

    Nothing has no sum without a unit.
    """
    items = list(quantities)
    if not items:
        if unit is None:
            raise UnitError("a sum of [] needs a unit")
        return Quantity(0.0, unit)
    first = items[0]
    for item in items[1:]:
        first = first + item
    return first.to(unit or first.unit)


def ranked(quantities: Iterable[Quantity], *, largest_first: bool = False) -> list[Quantity]:
    """In the order of their size, whatever their units. Equal ones keep their order."""
    return sorted(quantities, key=lambda each: -each.magnitude() if largest_first else each.magnitude())


def breakdown(quantity: Quantity, units: list[str]) -> list[Quantity]:
    """Whole numbers of the larger units, and the rest in the smallest: 75 min as 1 h and 15 min.

    The units may be given in any order. A negative quantity has negative parts.
    """
    chosen = sorted((lookup(unit) for unit in units), key=lambda unit: -unit.factor)
    for unit in chosen:
        if unit.dimension != quantity.dimension:
            raise DimensionError(quantity.unit, unit.symbol)
    sign = -1 if quantity.value < 0 else 1
    rest = quantity.to(chosen[-1].symbol)
    left = abs(rest.value)
    parts = []
    for unit in chosen[:-1]:
        size = unit.factor / chosen[-1].factor
        count = int((left + 1e-9) // size)
        left = max(0.0, left - count * size)
        parts.append(Quantity(float(sign * count), unit.symbol))
    parts.append(Quantity(round(sign * left, 9), chosen[-1].symbol))
    return parts


def best_unit(quantity: Quantity) -> Quantity:
    """With the largest prefix that leaves at least one: 0.02 m as 2 cm, 1500 m as 1.5 km.

    Units without prefixes stay as they are, and so does zero.
    """
    unit = lookup(quantity.unit)
    if not UNITS.get(unit.symbol, ("", "", 1, 0, ""))[4] or quantity.value == 0:
        return quantity
    steps = sorted((PREFIXES[prefix][1], prefix) for prefix in UNITS[unit.symbol][4])
    choices = [(1.0, unit), *((factor, prefixed(unit, prefix)) for factor, prefix in steps)]
    fitting = [(factor, each) for factor, each in choices if abs(quantity.value) >= factor]
    _, chosen = max(fitting or [min(choices, key=lambda pair: pair[0])], key=lambda pair: pair[0])
    return quantity.to(chosen.symbol)
