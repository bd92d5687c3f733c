"""Differences of texts: find them, show them, apply them."""

from linediff.diffing import diff, ratio, reverse
from linediff.errors import ApplyError, DiffError, FormatError, ParseError
from linediff.formats import FORMATS, inline, render, side_by_side, stat, unified
from linediff.hunks import Hunk, hunks
from linediff.ops import Op
from linediff.patching import apply, parse

__all__ = [
    "FORMATS",
    "ApplyError",
    "DiffError",
    "FormatError",
    "Hunk",
    "Op",
    "ParseError",
    "apply",
    "diff",
    "hunks",
    "inline",
    "parse",
    "ratio",
    "render",
    "reverse",
    "side_by_side",
    "stat",
    "unified",
]
