"""Units and how they are found: by symbol, by name, by plural name, with a prefix."""

from dataclasses import dataclass
from functools import cache

from unitbox._table import UNITS
from unitbox.errors import UnknownUnitError

PREFIXES = {
    "f": ("femto", 1e-15),
    "p": ("pico", 1e-12),
    "n": ("nano", 1e-9),
    "u": ("micro", 1e-6),
    "m": ("milli", 1e-3),
    "c": ("centi", 1e-2),
    "d": ("deci", 1e-1),
    "h": ("hecto", 1e2),
    "k": ("kilo", 1e3),
    "M": ("mega", 1e6),
    "G": ("giga", 1e9),
}
IRREGULAR = {"feet": "foot", "inches": "inch", "stones": "stone", "celsius": "celsius"}


@dataclass(frozen=True)
class Unit:
    """One unit. A value in it, times `factor`, plus `offset`, is the value in the dimension's base unit."""

    symbol: str
    name: str
    dimension: str
    factor: float
    offset: float = 0.0

    def to_base(self, value: float) -> float:
        """The value in the dimension's base unit."""
        return value * self.factor + self.offset

    def from_base(self, value: float) -> float:
        """The opposite of `to_base`."""
        return (value - self.offset) / self.factor


def plain_units() -> list[Unit]:
    """All units without a prefix, by symbol."""
    return [Unit(symbol, *row[:4]) for symbol, row in sorted(UNITS.items())]


def singular(name: str) -> str:
    """The name of one: metres to metre, feet to foot."""
    if name in IRREGULAR:
        return IRREGULAR[name]
    return name[:-1] if len(name) > 3 and name.endswith("s") else name


def prefixed(unit: Unit, prefix: str) -> Unit:
    """The unit with a prefix before it: m and k to km."""
    name, factor = PREFIXES[prefix]
    return Unit(prefix + unit.symbol, name + unit.name, unit.dimension, unit.factor * factor, unit.offset)


@cache
def lookup(text: str) -> Unit:
    """The unit of this symbol or name. UnknownUnitError where there is none.

    A symbol that is in the table comes before one that is made of a prefix and another: `min` is a minute, and no
    milli-inch.
    """
    name = text.strip()
    for unit in plain_units():
        if name == unit.symbol or singular(name.lower()) == unit.name:
            return unit
    for unit in plain_units():
        for prefix in UNITS[unit.symbol][4]:
            candidate = prefixed(unit, prefix)
            if name == candidate.symbol or singular(name.lower()) == candidate.name:
                return candidate
    raise UnknownUnitError(text)


def units_of(dimension: str) -> list[Unit]:
    """The units of a dimension without their prefixes, the smallest first."""
    found = [unit for unit in plain_units() if unit.dimension == dimension]
    if not found:
        raise UnknownUnitError(dimension)
    return sorted(found, key=lambda unit: (unit.factor, unit.symbol))
