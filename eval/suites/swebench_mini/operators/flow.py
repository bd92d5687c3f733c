"""Mistakes in what runs, and when."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator

from eval.suites.swebench_mini.operators.base import Found
from eval.suites.swebench_mini.source import Source
from reasoningbank.syntax import Edit

INDENT = "    "


def dropped_jump(source: Source) -> Iterator[Found]:
    """A loop that does not stop, or goes on with what it should skip."""
    for node in source.inside(ast.Break, ast.Continue):
        assert isinstance(node, ast.Break | ast.Continue)
        yield node, (source.without(node),)


def guards(source: Source) -> Iterator[tuple[ast.If, ast.stmt]]:
    """Each `if` without an `else`, and the statement that it ends with."""
    for node in source.inside(ast.If):
        if isinstance(node, ast.If) and not node.orelse and source.text.startswith("if", source.start(node)):
            yield node, node.body[-1]


def missing_return(source: Source) -> Iterator[Found]:
    """A special case that returned by itself is no longer one."""
    for node, last in guards(source):
        if isinstance(last, ast.Return):
            yield node, (source.without(node),)


def missing_check(source: Source) -> Iterator[Found]:
    """What was refused is let through."""
    for node, last in guards(source):
        if isinstance(last, ast.Raise):
            yield node, (source.without(node),)


def early_return(source: Source) -> Iterator[Found]:
    """A loop that is left with its first turn."""
    for node in source.inside(ast.For, ast.While):
        assert isinstance(node, ast.For | ast.While)
        block = source.block_of(node)
        place = block.index(node) + 1
        if place == len(block) or not isinstance(block[place], ast.Return) or node.orelse:
            continue
        after = block[place]
        start, end = source.place(after.lineno, 0), source.end(after)
        lines = source.text[start:end].split("\n")
        yield node, (Edit(start, end, "\n".join(INDENT + line for line in lines)),)


def lost_error(source: Source) -> Iterator[Found]:
    """An error of the language in the place of the library's own, or one that is no longer caught."""
    for node in source.inside(ast.Raise, ast.ExceptHandler):
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call) and isinstance(node.exc.func, ast.Name):
            if not hasattr(builtins, node.exc.func.id):
                yield node, (source.replaced(node.exc.func, "ValueError"),)
                yield node, (source.replaced(node.exc.func, "LookupError"),)
        elif isinstance(node, ast.ExceptHandler) and isinstance(node.type, ast.Tuple):
            for kind in node.type.elts:
                left = [source.code(each) for each in node.type.elts if each is not kind]
                text = left[0] if len(left) == 1 else f"({', '.join(left)})"
                yield node, (source.replaced(node.type, text),)


def dropped_statement(source: Source) -> Iterator[Found]:
    """Something is not done: a call for its effect, or a new value of what has one."""
    for node in source.inside(ast.AugAssign, ast.Expr, ast.Assign):
        assert isinstance(node, ast.AugAssign | ast.Expr | ast.Assign)
        if isinstance(node, ast.Expr) and not isinstance(node.value, ast.Call):
            continue
        if isinstance(node, ast.Assign) and not _has_one(source, node):
            continue
        yield node, (source.without(node),)


def _has_one(source: Source, node: ast.Assign) -> bool:
    """Whether all that is assigned was assigned before in the same function, so that the rest still runs."""
    function = source.function(node)
    names = {each.id for target in node.targets for each in ast.walk(target) if isinstance(each, ast.Name)}
    stored = {
        each.id
        for each in ast.walk(function or source.tree)
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store) and each.lineno < node.lineno
    }
    given = {argument.arg for argument in ast.walk(function) if isinstance(argument, ast.arg)} if function else set()
    return names <= stored | given
