"""A number with a unit."""

from __future__ import annotations

from dataclasses import dataclass

from unitbox.errors import DimensionError
from unitbox.units import lookup


@dataclass(frozen=True)
class Quantity:
    """So many of a unit. The unit is kept by its symbol, however it was written."""

    value: float
    unit: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "unit", lookup(self.unit).symbol)

    def __repr__(self) -> str:
        return f"Quantity({self.value!r}, {self.unit!r})"

    @property
    def dimension(self) -> str:
        """What it measures: length, mass, time ..."""
        return lookup(self.unit).dimension

    def to(self, unit: str) -> Quantity:
        """The same in another unit. DimensionError where that measures something else."""
        source, target = lookup(self.unit), lookup(unit)
        if source.dimension != target.dimension:
            raise DimensionError(self.unit, unit)
        if source == target:
            return self
        return Quantity(tidy(target.from_base(source.to_base(self.value))), target.symbol)

    def __add__(self, other: Quantity) -> Quantity:
        """The sum, in the unit of the first."""
        if self.dimension != other.dimension:
            raise DimensionError(self.unit, other.unit)
        scale = lookup(other.unit).factor / lookup(self.unit).factor
        return Quantity(tidy(self.value + other.value * scale), self.unit)

    def __sub__(self, other: Quantity) -> Quantity:
        """The difference, in the unit of the first."""
        return self + (-1 * other)

    def __rmul__(self, factor: float) -> Quantity:
        return Quantity(factor * self.value, self.unit)

    def __lt__(self, other: Quantity) -> bool:
        if self.dimension != other.dimension:
            raise DimensionError(self.unit, other.unit)
        return self.magnitude() < other.magnitude()

    def magnitude(self) -> float:
        """The value in the dimension's base unit."""
        return lookup(self.unit).to_base(self.value)


def tidy(value: float) -> float:
    """Without the noise that a float multiplication leaves behind the twelfth digit."""
    return float(f"{value:.12g}")
