"""The text of a Python module beside its syntax tree: where each node stands, what surrounds it, and edits of the text
that leave everything else as it is."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

Function = ast.FunctionDef | ast.AsyncFunctionDef

BORDERS: dict[type[ast.cmpop], tuple[str, str]] = {
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
}
"""How a comparison is written, and the one that differs at its border alone."""

OPPOSITES: dict[type[ast.cmpop], tuple[str, str]] = {
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.Is: ("is", "is not"),
    ast.IsNot: ("is not", "is"),
    ast.In: ("in", "not in"),
    ast.NotIn: ("not in", "in"),
}
"""How a comparison is written, and its opposite."""

ASKING = (ast.If, ast.While, ast.IfExp, ast.comprehension)
"""Nodes that ask conditions."""


@dataclass(frozen=True, order=True)
class Edit:
    """The characters from `start` up to `end`, replaced."""

    start: int
    end: int
    text: str


def lines_of(text: str) -> list[str]:
    """A text's lines with their ends, by newlines alone, as Python's grammar and git count them."""
    return re.findall(r"[^\n]*\n|[^\n]+", text)


def edited(text: str, edits: Iterable[Edit]) -> str:
    """The text with edits that do not overlap. ValueError for two that do."""
    pieces, place = [], 0
    for edit in sorted(edits):
        if edit.start < place:
            raise ValueError(f"two edits overlap at {edit.start}: {edit.text!r} is the second")
        pieces += [text[place : edit.start], edit.text]
        place = edit.end
    return "".join([*pieces, text[place:]])


@dataclass(frozen=True, eq=False)
class Syntax:
    """One module."""

    path: str
    text: str

    @cached_property
    def tree(self) -> ast.Module:
        """SyntaxError where the text is no Python."""
        return ast.parse(self.text)

    @cached_property
    def nodes(self) -> list[ast.AST]:
        """All nodes of the tree."""
        return list(ast.walk(self.tree))

    @cached_property
    def _lines(self) -> list[tuple[int, bytes]]:
        """Where each line begins, in characters, and its UTF-8, by which the tree counts columns."""
        starts, place = [], 0
        for line in lines_of(self.text):
            starts.append((place, line.encode()))
            place += len(line)
        return [*starts, (place, b"")]

    def place(self, line: int, column: int) -> int:
        """The character of a line, from 1, and a column in bytes, from 0."""
        start, raw = self._lines[line - 1]
        return start + len(raw[:column].decode())

    def start(self, node: ast.AST) -> int:
        """Where a node begins, its decorators included."""
        first = min([node, *getattr(node, "decorator_list", [])], key=lambda each: each.lineno)
        before = 1 if first is not node else 0  # the @ belongs to it
        return self.place(first.lineno, first.col_offset) - before

    def end(self, node: ast.AST) -> int:
        """Where a node ends."""
        return self.place(node.end_lineno, node.end_col_offset)  # type: ignore[attr-defined]

    def code(self, node: ast.AST) -> str:
        """A node's text."""
        return self.text[self.start(node) : self.end(node)]

    def replaced(self, node: ast.AST, text: str) -> Edit:
        """The edit that puts a text in the place of a node."""
        return Edit(self.start(node), self.end(node), text)

    def between(self, left: ast.AST, right: ast.AST, old: str, new: str) -> Edit | None:
        """The edit that replaces an operator between two nodes; None where it is not there once."""
        start, end = self.end(left), self.start(right)
        region = self.text[start:end]
        if region.count(old) != 1:
            return None
        place = start + region.index(old)
        return Edit(place, place + len(old), new)

    @cached_property
    def parents(self) -> dict[ast.AST, ast.AST]:
        """What each node is directly below."""
        return {child: node for node in self.nodes for child in ast.iter_child_nodes(node)}

    def above(self, node: ast.AST) -> Iterator[ast.AST]:
        """What a node is below, the nearest first."""
        while node in self.parents:
            node = self.parents[node]
            yield node

    def function(self, node: ast.AST) -> Function | None:
        """The outermost function that a node is in; None outside of all."""
        found = [each for each in (node, *self.above(node)) if isinstance(each, Function)]
        return found[-1] if found else None


def conditions(nodes: Iterable[ast.AST]) -> Iterator[ast.expr]:
    """What is asked by those of ASKING."""
    for node in nodes:
        if isinstance(node, ast.If | ast.While | ast.IfExp):
            yield node.test
        elif isinstance(node, ast.comprehension):
            yield from node.ifs
