"""Another order of the functions of a module and of the methods of a class, wherever the order does not matter."""

from __future__ import annotations

import ast
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise

from eval.suites.swebench_mini.draws import draw
from eval.suites.swebench_mini.source import Source, is_docstring, source_of
from eval.suites.swebench_mini.variants.uses import defined_by
from reasoningbank.syntax import Edit, Function, edited

FIRST_METHODS = ("__init__", "__post_init__")


@dataclass
class Item:
    """A statement of a module or of a class, with the comments before it and a text that stands behind it."""

    statement: ast.stmt
    text: str
    needs: set[int]
    """Places of the items that have to come before it."""

    @property
    def name(self) -> str:
        return self.statement.name if isinstance(self.statement, Function | ast.ClassDef) else ""

    def drawn_by(self, known: Collection[str] | None) -> str:
        """What stands for it when its place is drawn."""
        if known is None or self.name in known or not isinstance(self.statement, Function | ast.ClassDef):
            return self.name
        return "".join(map(ast.dump, self.statement.body))

    def rank(self) -> int:
        """What is no definition comes as soon as it can, and a class begins with what it is made of."""
        if not self.name:
            return 0
        if self.name in FIRST_METHODS:
            return 1
        return 2 if self.name.startswith("__") else 3


def definitions(text: str) -> set[str]:
    """The names of all functions, classes and methods of a module."""
    return {node.name for node in source_of("", text).nodes if isinstance(node, Function | ast.ClassDef)}


def reordered(text: str, *about: str | int, known: Collection[str] | None = None) -> str:
    """A module's text with its functions, classes and methods in an order that is drawn by their names; with `known`,
    by their bodies where their names are not among these."""
    source = source_of("", text)
    classes = [node for node in source.tree.body if isinstance(node, ast.ClassDef)]
    blocks = [_block(source, node.body, 1, (*about, node.name), known) for node in classes]
    within = source_of("", edited(text, [edit for edit in blocks if edit is not None]))
    top = _block(within, within.tree.body, 2, about, known)
    return within.text if top is None else edited(within.text, [top])


def _block(
    source: Source, body: Sequence[ast.stmt], blanks: int, about: tuple[str | int, ...], known: Collection[str] | None
) -> Edit | None:
    """The edit that gives a block another order; None where it has nothing to put in another."""
    begin = 0
    while begin < len(body) and (is_docstring(body[begin]) or isinstance(body[begin], ast.Import | ast.ImportFrom)):
        begin += 1
    items = _items(source, body, begin)
    if len([item for item in items if item.name]) < 2:
        return None
    order = _order(items, about, known)
    pieces = [order[0].text]
    for before, item in pairwise(order):
        apart = blanks if before.name or item.name else 0
        pieces.append("\n" * apart + item.text)
    start, end = _after(source, body[begin - 1]) if begin else _line_start(source, body[0]), _after(source, body[-1])
    lead = source.text[start : start + len(source.text[start:end]) - len(source.text[start:end].lstrip("\n"))]
    return Edit(start, end, lead + "".join(pieces))


def _items(source: Source, body: Sequence[ast.stmt], begin: int) -> list[Item]:
    """The statements from a place on, each with what it needs of those before it."""
    lazy = any(isinstance(node, ast.ImportFrom) and node.module == "__future__" for node in source.tree.body)
    mentioned = {name: _names(statement) for statement in body for name in defined_by(statement)}
    items: list[Item] = []
    place = _after(source, body[begin - 1]) if begin else (_line_start(source, body[0]) if body else 0)
    for statement in body[begin:]:
        end = _after(source, statement)
        text = source.text[place:end].strip("\n") + "\n"
        place = end
        if items and is_docstring(statement):
            items[-1].text += text
            continue
        wanted = _closed(needed(statement, lazy=lazy), mentioned)
        needs = {
            place
            for place, item in enumerate(items)
            if defined_by(item.statement) & (wanted | defined_by(statement))
            or (not item.name and not isinstance(statement, Function | ast.ClassDef))
        }
        items.append(Item(statement, text, needs))
    return items


def _order(items: Sequence[Item], about: tuple[str | int, ...], known: Collection[str] | None) -> list[Item]:
    keys = [
        (item.rank(), draw(*about, item.drawn_by(known)) if item.name else place) for place, item in enumerate(items)
    ]
    done: list[int] = []
    while len(done) < len(items):
        free = [place for place, item in enumerate(items) if place not in done and item.needs <= set(done)]
        done.append(min(free, key=lambda place: keys[place]))
    return [items[place] for place in done]


def needed(statement: ast.stmt, *, lazy: bool) -> set[str]:
    """The names that are looked up when a statement runs as part of its module; with `lazy`, annotations are not."""
    if isinstance(statement, Function):
        defaults = [each for each in (*statement.args.defaults, *statement.args.kw_defaults) if each is not None]
        parts: list[ast.AST] = [*statement.decorator_list, *defaults]
        if not lazy:
            given = [each.annotation for each in ast.walk(statement.args) if isinstance(each, ast.arg)]
            parts += [each for each in (*given, statement.returns) if each is not None]
        return {name for part in parts for name in _names(part)}
    if isinstance(statement, ast.ClassDef):
        parts = [*statement.decorator_list, *statement.bases, *statement.keywords]
        own = {name for each in statement.body for name in needed(each, lazy=lazy)}
        return own | {name for part in parts for name in _names(part)}
    if isinstance(statement, ast.AnnAssign) and lazy:
        return set() if statement.value is None else _names(statement.value)
    return _names(statement)


def _closed(names: set[str], mentioned: dict[str, set[str]]) -> set[str]:
    """The names, and those that are mentioned where they are defined, and so on: they may be called."""
    found: set[str] = set()
    while names:
        found |= names
        names = {other for name in names for other in mentioned.get(name, ())} - found
    return found


def _names(node: ast.AST) -> set[str]:
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}


def _line_start(source: Source, statement: ast.stmt) -> int:
    return source.text.rfind("\n", 0, source.start(statement)) + 1


def _after(source: Source, statement: ast.stmt) -> int:
    """Where the line after a statement begins."""
    end = source.text.find("\n", source.end(statement))
    return len(source.text) if end < 0 else end + 1
