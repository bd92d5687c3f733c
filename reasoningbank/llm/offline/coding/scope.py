"""What ideas look at: places with their edits, and what all of the modules define."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Sequence
from dataclasses import dataclass

from reasoningbank.llm.offline.coding.files import Module
from reasoningbank.syntax import Edit, Function

Candidate = tuple[ast.AST, list[Edit]]
"""By the lines of the node it is known whether a place was run."""


@dataclass(frozen=True)
class Definitions:
    """Names over all modules."""

    errors: dict[str, tuple[str, ...]]
    """The package's own classes of errors, each with what it takes."""
    fields: dict[str, tuple[str, ...]]
    """Of each annotated field of a class, the others of that class."""
    parameters: dict[str, tuple[str, ...]]
    """Of each function or class, what it takes."""

    @classmethod
    def of(cls, modules: Sequence[Module]) -> Definitions:
        errors: dict[str, tuple[str, ...]] = {}
        fields: dict[str, tuple[str, ...]] = {}
        parameters: dict[str, tuple[str, ...]] = {}
        for node in (node for module in modules for node in module.nodes):
            if isinstance(node, ast.ClassDef):
                own = [
                    each.target.id
                    for each in node.body
                    if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name)
                ]
                fields |= {name: tuple(other for other in own if other != name) for name in own}
                parameters.setdefault(node.name, tuple(own))
                if any(_is_error(ast.unparse(base)) for base in node.bases):
                    made = [each for each in node.body if isinstance(each, Function) and each.name == "__init__"]
                    errors[node.name] = taken_by(made[0]) if made else ("message",)
            elif isinstance(node, Function):
                parameters[node.name] = taken_by(node)
        return cls(errors, fields, parameters)


def _is_error(base: str) -> bool:
    return base.endswith(("Error", "Exception", "Fault"))


def taken_by(function: Function) -> tuple[str, ...]:
    """The parameters that a call gives."""
    taken = [each.arg for each in (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs)]
    return tuple(each for each in taken if each not in ("self", "cls"))


def names_of(function: Function, *, before: int | None = None) -> list[str]:
    """Parameters and what is assigned, in their order; those of lines before one alone, where it is given."""
    found = [each.arg for each in ast.walk(function.args) if isinstance(each, ast.arg)]
    stored = [
        (node.lineno, node.col_offset, node.id)
        for node in ast.walk(function)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and (before is None or node.lineno < before)
    ]
    found += [name for _, _, name in sorted(stored)]
    return [name for name in dict.fromkeys(found) if name not in ("self", "cls")]


def used_names(node: ast.AST) -> set[str]:
    """The names that a node reads, without those of the language."""
    names = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
    return {name for name in names if not hasattr(builtins, name)}


def indent_of(node: ast.stmt) -> str:
    """What stands before a statement in its line."""
    return " " * node.col_offset
