"""Ideas about names, numbers and what is calculated with them."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reasoningbank.llm.offline.coding.files import Module
from reasoningbank.llm.offline.coding.scope import Candidate, Definitions, names_of
from reasoningbank.syntax import Edit

_OPERATORS: dict[type[ast.operator], tuple[str, tuple[str, ...]]] = {
    ast.Add: ("+", ("-",)),
    ast.Sub: ("-", ("+",)),
    ast.Mult: ("*", ("/", "//")),
    ast.Div: ("/", ("*", "//")),
    ast.FloorDiv: ("//", ("%", "/")),
    ast.Mod: ("%", ("//",)),
}


def one_off(module: Module, defined: Definitions) -> Iterator[Candidate]:
    """A bound, an index or a count one further or less."""
    for node in module.inside(ast.Subscript, ast.Call):
        bounds: list[ast.expr] = []
        if isinstance(node, ast.Subscript):
            parts = [node.slice.lower, node.slice.upper] if isinstance(node.slice, ast.Slice) else [node.slice]
            bounds = [each for each in parts if each is not None]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            bounds = node.args if node.func.id == "range" else []
            if node.func.id == "enumerate" and len(node.args) + len(node.keywords) == 1:
                yield node, [module.after(node.args[0], ", 1")]
                yield node, [module.after(node.args[0], ", start=1")]
        for bound in bounds:
            if isinstance(bound, ast.BinOp) and isinstance(bound.op, ast.Add | ast.Sub):
                if isinstance(bound.right, ast.Constant) and bound.right.value == 1:
                    yield bound, [module.replaced(bound, module.code(bound.left))]
            elif isinstance(bound, ast.Name | ast.Attribute | ast.Call | ast.BinOp):
                yield bound, [module.after(bound, " + 1")]
                yield bound, [module.after(bound, " - 1")]


def number(module: Module, defined: Definitions) -> Iterator[Candidate]:
    """Another number, or the other of True and False."""
    for node in module.inside(ast.Constant):
        assert isinstance(node, ast.Constant)
        if isinstance(node.value, bool):
            yield node, [module.replaced(node, str(not node.value))]
        elif isinstance(node.value, int) and module.code(node).isdecimal():
            yield node, [module.replaced(node, str(node.value - 1))]
            yield node, [module.replaced(node, str(node.value + 1))]


def arithmetic(module: Module, defined: Definitions) -> Iterator[Candidate]:
    """Plus for minus, and the like."""
    for node in module.inside(ast.BinOp, ast.AugAssign):
        assert isinstance(node, ast.BinOp | ast.AugAssign)
        old, others = _OPERATORS.get(type(node.op), ("", ()))
        for new in others:
            if isinstance(node, ast.AugAssign):
                yield node, module.exchanged(node.target, node.value, f"{old}=", f"{new}=")
            else:
                yield node, module.exchanged(node.left, node.right, old, new)


def variable(module: Module, defined: Definitions) -> Iterator[Candidate]:
    """Another variable of the function."""
    for node in module.inside(ast.Name):
        assert isinstance(node, ast.Name)
        function = module.function(node)
        if function is None or not isinstance(node.ctx, ast.Load):
            continue
        names = names_of(function)
        if node.id in names:
            # what was bound close by is mixed up more easily
            at = names.index(node.id)
            near = sorted((name for name in names if name != node.id), key=lambda name: abs(names.index(name) - at))
            for other in near[:3]:
                yield node, [module.replaced(node, other)]


def attribute(module: Module, defined: Definitions) -> Iterator[Candidate]:
    """Another field of the same class."""
    for node in module.inside(ast.Attribute):
        assert isinstance(node, ast.Attribute)
        if isinstance(node.ctx, ast.Load):
            end = module.end(node)
            for other in defined.fields.get(node.attr, ()):
                yield node, [Edit(end - len(node.attr), end, other)]
