"""What an operator gives: a small change of a module's text that a programmer could have made by mistake."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from eval.suites.swebench_mini.source import Source
from reasoningbank.syntax import Edit, edited


@dataclass(frozen=True)
class Defect:
    """One change. `function` is the dotted name of the function that it is in, with its class."""

    operator: str
    path: str
    function: str
    edits: tuple[Edit, ...]

    def applied(self, text: str) -> str:
        """The module's text with it."""
        return edited(text, self.edits)


Found = tuple[ast.AST, tuple[Edit, ...]]
"""Where an operator has found something, and the edits."""

Operator = Callable[[Source], Iterator[Found]]


def one(node: ast.AST, edit: Edit | None) -> Iterator[Found]:
    """A change of one edit, if there is one."""
    if edit is not None:
        yield node, (edit,)
