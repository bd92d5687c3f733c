"""From a test that fails to a few lines with which a user would show the same: no test, no assertion."""

from __future__ import annotations

import ast
import builtins
import re
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass

from eval.suites.swebench_mini.source import Source, source_of
from eval.suites.swebench_mini.testcode import (
    NotShown,
    asked,
    free_names,
    holds,
    imported,
    is_literal,
    provided,
    steps_of,
)
from eval.suites.swebench_mini.variants.uses import defined_by
from reasoningbank.syntax import Function

MOST_LINES, MOST_CHARACTERS = 14, 700


@dataclass(frozen=True)
class Example:
    """Lines that make ready what an expression needs, and the expression, whose value is wrong."""

    setup: str
    expression: str

    @property
    def program(self) -> str:
        """Leaves the value in `shown`."""
        return f"{self.setup}\nshown = (\n{self.expression}\n)\n"


def example_of(
    text: str, line: int, parameters: Mapping[str, str], *, module: str = "", local: Mapping[str, str] | None = None
) -> Example | None:
    """What a test does at a line, from 1, of its file's text, with its parameters. None where that cannot be shown
    without a test's tools, private names, or the name of the library's `module` (a path) in which the fault is.

    With `local`, the values of local variables at that line, also tests in classes and lines in loops are shown.
    """
    try:
        example = _Shown(source_of("", text), module, local).at(line, parameters)
    except NotShown:
        return None
    whole = f"{example.setup}\n{example.expression}"
    if re.search(r"(?<!\w)_[a-zA-Z]|__file__|\bpytest\b|\bassert\b", whole):
        return None
    return example if whole.count("\n") < MOST_LINES and len(whole) <= MOST_CHARACTERS else None


class _Shown:
    def __init__(self, source: Source, module: str, local: Mapping[str, str] | None) -> None:
        self.source = source
        self.module = module.removesuffix(".py").replace("/", ".")
        self.local = local
        self.imports: dict[str, list[str]] = {}
        self.renamed: list[str] = []
        self.top: list[ast.stmt] = []

    def at(self, line: int, parameters: Mapping[str, str]) -> Example:
        function = self._function(line)
        if function is None:
            raise NotShown
        statement, before, looped = self._inmost(function, line)
        expression = asked(statement)
        needed = free_names(expression)
        # a call of a module's function changes nothing of it
        modules = imported(self.source.tree) if self.local is not None else set()
        steps = []
        for earlier in reversed(before):
            for step in reversed(steps_of(earlier, needed - modules)):
                needed |= free_names(step)
                steps.append(self._code(step))
        values = {**{name: (self.local or {}).get(name, "") for name in looped}, **parameters}
        given = {name: value for name, value in values.items() if name in needed}
        if any(not is_literal(value) for value in given.values()):
            raise NotShown
        own = {each.arg for each in ast.walk(function.args) if isinstance(each, ast.arg)} - set(given)
        bound = {name for statement in (*function.body, *before) for name in defined_by(statement)}
        if own & needed or any(isinstance(each, Function) for each in function.body if defined_by(each) & needed):
            raise NotShown
        self._from_top(needed - bound - set(given))
        parts = [
            f"from {module} import {', '.join(names)}" if names else f"import {module}"
            for module, names in self.imports.items()
        ]
        defined = [self._code(each) for each in self.source.tree.body if each in self.top]
        given_lines = [f"{name} = {value}" for name, value in given.items()]
        parts += [*sorted(set(self.renamed)), *defined, *given_lines, *reversed(steps)]
        return Example("\n".join(parts), self._code(expression))

    def _function(self, line: int) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
        """The test in which a line is."""
        found = next((each for each in self.source.tree.body if holds(each, line)), None)
        if isinstance(found, ast.ClassDef) and self.local is not None:
            found = next((each for each in found.body if holds(each, line)), None)
        return found if isinstance(found, Function) else None

    def _inmost(self, function: ast.FunctionDef | ast.AsyncFunctionDef, line: int) -> _Place:
        """The statement at a line, what is done before it, and the variables of the loops that it is in."""
        before: list[ast.stmt] = []
        looped: set[str] = set()
        block: list[ast.stmt] = function.body
        while True:
            statement = next((each for each in block if holds(each, line)), None)
            if statement is None and block is function.body:
                raise NotShown
            statement = statement or block[-1]
            inner = isinstance(statement, ast.With) or (isinstance(statement, ast.For) and self.local is not None)
            if block is function.body or self.local is not None:
                before += block[: block.index(statement)]
            if not inner:
                return statement, before, looped
            assert isinstance(statement, ast.With | ast.For)
            if isinstance(statement, ast.For):
                looped |= {node.id for node in ast.walk(statement.target) if isinstance(node, ast.Name)}
            block = statement.body

    def _code(self, node: ast.AST) -> str:
        """A node's text, with lines that begin where it does."""
        if not hasattr(node, "lineno"):
            return ast.unparse(node)
        text = self.source.code(node)
        column = self.source.start(node) - self.source.text.rfind("\n", 0, self.source.start(node)) - 1
        return textwrap.dedent(" " * column + text).strip()

    def _from_top(self, names: set[str]) -> None:
        """What the test's module defines or imports of the names, and what that needs."""
        for name in sorted(names - set(dir(builtins))):
            where = next((each for each in self.source.tree.body if name in provided(each)), None)
            if isinstance(where, ast.ImportFrom):
                module = where.module or ""
                if where.level or module == self.module or module.partition(".")[0] == "pytest":
                    raise NotShown
                alias = next(each for each in where.names if name in (each.asname, each.name))
                if alias.asname not in (None, name) or alias.name == "*":
                    raise NotShown
                if alias.asname is not None:
                    self.renamed.append(f"from {module} import {alias.name} as {alias.asname}")
                    continue
                if name not in self.imports.setdefault(module, []):
                    self.imports[module] = sorted([*self.imports[module], name])
            elif isinstance(where, ast.Import):
                alias = next(each for each in where.names if name in (each.asname, each.name))
                if alias.asname is None:
                    self.imports.setdefault(name, [])
                else:
                    self.renamed.append(f"import {alias.name} as {alias.asname}")
            elif where is None or isinstance(where, ast.ClassDef):
                raise NotShown
            elif where not in self.top:
                self.top.append(where)
                self._from_top(free_names(where) - {name})


_Place = tuple[ast.stmt, list[ast.stmt], set[str]]
