"""One line about each function, for the help of programs that take expressions."""

from exprcalc.errors import NameFault

SUMMARIES = {
    "abs": "abs(a): without its sign",
    "clamp": "clamp(a, least, most): kept between two borders",
    "log": "log(a, base=e): the logarithm",
    "max": "max(a, ...): the largest",
    "mean": "mean(a, ...): the arithmetic mean",
    "min": "min(a, ...): the smallest",
    "round": "round(a, digits=0): to so many digits, halves away from zero",
    "sqrt": "sqrt(a): the square root",
}


def summary(name: str) -> str:
    """What a function does. NameFault where there is none of that name."""
    if name not in SUMMARIES:
        raise NameFault(name)
    return SUMMARIES[name]
