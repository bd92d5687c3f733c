"""Operators: small mistakes that programmers make, each put into a module's text at every place where it fits.

A new operator is a function from a module's source to the places and edits, and its name in OPERATORS.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping

from eval.suites.swebench_mini.operators.base import Defect, Operator
from eval.suites.swebench_mini.operators.calls import (
    dropped_argument,
    lost_order,
    missing_copy,
    swapped_arguments,
    wrong_default,
    wrong_method,
)
from eval.suites.swebench_mini.operators.conditions import (
    comparison_boundary,
    dropped_condition,
    negated_condition,
    swapped_connective,
)
from eval.suites.swebench_mini.operators.flow import (
    dropped_jump,
    dropped_statement,
    early_return,
    lost_error,
    missing_check,
    missing_return,
)
from eval.suites.swebench_mini.operators.names import wrong_attribute, wrong_variable
from eval.suites.swebench_mini.operators.numbers import off_by_one, wrong_constant, wrong_operator
from eval.suites.swebench_mini.source import Source, siblings_of

OPERATORS: dict[str, Operator] = {
    each.__name__: each
    for each in (
        comparison_boundary,
        dropped_argument,
        dropped_condition,
        dropped_jump,
        dropped_statement,
        early_return,
        lost_error,
        lost_order,
        missing_check,
        missing_copy,
        missing_return,
        negated_condition,
        off_by_one,
        swapped_arguments,
        swapped_connective,
        wrong_attribute,
        wrong_constant,
        wrong_default,
        wrong_method,
        wrong_operator,
        wrong_variable,
    )
}


def sources_of(texts: Mapping[str, str]) -> list[Source]:
    """The modules of a library, by their paths and texts, each knowing the classes of all."""
    siblings = siblings_of([ast.parse(text) for text in texts.values()])
    return [Source(path, text, siblings) for path, text in texts.items()]


def candidates(source: Source, names: Iterable[str] = OPERATORS) -> Iterator[Defect]:
    """Every change that these operators can make to a module. Few are not `sound`."""
    for name in names:
        for node, edits in OPERATORS[name](source):
            yield Defect(name, source.path, source.qualified(node), edits)


def sound(defect: Defect, source: Source) -> bool:
    """Whether the changed module is Python, and another program: a generator may have lost its parentheses."""
    try:
        return ast.dump(ast.parse(defect.applied(source.text))) != source.dumped
    except SyntaxError:
        return False
