"""Mistakes in arithmetic and in counting."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from eval.suites.swebench_mini.operators.base import Found, one
from eval.suites.swebench_mini.source import Source
from reasoningbank.syntax import Edit

WRONG: dict[type[ast.operator], tuple[str, str]] = {
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: ("*", "/"),
    ast.Div: ("/", "*"),
    ast.FloorDiv: ("//", "/"),
    ast.Mod: ("%", "//"),
}
NO_NUMBERS = (ast.JoinedStr, ast.List, ast.Tuple, ast.Dict, ast.ListComp)


def is_number(node: ast.expr) -> bool:
    """Whether it may be one, as far as can be seen."""
    if isinstance(node, ast.Constant):
        return isinstance(node.value, int | float)
    return not isinstance(node, NO_NUMBERS)


def wrong_operator(source: Source) -> Iterator[Found]:
    """Plus for minus, and the like."""
    for node in source.inside(ast.BinOp, ast.AugAssign):
        if not isinstance(node, ast.BinOp | ast.AugAssign) or type(node.op) not in WRONG:
            continue
        old, new = WRONG[type(node.op)]
        if isinstance(node, ast.AugAssign):
            if is_number(node.value):
                yield from one(node, source.between(node.target, node.value, f"{old}=", f"{new}="))
        elif is_number(node.left) and is_number(node.right):
            yield from one(node, source.between(node.left, node.right, old, new))


def off_by_one(source: Source) -> Iterator[Found]:
    """One too far or too short: a bound of a slice or a range, an index, a count that begins at 1."""
    for node in source.inside(ast.Subscript, ast.Call):
        if isinstance(node, ast.Subscript):
            bounds = [node.slice.lower, node.slice.upper] if isinstance(node.slice, ast.Slice) else [node.slice]
            for bound in bounds:
                if bound is not None and not isinstance(bound, ast.Constant | ast.Tuple):
                    yield from shifted(source, bound)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            if node.func.id == "range":
                for bound in node.args[:2]:
                    yield from shifted(source, bound)
            if node.func.id == "enumerate" and len(node.args) == 2:
                yield node, (Edit(source.end(node.args[0]), source.end(node.args[1]), ""),)


def shifted(source: Source, bound: ast.expr) -> Iterator[Found]:
    """A bound one further, or without the one that was added or taken away."""
    if isinstance(bound, ast.BinOp) and isinstance(bound.op, ast.Add | ast.Sub):
        if isinstance(bound.right, ast.Constant) and bound.right.value == 1:
            yield bound, (source.replaced(bound, source.code(bound.left)),)
    elif isinstance(bound, ast.Name | ast.Attribute | ast.Call):
        yield bound, (Edit(source.end(bound), source.end(bound), " - 1"),)
        yield bound, (Edit(source.end(bound), source.end(bound), " + 1"),)


def wrong_constant(source: Source) -> Iterator[Found]:
    """Another number, or the other of True and False."""
    for node in source.inside(ast.Constant):
        assert isinstance(node, ast.Constant)
        if isinstance(source.parents[node], ast.JoinedStr | ast.FormattedValue):
            continue
        if isinstance(node.value, bool):
            yield node, (source.replaced(node, str(not node.value)),)
        elif isinstance(node.value, int) and source.code(node).isdecimal():
            yield node, (source.replaced(node, str(node.value + 1)),)
            if node.value:
                yield node, (source.replaced(node, str(node.value - 1)),)
