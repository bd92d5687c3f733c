"""Where a library has which names: what may have another one, and what is bound to the one that it has."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from eval.suites.swebench_mini.source import Source, is_docstring
from reasoningbank.syntax import Function


@dataclass
class Uses:
    """Where a library has which identifiers, over all trees."""

    everywhere: set[str] = field(default_factory=set)
    arguments: set[str] = field(default_factory=set)
    """Names by which an argument is passed in some call."""
    no_plain_use: set[str] = field(default_factory=set)
    """Names that something other than an expression, a definition or an import has."""
    attributes: set[str] = field(default_factory=set)
    in_texts: set[str] = field(default_factory=set)
    """Words of the texts that are no docstrings, such as of `getattr`."""
    locals: set[str] = field(default_factory=set)
    """Names that some function binds."""
    top: set[str] = field(default_factory=set)
    """Names that some module defines, but by an import."""
    private: set[str] = field(default_factory=set)
    """Attributes and methods with an underscore before their name that the library itself sets or defines."""


def uses_of(sources: Iterable[Source]) -> Uses:
    """What the modules use."""
    found = Uses()
    for source in sources:
        nodes = [each for each in source.nodes if isinstance(each, ast.Expr)]
        docstrings = {id(each.value) for each in nodes if is_docstring(each)}
        found.top |= {name for statement in source.tree.body for name in defined_by(statement)}
        for node in source.nodes:
            if isinstance(node, ast.Name):
                found.everywhere.add(node.id)
                if not source.text.startswith(node.id, source.start(node)):
                    found.no_plain_use.add(node.id)  # in a text with values, of which the tree tells no right place
                if isinstance(node.ctx, ast.Store) and source.function(node) is not None:
                    found.locals.add(node.id)
            elif isinstance(node, ast.Attribute):
                found.everywhere.add(node.attr)
                found.attributes.add(node.attr)
                if not source.text.startswith(node.attr, source.end(node) - len(node.attr)):
                    found.no_plain_use.add(node.attr)
                if isinstance(node.ctx, ast.Store) and is_private(node.attr):
                    found.private.add(node.attr)
            elif isinstance(node, Function | ast.ClassDef):
                found.everywhere.add(node.name)
                if isinstance(source.parents[node], ast.ClassDef) and is_private(node.name):
                    found.private.add(node.name)
            elif isinstance(node, ast.arg):
                found.everywhere.add(node.arg)
                found.locals.add(node.arg)
            elif isinstance(node, ast.keyword):
                found.arguments.add(node.arg or "")
            elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
                found.in_texts.update(re.findall(r"\w+", node.value))
            else:
                found.no_plain_use |= odd_names(node)
    return found


def odd_names(node: ast.AST) -> set[str]:
    """Names that are bound by other things than expressions."""
    if isinstance(node, ast.Global | ast.Nonlocal):
        return set(node.names)
    if isinstance(node, ast.alias):
        return {node.asname} if node.asname else set()
    if isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar):
        return {node.name} if node.name else set()
    return set()


def is_private(name: str) -> bool:
    """Whether it has one underscore before it."""
    return name.startswith("_") and not name.startswith("__") and len(name) > 1


def defined_by(statement: ast.stmt) -> set[str]:
    """The names that a statement of a module or of a class defines for the rest of it."""
    if isinstance(statement, Function | ast.ClassDef):
        return {statement.name}
    if isinstance(statement, ast.Import | ast.ImportFrom):
        return set()
    nodes = ast.walk(statement)
    return {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
