"""Mistakes in names: another one of the same type."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from eval.suites.swebench_mini.operators.base import Found
from eval.suites.swebench_mini.source import Source
from reasoningbank.syntax import Edit, Function


def like(function: Function) -> dict[str, list[str]]:
    """For each name of a function those that hold the same: parameters with the same annotation, and names that are
    bound together."""
    groups: list[list[str]] = []
    arguments = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
    by_kind: dict[str, list[str]] = {}
    for argument in arguments:
        if argument.annotation is not None:
            by_kind.setdefault(ast.unparse(argument.annotation), []).append(argument.arg)
    groups += by_kind.values()
    for node in ast.walk(function):
        if isinstance(node, ast.Tuple) and isinstance(node.ctx, ast.Store):
            groups.append([each.id for each in node.elts if isinstance(each, ast.Name)])
    found: dict[str, list[str]] = {}
    for group in groups:
        for name in group:
            found.setdefault(name, []).extend(other for other in group if other != name)
    return {name: list(dict.fromkeys(others)) for name, others in found.items()}


def wrong_variable(source: Source) -> Iterator[Found]:
    """Another variable of the same type."""
    known: dict[Function, dict[str, list[str]]] = {}
    for node in source.inside(ast.Name):
        assert isinstance(node, ast.Name)
        function = source.function(node)
        if function is None or not isinstance(node.ctx, ast.Load):
            continue
        if function not in known:
            known[function] = like(function)
        for other in known[function].get(node.id, ()):
            yield node, (source.replaced(node, other),)


def wrong_attribute(source: Source) -> Iterator[Found]:
    """Another attribute of the same type."""
    for node in source.inside(ast.Attribute):
        assert isinstance(node, ast.Attribute)
        if isinstance(node.ctx, ast.Load):
            end = source.end(node)
            for other in source.siblings.get(node.attr, ()):
                yield node, (Edit(end - len(node.attr), end, other),)
