"""Ideas about conditions."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reasoningbank.llm.offline.coding.files import Module
from reasoningbank.llm.offline.coding.scope import Candidate, Definitions, names_of, used_names
from reasoningbank.syntax import ASKING, BORDERS, OPPOSITES, Edit, conditions

MOST_OTHERS = 6


def border(module: Module, defined: Definitions) -> Iterator[Candidate]:
    """`<` for `<=`, and the like."""
    for node in module.inside(ast.Compare):
        assert isinstance(node, ast.Compare)
        parts = [node.left, *node.comparators]
        for op, left, right in zip(node.ops, parts, parts[1:], strict=False):
            if type(op) in BORDERS:
                yield node, module.exchanged(left, right, *BORDERS[type(op)])


def opposite(module: Module, defined: Definitions) -> Iterator[Candidate]:
    """A condition turned round."""
    for test in conditions(module.inside(*ASKING)):
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            yield test, [module.replaced(test, module.code(test.operand))]
        elif isinstance(test, ast.Compare) and len(test.ops) == 1 and type(test.ops[0]) in OPPOSITES:
            yield test, module.exchanged(test.left, test.comparators[0], *OPPOSITES[type(test.ops[0])])
        elif not isinstance(test, ast.Compare):
            text = module.code(test)
            yield test, [module.replaced(test, f"not {text}" if not isinstance(test, ast.BoolOp) else f"not ({text})")]


def connective(module: Module, defined: Definitions) -> Iterator[Candidate]:
    """`and` for `or`, and the other way round."""
    for node in module.inside(ast.BoolOp):
        assert isinstance(node, ast.BoolOp)
        if len(node.values) == 2:
            old, new = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
            yield node, module.exchanged(node.values[0], node.values[1], old, new)


def narrower(module: Module, defined: Definitions) -> Iterator[Candidate]:
    """Another condition beside one; another value where one may be empty."""
    asked = [(test, module.code(test)) for test in conditions(module.inside(*ASKING))]
    asked += [(part, module.code(part)) for test, _ in asked if isinstance(test, ast.BoolOp) for part in test.values]
    for test, text in asked:
        function = module.function(test)
        if function is None:
            continue
        own = set(names_of(function)) | {"self"}
        parts = [each for each in ast.walk(test) if isinstance(each, ast.Attribute) and used_names(each) <= own]
        for part in dict.fromkeys([*sorted(used_names(test) & own), *map(module.code, parts)]):
            yield test, [module.replaced(test, f"{part} and {text}")]
        others = [code for other, code in asked if code not in text and used_names(other) <= own]
        others += [name for name in names_of(function) if name not in text]
        for other in list(dict.fromkeys(others))[:MOST_OTHERS]:
            for word in ("and", "or"):
                yield test, [module.replaced(test, f"{text} {word} {other}")]
    for node in module.inside(ast.comprehension):
        assert isinstance(node, ast.comprehension)
        if not node.ifs:
            filled = module.code(node.target)
            yield node.iter, [Edit(module.end(node.iter), module.end(node.iter), f" if {filled}")]
    for node in module.inside(ast.Call):
        assert isinstance(node, ast.Call)
        for given in node.args:
            function = module.function(node)
            if isinstance(given, ast.Name) and function is not None:
                attributes = [f"{name}.{given.id}" for name in names_of(function)] if given.id in defined.fields else []
                for attribute in attributes[:MOST_OTHERS]:
                    yield given, [module.after(given, f" or {attribute}")]
