"""Texts to quantities: `12 km`, `1.5e3 g`, `5 ft 11 in`, `-3 degC`, `1,200 m`."""

import re
from itertools import pairwise

from unitbox.convert import total
from unitbox.errors import ParseError
from unitbox.quantity import Quantity
from unitbox.units import lookup

NUMBER = r"[+-]?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d+)?(?:[eE][+-]?\d+)?"
PART = re.compile(rf"\s*(?P<number>{NUMBER})\s*(?P<unit>[A-Za-z]+(?:[ -][a-z]{{4,}})?)\s*")


def parts(text: str) -> list[Quantity]:
    """The quantities that follow each other in a text."""
    found: list[Quantity] = []
    position = 0
    while position < len(text):
        match = PART.match(text, position)
        if match is None or not any(each.isdigit() for each in match["number"]):
            raise ParseError(text, f"a number and a unit were expected at {text[position:].strip()!r}")
        number = float(match["number"].replace(",", ""))
        found.append(Quantity(number, match["unit"].replace("-", " ")))
        position = match.end()
    return found


def parse(text: str) -> Quantity:
    """The quantity of a text, in the unit of its first part.

    Several parts are added, and each must be of a smaller unit than the one before: `5 ft 11 in` and not `11 in 5 ft`.
    A minus before the first part is that of all.
    """
    found = parts(text)
    if not found:
        raise ParseError(text, "it is empty")
    sizes = [lookup(each.unit).factor for each in found]
    for one, other in pairwise(found):
        if other.value < 0:
            raise ParseError(text, "only the first part may have a sign")
        if one.dimension != other.dimension:
            raise ParseError(text, f"{one.unit} and {other.unit} do not go together")
    if sorted(sizes, reverse=True) != sizes or len(set(sizes)) != len(sizes):
        raise ParseError(text, "the units must become smaller")
    first, *others = found
    if text.strip().startswith("-"):
        others = [-1 * each for each in others]
    return total([first, *others])
