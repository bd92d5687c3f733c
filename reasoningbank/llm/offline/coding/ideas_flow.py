"""Ideas about what runs, and when."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reasoningbank.llm.offline.coding.files import Module
from reasoningbank.llm.offline.coding.scope import Candidate, Definitions, block_of, indent_of, names_of, used_names
from reasoningbank.syntax import Edit

_BUILTIN_ERRORS = ("ValueError", "KeyError", "TypeError", "IndexError", "AttributeError", "LookupError")
MOST_STEPS, MOST_GUARDED = 12, 2


def jump(module: Module, defined: Definitions) -> Iterator[Candidate]:
    """`break` or `continue` at the end of a branch in a loop."""
    for node in module.inside(ast.If):
        assert isinstance(node, ast.If)
        if any(isinstance(each, ast.For | ast.While) for each in module.above(node)):
            last = node.body[-1]
            if isinstance(last, ast.Break | ast.Continue | ast.Return | ast.Raise):
                continue
            for word in ("continue", "break"):
                yield node, [module.after(last, f"\n{indent_of(last)}{word}")]
                if isinstance(last, ast.Pass):
                    yield node, [module.replaced(last, word)]


def after_loop(module: Module, defined: Definitions) -> Iterator[Candidate]:
    """What ends a loop's first turn, done after the loop."""
    for node in module.inside(ast.For, ast.While):
        assert isinstance(node, ast.For | ast.While)
        last = node.body[-1]
        if isinstance(last, ast.Return) and len(node.body) > 1:
            start = module.place(last.lineno, 0)
            lines = module.text[start : module.end(last)].split("\n")
            yield node, [Edit(start, module.end(last), "\n".join(line[4:] for line in lines))]


def own_error(module: Module, defined: Definitions) -> Iterator[Candidate]:
    """One of the package's own errors where another is raised."""
    for node in module.inside(ast.Raise):
        assert isinstance(node, ast.Raise)
        if isinstance(node.exc, ast.Call) and isinstance(node.exc.func, ast.Name):
            for name in defined.errors:
                if name != node.exc.func.id:
                    yield node, [module.replaced(node.exc.func, name)]


def guard(module: Module, defined: Definitions) -> Iterator[Candidate]:
    """A special case that is told before the rest: nothing is given, or something that a table has, or nobody takes."""
    tables = [
        target.id
        for node in module.tree.body
        if isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(node.value, ast.Dict)
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        if isinstance(target, ast.Name)
    ]
    for place in module.inside(ast.Assign, ast.Return, ast.For, ast.If, ast.Expr):
        function = module.function(place)
        assert isinstance(place, ast.stmt)
        if function is None or (isinstance(place, ast.Expr) and isinstance(place.value, ast.Constant)):
            continue
        bound = names_of(function, before=place.lineno)
        used = [name for name in bound if name in used_names(place)] or bound[-1:]
        indent, start = indent_of(place), module.start(place)
        for name in used[:MOST_GUARDED]:
            ends = [f"if {name} in {table}:\n{indent}    return {table}[{name}]" for table in tables]
            ends += [f"if not {name}:\n{indent}    return {text}" for text in ("None", "[]", name)]
            for error, takes in defined.errors.items():
                given = ", ".join(each if each in bound else bound[0] for each in takes) if bound else ""
                ends.append(f"if not {name}:\n{indent}    raise {error}({given})")
            for text in ends:
                yield place, [Edit(start, start, f"{text}\n{indent}")]


def caught(module: Module, defined: Definitions) -> Iterator[Candidate]:
    """One more kind of error that is caught."""
    for node in module.inside(ast.ExceptHandler):
        assert isinstance(node, ast.ExceptHandler)
        if node.type is not None:
            kinds = node.type.elts if isinstance(node.type, ast.Tuple) else [node.type]
            there = [module.code(each) for each in kinds]
            for name in (*_BUILTIN_ERRORS, *defined.errors):
                if name not in there:
                    yield node, [module.replaced(node.type, f"({', '.join([*there, name])})")]


def step(module: Module, defined: Definitions) -> Iterator[Candidate]:
    """A call for its effect, or a new value, that is done elsewhere in the module."""
    steps = [
        (node, module.code(node))
        for node in module.inside(ast.Expr, ast.AugAssign, ast.Assign)
        if not isinstance(node, ast.Expr) or isinstance(node.value, ast.Call)
    ]
    for place in module.inside(ast.Expr, ast.AugAssign, ast.Assign, ast.If, ast.Return, ast.For):
        function = module.function(place)
        assert isinstance(place, ast.stmt)
        if function is None:
            continue
        own = {*names_of(function), "self"}
        fitting = [code for node, code in steps if "\n" not in code and used_names(node) <= own]
        fitting += [
            module.code(node)
            for node in ast.walk(function)
            if isinstance(node, ast.Call) and not node.args and not node.keywords
        ]
        fitting += [f"{name} += 1" for name in _counters(function)]
        start = module.start(place)
        for code in list(dict.fromkeys(fitting))[:MOST_STEPS]:
            yield place, [Edit(start, start, f"{code}\n{indent_of(place)}")]
            if place is block_of(module, place)[-1] and not isinstance(place, ast.Return):
                yield place, [module.after(place, f"\n{indent_of(place)}{code}")]


def _counters(function: ast.AST) -> list[str]:
    """Names that begin as a whole number."""
    return [
        target.id
        for node in ast.walk(function)
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant) and type(node.value.value) is int
        for target in node.targets
        if isinstance(target, ast.Name)
    ]
