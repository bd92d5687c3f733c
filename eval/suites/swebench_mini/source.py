"""A module's text beside its syntax tree: where each node stands, what surrounds it, and edits of the text that leave
everything else as it is."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, order=True)
class Edit:
    """The characters from `start` up to `end`, replaced."""

    start: int
    end: int
    text: str


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
class Source:
    """One module. `siblings` names, for an attribute, those of the same type in the same class, over all modules."""

    path: str
    text: str
    siblings: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

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
        for line in self.text.splitlines(keepends=True):
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

    def qualified(self, node: ast.AST) -> str:
        """The dotted name of the function that a node is in, with its class; "" outside of all."""
        names = [each.name for each in (node, *self.above(node)) if isinstance(each, (*_FUNCTIONS, ast.ClassDef))]
        return ".".join(reversed(names))

    def inside(self, *kinds: type[ast.AST]) -> Iterator[ast.AST]:
        """The nodes of these kinds that run when functions are called: no annotation, decorator or docstring."""
        for top in self.nodes:
            if isinstance(top, Function) and self.function(top) is top:
                for statement in top.body:
                    if not is_docstring(statement):
                        yield from (node for node in _running(statement) if isinstance(node, kinds))

    def block_of(self, statement: ast.stmt) -> list[ast.stmt]:
        """The statements among which one stands."""
        above = self.parents[statement]
        for name in ("body", "orelse", "finalbody"):
            block = getattr(above, name, [])
            if isinstance(block, list) and statement in block:
                return block
        raise ValueError(f"{self.path}:{statement.lineno}: a statement that is in no block")

    def without(self, statement: ast.stmt) -> Edit:
        """The edit that takes a statement's lines out, and an `if` that has nothing else; or leaves `pass`."""
        others = [each for each in self.block_of(statement) if each is not statement and not is_docstring(each)]
        above = self.parents[statement]
        alone = not others and isinstance(above, ast.If) and not above.orelse
        if alone and isinstance(above, ast.stmt) and self.text.startswith("if", self.start(above)):
            return self.without(above)
        start = self.text.rfind("\n", 0, self.start(statement)) + 1
        end = self.text.find("\n", self.end(statement))
        end = len(self.text) if end < 0 else end + 1
        shared = self.text[start : self.start(statement)].strip() or ";" in self.text[self.end(statement) : end]
        if not others or shared:
            return self.replaced(statement, "pass")
        return Edit(start, end, "")

    def between(self, left: ast.AST, right: ast.AST, old: str, new: str) -> Edit | None:
        """The edit that replaces an operator between two nodes; None where it is not there once."""
        start, end = self.end(left), self.start(right)
        region = self.text[start:end]
        if region.count(old) != 1:
            return None
        place = start + region.index(old)
        return Edit(place, place + len(old), new)


@lru_cache(maxsize=1024)
def source_of(path: str, text: str) -> Source:
    """The module without siblings, as it was parsed before if it was: nobody changes its tree."""
    return Source(path, text)


_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def is_docstring(statement: ast.stmt) -> bool:
    """Whether it is a text that stands alone."""
    return (
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Constant)
        and isinstance(statement.value.value, str)
    )


def _running(node: ast.AST) -> Iterator[ast.AST]:
    """A node and those below it, without annotations."""
    yield node
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield from _running(child)


def siblings_of(trees: Sequence[ast.Module]) -> dict[str, tuple[str, ...]]:
    """For each annotated attribute of a class the others of the same annotation; none for a name of two classes whose
    others differ."""
    found: dict[str, set[tuple[str, ...]]] = {}
    for tree in trees:
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                fields = [each for each in node.body if isinstance(each, ast.AnnAssign)]
                kinds = {ast.unparse(each.target): ast.unparse(each.annotation) for each in fields}
                for name, kind in kinds.items():
                    others = tuple(sorted(other for other in kinds if other != name and kinds[other] == kind))
                    found.setdefault(name, set()).add(others)
    return {name: next(iter(groups)) for name, groups in found.items() if len(groups) == 1 and any(groups)}
