"""Prompts in Python source, read and never executed: constants of a module, and what a function puts together.

A text counts where it can be worked out without running anything: literals, what is joined of them, names of the same
module's constants, `.strip()` and the like. An f-string becomes a template, where each of its values has a counterpart.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

Place = Callable[[ast.expr], str | None]
"""What stands for a value of an f-string in a template; None where nothing does."""

_MARK = re.compile(r"\{[{%#]")
FUNCTION = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Found:
    """A text and where it is."""

    text: str
    path: str
    name: str
    line: int

    @property
    def where(self) -> str:
        return f"{self.path}:{self.line} {self.name}"


@dataclass(frozen=True)
class Source:
    """One Python file of the clone."""

    path: str
    tree: ast.Module
    constants: Mapping[str, Found]

    @classmethod
    def of(cls, path: str, text: str) -> Source | None:
        """None for what is no Python."""
        try:
            tree = ast.parse(text)
        except (SyntaxError, ValueError, RecursionError):
            return None
        constants: dict[str, Found] = {}
        for node in tree.body:
            name, value = assigned(node)
            if name and value is not None:
                known = {each: found.text for each, found in constants.items()}
                if (folded := text_of(value, known)) is not None:
                    constants[name] = Found(folded, path, name, node.lineno)
        return cls(path, tree, constants)

    @property
    def functions(self) -> Iterator[FUNCTION]:
        for node in ast.walk(self.tree):
            if isinstance(node, FUNCTION):
                yield node

    def known(self) -> dict[str, str]:
        return {name: found.text for name, found in self.constants.items()}


def assigned(node: ast.AST) -> tuple[str, ast.expr | None]:
    """`NAME = value` and `NAME: str = value`."""
    match node:
        case ast.Assign(targets=[ast.Name(id=name)], value=value):
            return name, value
        case ast.AnnAssign(target=ast.Name(id=name), value=value):
            return name, value
    return "", None


def text_of(node: ast.expr, known: Mapping[str, str], place: Place | None = None) -> str | None:
    """The text that an expression is. With `place`, the template that it is: literal parts are then `escaped`."""
    keep = escaped if place is not None else str
    match node:
        case ast.Constant(value=str(text)):
            return keep(text)
        case ast.Name(id=name) if name in known:
            return keep(known[name])
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            parts = [text_of(each, known, place) for each in (left, right)]
            return None if None in parts else "".join(filter(None, parts))
        case ast.Call(
            func=ast.Attribute(value=inner, attr="strip" | "lstrip" | "rstrip" | "format"), args=[], keywords=[]
        ):
            return text_of(inner, known, place)
        case ast.Call(func=ast.Attribute(attr="dedent") | ast.Name(id="dedent"), args=[inner]):
            return text_of(inner, known, place)
        case ast.JoinedStr(values=values):
            joined = [_piece(each, known, place) for each in values]
            return None if None in joined else "".join(filter(None, joined))
    return None


def _piece(node: ast.expr, known: Mapping[str, str], place: Place | None) -> str | None:
    if not isinstance(node, ast.FormattedValue):
        return text_of(node, known, place)
    if (inner := text_of(node.value, known, place)) is not None:
        return inner
    return None if place is None else place(node.value)


def words_in(node: ast.expr) -> list[str]:
    """Names, attributes and texts in an expression, outermost first: `ex["query"]` has `ex` and `query`."""
    found: list[str] = []
    for each in ast.walk(node):
        match each:
            case ast.Name(id=word) | ast.Attribute(attr=word) | ast.Constant(value=str(word)):
                found.append(word)
    return found


def escaped(text: str) -> str:
    """Text as a template shows it literally."""
    return _MARK.sub(lambda found: f"{{{{ '{found[0]}' }}}}", text)
