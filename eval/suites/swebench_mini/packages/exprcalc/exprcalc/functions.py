"""The functions that expressions can call. What each does is said in summaries.py."""

import math
from collections.abc import Callable
from dataclasses import dataclass

from exprcalc.errors import ArityFault, MathFault


@dataclass(frozen=True)
class Function:
    """Something to call with so many arguments; `most` is None where there is no limit."""

    run: Callable[..., float]
    least: int
    most: int | None

    def wanted(self) -> str:
        """The number of arguments, in words."""
        if self.most is None:
            return f"at least {self.least}"
        return str(self.least) if self.least == self.most else f"{self.least} to {self.most}"


def root(value: float) -> float:
    """The square root."""
    if value < 0:
        raise MathFault("sqrt", value)
    return math.sqrt(value)


def logarithm(value: float, base: float = math.e) -> float:
    """The natural logarithm, or that to a base."""
    if value <= 0 or base <= 0 or base == 1:
        raise MathFault("log", value, base)
    return math.log(value) / math.log(base)


def rounded(value: float, digits: float = 0) -> float:
    """To so many digits, halves away from zero."""
    scale = 10.0 ** int(digits)
    return math.copysign(math.floor(abs(value) * scale + 0.5) / scale, value)


def mean(*values: float) -> float:
    """The arithmetic mean."""
    return math.fsum(values) / len(values)


def clamp(value: float, least: float, most: float) -> float:
    """The value, or the border that it is beyond; the borders may be given in either order."""
    low, high = min(least, most), max(least, most)
    return max(low, min(high, value))


FUNCTIONS = {
    "abs": Function(abs, 1, 1),
    "clamp": Function(clamp, 3, 3),
    "log": Function(logarithm, 1, 2),
    "max": Function(max, 1, None),
    "mean": Function(mean, 1, None),
    "min": Function(min, 1, None),
    "round": Function(rounded, 1, 2),
    "sqrt": Function(root, 1, 1),
}


def call(name: str, arguments: list[float]) -> float:
    """The result of a function. ArityFault for the wrong number of arguments."""
    function = FUNCTIONS[name]
    if len(arguments) < function.least or (function.most is not None and len(arguments) > function.most):
        raise ArityFault(name, len(arguments), function.wanted())
    if len(arguments) == 1 and function.run in (min, max):
        return arguments[0]
    return float(function.run(*arguments))
