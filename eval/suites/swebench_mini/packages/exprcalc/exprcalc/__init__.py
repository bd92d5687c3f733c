"""Evaluates arithmetic that users type."""

from exprcalc.errors import ArityFault, CalcError, MathFault, NameFault, SyntaxFault
from exprcalc.evaluator import CONSTANTS, evaluate, names_used
from exprcalc.functions import FUNCTIONS
from exprcalc.parser import parse
from exprcalc.rendering import show
from exprcalc.summaries import summary

__all__ = [
    "CONSTANTS",
    "FUNCTIONS",
    "ArityFault",
    "CalcError",
    "MathFault",
    "NameFault",
    "SyntaxFault",
    "evaluate",
    "names_used",
    "parse",
    "show",
    "summary",
]
