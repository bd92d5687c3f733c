"""What a reported example suggests: which ideas come to mind by what it came to and what it should have come to."""

from __future__ import annotations

import re

from reasoningbank.llm.offline.coding.report import Example, is_error

_ERRORS = (
    (r"missing \d+ required|expected \d+ argument|expected at least|to unpack|update sequence", "passed_on swapped"),
    (r"takes .* positional|unexpected keyword|multiple values", "swapped passed_on method"),
    (r"^AttributeError.*'NoneType'|^TypeError.*\bNone", "after_loop connective opposite narrower border passed_on"),
    (r"^AttributeError", "variable attribute swapped method"),
    (r"not supported between|must be", "connective swapped variable attribute"),
    (
        r"interpreted as an integer|division|modulo|operand type|can only concatenate",
        "arithmetic one_off swapped variable",
    ),
    (r"out of range|empty sequence", "one_off narrower border opposite number guard"),
    (r"^KeyError|not in list", "attribute variable opposite method passed_on guard"),
    (r"^StopIteration|^RecursionError|was stopped", "number opposite border arithmetic"),
)
"""What Python's own errors say, and what is behind them as a rule, the likeliest first."""


def suggested(example: Example | None) -> list[str]:
    """The names of ideas, the likeliest first."""
    if example is None:
        return []
    got, wanted = example.got, example.wanted
    if is_error(got) and is_error(wanted):
        names = "own_error opposite guard"
    elif is_error(got):
        names = next((names for said, names in _ERRORS if re.search(said, got)), "")
        names = names or "opposite border one_off method connective"
    elif is_error(wanted):
        names = "opposite border connective guard narrower"
    elif got == "None":
        names = "after_loop opposite border number one_off guard"
    elif {got, wanted} <= {"True", "False"}:
        names = "border opposite connective copied"
    elif re.sub(r"-?\d+(?:\.\d+)?", "", got) == re.sub(r"-?\d+(?:\.\d+)?", "", wanted):
        names = "number one_off arithmetic border default opposite"
    elif sorted(got) == sorted(wanted):
        names = "ordered border swapped opposite"
    elif len(wanted) > len(got) + 2:
        names = "after_loop border opposite one_off connective"
    else:
        names = "border opposite one_off connective method"
    return names.split()
