"""Mistakes in conditions."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from eval.suites.swebench_mini.operators.base import Found, one
from eval.suites.swebench_mini.source import Source
from reasoningbank.syntax import ASKING, BORDERS, OPPOSITES, Edit, conditions


def comparison_boundary(source: Source) -> Iterator[Found]:
    """`<` for `<=`, and the like."""
    for node in source.inside(ast.Compare):
        assert isinstance(node, ast.Compare)
        parts = [node.left, *node.comparators]
        for op, left, right in zip(node.ops, parts, parts[1:]):
            if type(op) in BORDERS:
                yield from one(node, source.between(left, right, *BORDERS[type(op)]))


def negated_condition(source: Source) -> Iterator[Found]:
    """The opposite is asked."""
    for test in conditions(source.inside(*ASKING)):
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            yield test, (source.replaced(test, source.code(test.operand)),)
        elif isinstance(test, ast.Compare) and len(test.ops) == 1 and type(test.ops[0]) in OPPOSITES:
            yield from one(test, source.between(test.left, test.comparators[0], *OPPOSITES[type(test.ops[0])]))
        elif isinstance(test, ast.Name | ast.Attribute | ast.Call):
            yield test, (Edit(source.start(test), source.start(test), "not "),)


def dropped_condition(source: Source) -> Iterator[Found]:
    """One of several conditions is not asked, or a comprehension leaves nothing out."""
    for node in source.inside(ast.BoolOp, ast.comprehension):
        if isinstance(node, ast.BoolOp):
            for place, value in enumerate(node.values):
                if place:
                    edit = Edit(source.end(node.values[place - 1]), source.end(value), "")
                else:
                    edit = Edit(source.start(value), source.start(node.values[1]), "")
                if _balanced(source.text[edit.start : edit.end]):
                    yield value, (edit,)
        elif isinstance(node, ast.comprehension) and len(node.ifs) == 1:
            start, end = source.end(node.iter), source.end(node.ifs[0])
            if _balanced(source.text[start:end]):
                yield node.ifs[0], (Edit(start, end, ""),)


def swapped_connective(source: Source) -> Iterator[Found]:
    """`and` for `or`, and the other way round."""
    for node in source.inside(ast.BoolOp):
        assert isinstance(node, ast.BoolOp)
        if len(node.values) == 2:
            old, new = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
            yield from one(node, source.between(node.values[0], node.values[1], old, new))


def _balanced(text: str) -> bool:
    """Whether as many parentheses are opened as closed, so that the rest has its own."""
    return text.count("(") == text.count(")")
