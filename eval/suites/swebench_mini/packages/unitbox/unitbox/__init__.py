"""Quantities with units: read them, convert them, print them."""

from unitbox.convert import best_unit, breakdown, convert, ranked, rescale, total
from unitbox.errors import DimensionError, ParseError, UnitError, UnknownUnitError
from unitbox.parsing import parse
from unitbox.quantity import Quantity
from unitbox.rendering import render
from unitbox.units import Unit, lookup, units_of

__all__ = [
    "DimensionError",
    "ParseError",
    "Quantity",
    "Unit",
    "UnitError",
    "UnknownUnitError",
    "best_unit",
    "breakdown",
    "convert",
    "lookup",
    "parse",
    "ranked",
    "render",
    "rescale",
    "total",
    "units_of",
]
