"""Ideas about what runs, and when."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reasoningbank.llm.offline.coding.files import Module
from reasoningbank.llm.offline.coding.scope import Candidate, Definitions, indent_of, names_of, used_names
from reasoningbank.syntax import Edit

MOST_GUARDED = 2


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
