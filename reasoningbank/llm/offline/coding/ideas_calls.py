"""Ideas about calls: what is called, and with what."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reasoningbank.llm.offline.coding.files import Module
from reasoningbank.llm.offline.coding.scope import Candidate, Definitions, names_of, used_names
from reasoningbank.syntax import Edit, Function

_ALIKE = (
    *("strip lstrip rstrip", "append extend add", "startswith endswith", "find rfind", "index count find"),
    *("split rsplit splitlines", "partition rpartition", "lower upper casefold", "setdefault get pop"),
    *("items keys values", "fullmatch match search", "isdigit isalnum isalpha", "ljust rjust"),
    *("min max", "any all", "int round", "bisect_right bisect_left", "repr str"),
)
_EITHER_WAY = ("min", "max", "isinstance", "issubclass", "super", "getattr", "print")
MOST_AT_HAND = 12
_NOTHINGS = ("0", "None", '""')


def swapped(module: Module, defined: Definitions) -> Iterator[Candidate]:
    """Two arguments in each other's place."""
    for node in module.inside(ast.Call):
        assert isinstance(node, ast.Call)
        if isinstance(node.func, ast.Name) and node.func.id in _EITHER_WAY:
            continue
        for left, right in zip(node.args, node.args[1:], strict=False):
            if not isinstance(left, ast.Starred) and not isinstance(right, ast.Starred):
                yield node, [module.replaced(left, module.code(right)), module.replaced(right, module.code(left))]


def passed_on(module: Module, defined: Definitions) -> Iterator[Candidate]:
    """One more argument, by the parameters of what is called, or a default for what may be missing."""
    for node in module.inside(ast.Call):
        assert isinstance(node, ast.Call)
        function = module.function(node)
        given: list[ast.expr | ast.keyword] = [*node.args, *node.keywords]
        if function is None or not given or any(isinstance(each, ast.Starred) for each in node.args):
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        mine = names_of(function)
        own = defined.parameters.get(name, ())
        new = [other for other in reversed(mine) if other not in used_names(node)]
        texts = [f"{each}={each}" for each in own[len(node.args) :] if each in mine]
        texts += [other for other in new if other in own]
        if name in ("get", "pop", "next", "getattr"):
            texts += _NOTHINGS
        if name in ("isinstance", "issubclass"):
            texts += [each for each in defined.parameters if each[:1].isupper() and each in module.text]
        if name == "zip" or (own and len(node.args) < len(own)):
            texts += new
            texts += [f"self.{each}" for each in own if each in defined.fields]
            texts += _at_hand(module, function, node)
            texts += [f"{each}=True" for each in own[len(node.args) :]]
        if name in ("sorted", "min", "max", "sum", "round", "int"):
            texts += ["reverse=True", "default=None", *mine[:3]]
        used = {each.arg for each in node.keywords}
        for text in dict.fromkeys(texts):
            if text.partition("=")[0] not in used:
                last = node.args[-1] if node.args and "=" not in text else given[-1]
                yield node, [module.after(last, f", {text}")]


def _at_hand(module: Module, function: Function, call: ast.Call) -> list[str]:
    """What a function calculates or looks up beside a call, the nearest first."""
    kinds = (ast.Attribute, ast.Call, ast.Subscript)
    found = [each for each in ast.walk(function) if isinstance(each, kinds) and each is not call]
    near = sorted(found, key=lambda each: abs(each.lineno - call.lineno))
    return list(dict.fromkeys(module.code(each) for each in near))[:MOST_AT_HAND]


def default(module: Module, defined: Definitions) -> Iterator[Candidate]:
    """Another default of a parameter or of a field."""
    for node in module.nodes:
        if isinstance(node, Function):
            values = [*node.args.defaults, *node.args.kw_defaults]
        elif isinstance(node, ast.ClassDef):
            values = [each.value for each in node.body if isinstance(each, ast.AnnAssign)]
        else:
            continue
        for value in values:
            if isinstance(value, ast.Constant):
                for text in _other(value.value):
                    yield node, [module.replaced(value, text)]


def _other(value: object) -> Iterator[str]:
    if isinstance(value, bool):
        yield str(not value)
    elif isinstance(value, int):
        yield from (str(value - 1), str(value + 1))
    elif isinstance(value, str) and len(value) < 2:
        yield from ('" "', '","', '"\\n"', '""')


def method(module: Module, defined: Definitions) -> Iterator[Candidate]:
    """A method or function whose name sounds much the same."""
    for node in module.inside(ast.Call):
        assert isinstance(node, ast.Call)
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        for group in _ALIKE:
            if name in group.split():
                end = module.end(node.func)
                for other in group.split():
                    if other != name:
                        yield node, [Edit(end - len(name), end, other)]


def copied(module: Module, defined: Definitions) -> Iterator[Candidate]:
    """A new list or dictionary where a thing itself is stored, walked over or given back."""
    for node in module.inside(ast.Return, ast.Assign, ast.For, ast.Call):
        parts: list[ast.expr | None] = []
        if isinstance(node, ast.Return | ast.Assign):
            parts = [node.value]
        elif isinstance(node, ast.For):
            parts = [node.iter]
        elif isinstance(node, ast.Call):
            parts = [*node.args]
        for part in parts:
            if isinstance(part, ast.Name | ast.Attribute | ast.Subscript | ast.Call):
                for kind in ("list", "dict", "tuple"):
                    yield part, [module.replaced(part, f"{kind}({module.code(part)})")]


def ordered(module: Module, defined: Definitions) -> Iterator[Candidate]:
    """Sorted, by one or two fields of what there is, or turned round."""
    fields = [name for name in defined.fields if f".{name}" in module.text]
    keys = [f"each.{one}" for one in fields]
    keys += [f"(each.{one}, each.{two})" for one in fields for two in defined.fields[one]]
    for node in module.inside(ast.Call, ast.For, ast.comprehension, ast.Return):
        if isinstance(node, ast.Call):
            name = getattr(node.func, "id", "")
            if name in ("list", "sorted") and node.args:
                inner = module.code(node.args[0])
                by_fields = [f"sorted({inner}, key=lambda each: {key})" for key in keys]
                for text in (f"sorted({inner})", f"reversed({inner})", f"list(reversed({inner}))", *by_fields):
                    yield node, [module.replaced(node, text)]
            if name == "sorted" and not any(each.arg == "reverse" for each in node.keywords):
                yield node, [Edit(module.end(node) - 1, module.end(node) - 1, ", reverse=True")]
        else:
            part = node.value if isinstance(node, ast.Return) else node.iter  # type: ignore[attr-defined]
            if isinstance(part, ast.Name | ast.Attribute | ast.Call):
                for kind in ("sorted", "reversed"):
                    yield part, [module.replaced(part, f"{kind}({module.code(part)})")]
