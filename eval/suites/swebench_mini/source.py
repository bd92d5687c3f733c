"""What operators and variants ask of a module: what runs in it, its blocks, and attributes that may be mixed up."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from reasoningbank.syntax import Edit, Function, Syntax


@dataclass(frozen=True, eq=False)
class Source(Syntax):
    """One module. `siblings` names, for an attribute, those of the same type in the same class, over all modules."""

    siblings: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @cached_property
    def dumped(self) -> str:
        """Its tree as a text."""
        return ast.dump(self.tree)

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
