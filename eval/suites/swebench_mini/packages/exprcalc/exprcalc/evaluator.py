"""Nodes to values."""

import math
import operator
from collections.abc import Callable, Mapping

from exprcalc.errors import MathFault, NameFault
from exprcalc.functions import FUNCTIONS, call
from exprcalc.nodes import Infix, Name, Node, Number, Prefix, children
from exprcalc.parser import parse

CONSTANTS = {"pi": math.pi, "e": math.e, "tau": math.tau}

OPERATIONS: dict[str, Callable[[float, float], float]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "//": operator.floordiv,
    "%": operator.mod,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
}


def power(base: float, exponent: float) -> float:
    """MathFault where the result is no real number, or too large for one."""
    try:
        result = base**exponent
    except (ZeroDivisionError, OverflowError):
        raise MathFault("^", base, exponent) from None
    if isinstance(result, complex):
        raise MathFault("^", base, exponent)
    return float(result)


def apply(symbol: str, left: float, right: float) -> float:
    """An infix operation. Comparisons give 1 or 0."""
    if symbol == "^":
        return power(left, right)
    if right == 0 and symbol in ("/", "//", "%"):
        raise MathFault(symbol, left, right)
    return float(OPERATIONS[symbol](left, right))


def run(node: Node, scope: Mapping[str, float]) -> float:
    """The value of a node, with these names."""
    if isinstance(node, Number):
        return node.value
    if isinstance(node, Name):
        if node.name not in scope:
            raise NameFault(node.name)
        return float(scope[node.name])
    if isinstance(node, Prefix):
        value = run(node.operand, scope)
        return -value if node.symbol == "-" else value
    if isinstance(node, Infix):
        return apply(node.symbol, run(node.left, scope), run(node.right, scope))
    if node.name not in FUNCTIONS:
        raise NameFault(node.name)
    return call(node.name, [run(argument, scope) for argument in node.arguments])


def evaluate(text: str, names: Mapping[str, float] | None = None) -> float:
    """The value of an expression. The caller's names come before the constants."""
    return run(parse(text), {**CONSTANTS, **(names or {})})


def names_used(text: str) -> list[str]:
    """The names that an expression needs beside the constants, in the order of their first use."""
    found: list[str] = []

    def visit(node: Node) -> None:
        if isinstance(node, Name) and node.name not in CONSTANTS and node.name not in found:
            found.append(node.name)
        for child in children(node):
            visit(child)

    visit(parse(text))
    return found
