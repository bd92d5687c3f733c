"""What the statements of a test ask, do and need."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from eval.suites.swebench_mini.variants.uses import defined_by
from reasoningbank.syntax import Function


class NotShown(Exception):
    """A test whose failure cannot be shown in a few lines of a user's."""


def holds(node: ast.stmt, line: int) -> bool:
    return node.lineno <= line <= (node.end_lineno or node.lineno)


def asked(statement: ast.stmt) -> ast.expr:
    """What is looked at by an assertion, or is called."""
    if isinstance(statement, ast.Expr | ast.Assign | ast.AnnAssign) and isinstance(statement.value, ast.Call):
        return _of_unittest(statement.value)
    if not isinstance(statement, ast.Assert):
        raise NotShown
    test = statement.test
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        test = test.operand
    if isinstance(test, ast.Compare):
        return _first_call([test.left, *test.comparators])
    return test


def _of_unittest(call: ast.Call) -> ast.expr:
    """What is looked at by an assertion of unittest; any other call itself."""
    match call:
        case ast.Call(func=ast.Attribute(value=ast.Name(id="self"), attr=name)) if name.startswith("assert"):
            raising = {"assertRaises": 1, "assertRaisesRegex": 2}.get(name)
            given = call.args if raising is None else call.args[raising:]
            if not given or any(isinstance(each, ast.Starred) for each in given):
                raise NotShown
            if raising is not None:
                return ast.Call(func=given[0], args=given[1:], keywords=call.keywords)
            return _first_call(given)
    return call


def _first_call(sides: Sequence[ast.expr]) -> ast.expr:
    """The first that calls something; else the first."""
    return next((each for each in sides if any(isinstance(node, ast.Call) for node in ast.walk(each))), sides[0])


def steps_of(statement: ast.stmt, needed: set[str]) -> list[ast.AST]:
    """What of an earlier statement has to be done for the names to be as they are: an assertion's calls of their
    methods, and no assertion."""
    if isinstance(statement, ast.Assign | ast.AnnAssign | ast.AugAssign | ast.Expr | ast.For):
        touched = defined_by(statement) | {name for name, _ in _method_calls(statement)}
        return [statement] if touched & needed else []
    if isinstance(statement, ast.Assert | ast.With):
        return [call for name, call in _method_calls(statement) if name in needed]
    return []


def _method_calls(statement: ast.stmt) -> list[tuple[str, ast.Call]]:
    """The calls of methods of a plain name, with the name, in their order."""
    found = [
        (node.func.value.id, node)
        for node in ast.walk(statement)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name)
    ]
    return sorted(found, key=lambda each: (each[1].lineno, each[1].col_offset))


def free_names(node: ast.AST) -> set[str]:
    """The names that it uses and does not bind by itself."""
    nodes = list(_without_annotations(node))
    names = [each for each in nodes if isinstance(each, ast.Name)]
    inner = {each.arg for each in nodes if isinstance(each, ast.arg)}
    for each in nodes:
        if isinstance(each, ast.comprehension):
            inner |= {name.id for name in ast.walk(each.target) if isinstance(name, ast.Name)}
    if isinstance(node, Function | ast.For):
        inner |= {each.id for each in names if isinstance(each.ctx, ast.Store)}
    used = {each.id for each in names if isinstance(each.ctx, ast.Load)}
    if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
        used.add(node.target.id)
    return used - inner


def _without_annotations(node: ast.AST) -> Iterator[ast.AST]:
    yield node
    for name, value in ast.iter_fields(node):
        if name not in ("annotation", "returns"):
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST):
                    yield from _without_annotations(child)


def imported(tree: ast.Module) -> set[str]:
    """The names that stand for modules."""
    found = [alias for each in tree.body if isinstance(each, ast.Import) for alias in each.names]
    return {alias.asname or alias.name.partition(".")[0] for alias in found}


def provided(statement: ast.stmt) -> set[str]:
    if isinstance(statement, ast.Import | ast.ImportFrom):
        return {alias.asname or alias.name for alias in statement.names}
    return defined_by(statement)


def is_literal(text: str) -> bool:
    try:
        ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return False
    return True
