"""Tests taken out of their files, so that who works on a defect does not see those that find it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping

from eval.suites.swebench_mini.source import Source
from reasoningbank.syntax import Function, edited


def without_tests(texts: Mapping[str, str], tests: Iterable[str]) -> dict[str, str] | None:
    """The files, by their paths, that hold tests of these ids, without the functions that are these tests.

    None where one has no function of its own there, or one that others use: tests that are made when they run cannot be
    hidden.
    """
    wanted: dict[str, set[str]] = {}
    for test in tests:
        path, _, name = test.partition("[")[0].partition("::")
        wanted.setdefault(path, set()).add(name)
    left = {}
    for path, names in sorted(wanted.items()):
        text = texts.get(path, "")
        owners = {name: _owner(Source("", text), *name.rpartition("::")[::2]) for name in names}
        if None in owners.values():
            return None
        places = {(owner or "", name.rpartition("::")[2]) for name, owner in owners.items()}
        for owner, name in sorted(places):
            source = Source("", text)
            text = edited(text, [source.without(each) for each in _functions(source, owner) if each.name == name])
        # what is left may still call them
        if any(re.search(rf"(?<!def )\b{re.escape(name)}\b", text) for _, name in places):
            return None
        left[path] = re.sub(r"\n{4,}", "\n\n\n", text)
    return left


def _functions(source: Source, owner: str) -> list[Function]:
    """The functions of a class, or of the module itself."""
    body: list[ast.stmt] = source.tree.body
    if owner:
        found = _class(source, owner)
        body = found.body if found else []
    return [node for node in body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]


def _class(source: Source, name: str) -> ast.ClassDef | None:
    return next((node for node in source.tree.body if isinstance(node, ast.ClassDef) and node.name == name), None)


def _owner(source: Source, owner: str, name: str) -> str | None:
    """The class that has a method, which may be another one of the module; "" for the module. None without any."""
    if any(each.name == name for each in _functions(source, owner)):
        return owner
    found = _class(source, owner)
    bases = [base.id for base in found.bases if isinstance(base, ast.Name) and base.id != owner] if found else []
    return next((there for base in bases if (there := _owner(source, base, name)) is not None), None)
