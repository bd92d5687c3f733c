"""Made by tools/make_operators.py from operators.txt; do not edit."""

INFIX = {
    "%": (30, "left"),
    "*": (30, "left"),
    "+": (20, "left"),
    "-": (20, "left"),
    "/": (30, "left"),
    "//": (30, "left"),
    "<": (10, "left"),
    "<=": (10, "left"),
    "==": (10, "left"),
    ">": (10, "left"),
    ">=": (10, "left"),
    "^": (50, "right"),
}

PREFIX = {
    "+": (40, "right"),
    "-": (40, "right"),
}
