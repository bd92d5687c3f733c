"""Quantities to texts."""

from unitbox.errors import UnitError
from unitbox.quantity import Quantity
from unitbox.units import IRREGULAR, lookup

PLURALS = {single: many for many, single in IRREGULAR.items()}
STYLES = ("short", "long", "plain")


def number(value: float, digits: int | None = None) -> str:
    """A number without needless zeros: 2.50 as 2.5, 3.0 as 3. `digits` are those behind the point, at most."""
    if digits is not None:
        value = round(value, digits)
    text = f"{value:.10f}".rstrip("0").rstrip(".")
    if text in ("0", "-0") and value != 0:
        return f"{value:g}"
    return "0" if text == "-0" else text


def plural(name: str) -> str:
    """The name of several: metre to metres, foot to feet."""
    return PLURALS.get(name, f"{name}s")


def render(quantity: Quantity, style: str = "short", digits: int | None = None) -> str:
    """`12.5 km` (short), `12.5 kilometres` (long) or `12.5` (plain)."""
    if style not in STYLES:
        raise UnitError(f"unknown style {style!r}: one of {', '.join(STYLES)}")
    text = number(quantity.value, digits)
    if style == "plain":
        return text
    if style == "short":
        return f"{text} {quantity.unit}"
    name = lookup(quantity.unit).name
    return f"{text} {name if text in ('1', '-1') else plural(name)}"
