"""The same said the other way round, for some of a library's expressions."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from eval.suites.swebench_mini.draws import draw
from eval.suites.swebench_mini.source import Source
from reasoningbank.syntax import OPPOSITES, Edit, edited

TURNED: dict[type[ast.cmpop], tuple[str, str]] = {
    ast.Lt: ("<", ">"),
    ast.LtE: ("<=", ">="),
    ast.Gt: (">", "<"),
    ast.GtE: (">=", "<="),
    ast.Eq: ("==", "=="),
    ast.NotEq: ("!=", "!="),
}
PLAIN = (ast.Name, ast.Attribute, ast.Subscript, ast.BinOp, ast.Call, ast.UnaryOp)


def restyled(source: Source, *about: str | int) -> str:
    """A module's text with about half of what can be turned round turned round, each by what it says."""
    edits: list[Edit] = []
    for node, edit in turns(source):
        overlaps = any(edit.start < other.end and other.start < edit.end for other in edits)
        drawn = draw(*about, source.path, ast.unparse(node)) % 2
        if drawn and not overlaps:
            edits.append(edit)
    return edited(source.text, edits)


def turns(source: Source) -> Iterator[tuple[ast.AST, Edit]]:
    """What can be turned round: comparisons of two values, choices between two, numbers added to a variable."""
    for node in source.inside(ast.Compare, ast.IfExp, ast.AugAssign):
        if isinstance(node, ast.Compare):
            edit = _comparison(source, node)
        elif isinstance(node, ast.IfExp):
            edit = _choice(source, node)
        else:
            edit = _sum(source, node) if isinstance(node, ast.AugAssign) else None
        if edit is not None:
            yield node, edit


def _comparison(source: Source, node: ast.Compare) -> Edit | None:
    if len(node.ops) != 1 or type(node.ops[0]) not in TURNED:
        return None
    right = node.comparators[0]
    if not isinstance(node.left, PLAIN) or not isinstance(right, PLAIN):
        return None
    old, new = TURNED[type(node.ops[0])]
    sign = source.between(node.left, right, old, new)
    if sign is None:
        return None
    left, other = source.text[source.start(node) : sign.start].strip(), source.text[sign.end : source.end(node)].strip()
    return source.replaced(node, f"{other} {new} {left}")


def _choice(source: Source, node: ast.IfExp) -> Edit | None:
    test = node.test
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        opposite = source.code(test.operand)
    elif isinstance(test, ast.Compare) and len(test.ops) == 1 and type(test.ops[0]) in OPPOSITES:
        edit = source.between(test.left, test.comparators[0], *OPPOSITES[type(test.ops[0])])
        if edit is None:
            return None
        opposite = (
            f"{source.text[source.start(test) : edit.start]}{edit.text}{source.text[edit.end : source.end(test)]}"
        )
    elif isinstance(test, ast.Name | ast.Attribute | ast.Call):
        opposite = f"not {source.code(test)}"
    else:
        return None
    if isinstance(node.orelse, ast.IfExp | ast.Lambda) or isinstance(node.body, ast.IfExp | ast.Lambda):
        return None
    text = f"{source.code(node.orelse)} if {opposite} else {source.code(node.body)}"
    return source.replaced(node, text)


def _sum(source: Source, node: ast.AugAssign) -> Edit | None:
    if not isinstance(node.target, ast.Name) or not isinstance(node.op, ast.Add | ast.Sub):
        return None
    if not isinstance(node.value, ast.Constant) or not isinstance(node.value.value, int):
        return None
    sign = "+" if isinstance(node.op, ast.Add) else "-"
    return source.replaced(node, f"{node.target.id} = {node.target.id} {sign} {node.value.value}")
