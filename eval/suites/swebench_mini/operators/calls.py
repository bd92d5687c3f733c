"""Mistakes in calls: what is called, and with what."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from eval.suites.swebench_mini.operators.base import Found
from eval.suites.swebench_mini.source import Source
from reasoningbank.syntax import Edit, Function

METHODS = {
    "strip": ("lstrip", "rstrip"),
    "rstrip": ("strip",),
    "lstrip": ("strip",),
    "append": ("extend",),
    "extend": ("append",),
    "startswith": ("endswith",),
    "endswith": ("startswith",),
    "find": ("rfind",),
    "rfind": ("find",),
    "index": ("count",),
    "split": ("rsplit",),
    "partition": ("rpartition",),
    "rpartition": ("partition",),
    "lower": ("upper",),
    "upper": ("lower",),
    "splitlines": ("split",),
    "setdefault": ("get",),
    "items": ("keys",),
    "keys": ("values",),
    "values": ("keys",),
    "fullmatch": ("match",),
    "match": ("search",),
    "isdigit": ("isalnum",),
    "isalpha": ("isalnum",),
    "isalnum": ("isalpha",),
    "ljust": ("rjust",),
    "rjust": ("ljust",),
}
FUNCTIONS = {
    "min": ("max",),
    "max": ("min",),
    "any": ("all",),
    "all": ("any",),
    "int": ("round",),
    "round": ("int",),
    "bisect_right": ("bisect_left",),
    "bisect_left": ("bisect_right",),
    "repr": ("str",),
}
COPIES = ("list", "dict", "tuple", "set")
SAME_EITHER_WAY = ("min", "max", "isinstance", "issubclass", "super", "getattr", "print")


def swapped_arguments(source: Source) -> Iterator[Found]:
    """Two arguments in each other's place."""
    for node in source.inside(ast.Call):
        assert isinstance(node, ast.Call)
        if isinstance(node.func, ast.Name) and node.func.id in SAME_EITHER_WAY:
            continue
        for left, right in zip(node.args, node.args[1:]):
            first, second = source.code(left), source.code(right)
            if first != second and not isinstance(left, ast.Starred) and not isinstance(right, ast.Starred):
                yield node, (source.replaced(left, second), source.replaced(right, first))


def dropped_argument(source: Source) -> Iterator[Found]:
    """An argument that is not passed on."""
    for node in source.inside(ast.Call):
        assert isinstance(node, ast.Call)
        given: list[ast.expr | ast.keyword] = [*node.args, *node.keywords]
        for place, argument in enumerate(given):
            named = isinstance(argument, ast.keyword) and argument.arg is not None
            if place and (named or (place == len(node.args) - 1 and not isinstance(argument, ast.Starred))):
                yield node, (Edit(source.end(given[place - 1]), source.end(argument), ""),)


def wrong_method(source: Source) -> Iterator[Found]:
    """A method or a function of the language whose name sounds much the same."""
    for node in source.inside(ast.Call):
        assert isinstance(node, ast.Call)
        if isinstance(node.func, ast.Attribute):
            end = source.end(node.func)
            for other in METHODS.get(node.func.attr, ()):
                yield node, (Edit(end - len(node.func.attr), end, other),)
        elif isinstance(node.func, ast.Name):
            for other in FUNCTIONS.get(node.func.id, ()):
                yield node, (source.replaced(node.func, other),)


def missing_copy(source: Source) -> Iterator[Found]:
    """The thing itself where a new one was made of it."""
    for node in source.inside(ast.Call, ast.List, ast.Subscript):
        if isinstance(node, ast.Call) and not node.keywords:
            called = node.func
            if isinstance(called, ast.Name) and called.id in COPIES and len(node.args) == 1:
                if isinstance(node.args[0], ast.Name | ast.Attribute | ast.Call | ast.Subscript):
                    yield node, (source.replaced(node, source.code(node.args[0])),)
            elif isinstance(called, ast.Attribute) and called.attr == "copy" and not node.args:
                yield node, (source.replaced(node, source.code(called.value)),)
        elif isinstance(node, ast.List) and len(node.elts) == 1 and isinstance(node.elts[0], ast.Starred):
            yield node, (source.replaced(node, source.code(node.elts[0].value)),)


def lost_order(source: Source) -> Iterator[Found]:
    """Things as they come, or sorted another way, where they were sorted, turned or had a key."""
    for node in source.inside(ast.Call):
        assert isinstance(node, ast.Call)
        if isinstance(node.func, ast.Name) and node.func.id in ("sorted", "reversed") and node.args:
            yield node, (Edit(source.start(node), source.end(node), f"list({source.code(node.args[0])})"),)


def wrong_default(source: Source) -> Iterator[Found]:
    """Another default of a parameter or of a field."""
    for node in ast.walk(source.tree):
        defaults: list[ast.expr | None] = []
        if isinstance(node, Function):
            defaults = [*node.args.defaults, *node.args.kw_defaults]
        elif isinstance(node, ast.ClassDef):
            defaults = [each.value for each in node.body if isinstance(each, ast.AnnAssign)]
        for default in defaults:
            if isinstance(default, ast.Constant):
                if isinstance(default.value, bool):
                    yield default, (source.replaced(default, str(not default.value)),)
                elif isinstance(default.value, int):
                    yield default, (source.replaced(default, str(default.value + 1)),)
                    if default.value:
                        yield default, (source.replaced(default, str(default.value - 1)),)
                elif isinstance(default.value, str) and len(default.value) == 1:
                    yield default, (source.replaced(default, '""'),)
