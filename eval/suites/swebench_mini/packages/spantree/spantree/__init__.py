"""Spans on a line: a tree that finds them, and their algebra."""

from spantree.algebra import coverage, covered, depths, gaps, intersect, merge, subtract, union
from spantree.errors import BadSpanError, FormatError, SpanTreeError
from spantree.span import Span
from spantree.textio import read, write
from spantree.tree import SpanTree

__all__ = [
    "BadSpanError",
    "FormatError",
    "Span",
    "SpanTree",
    "SpanTreeError",
    "coverage",
    "covered",
    "depths",
    "gaps",
    "intersect",
    "merge",
    "read",
    "subtract",
    "union",
    "write",
]
