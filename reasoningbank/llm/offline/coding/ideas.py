"""Ideas of what may be wrong: each finds in a module the places where it could be so, and the edits that put it right.

An idea is a generator of places and edits, a sentence that a thought says of it, and what advice on it speaks of. A new
one is an entry of IDEAS.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from reasoningbank.llm.offline.coding import ideas_calls, ideas_conditions, ideas_flow, ideas_names
from reasoningbank.llm.offline.coding.files import Change, Module
from reasoningbank.llm.offline.coding.scope import Candidate, Definitions


@dataclass(frozen=True)
class Idea:
    """One of them. `said` completes "I try whether ..."; `about` finds advice on it."""

    name: str
    said: str
    about: re.Pattern[str]
    finds: Callable[[Module, Definitions], Iterator[Candidate]]


def _idea(finds: Callable[[Module, Definitions], Iterator[Candidate]], said: str, about: str) -> Idea:
    return Idea(finds.__name__, said, re.compile(rf"(?:{about})", re.IGNORECASE), finds)


# the plainest ones first
IDEAS = {
    idea.name: idea
    for idea in (
        _idea(
            ideas_conditions.opposite,
            "a condition asks for its opposite",
            r"\b(?:opposite|negat|invert|inverse|the other way round|wrong way round)\w*",
        ),
        _idea(
            ideas_conditions.border,
            "the border of a comparison is on the wrong side",
            r"\b(?:border|boundar|inclusive|exclusive|strict|edge|at (?:least|most)|or equal)\w*|<=|>=",
        ),
        _idea(
            ideas_conditions.connective,
            "a condition is joined by the wrong one of and and or",
            r"\band and or\b|\bor and and\b|\bconnective|\b(?:and|or)\b for \b(?:and|or)\b|\b(?:con|dis)junction"
            r"|\bboolean operator|\bjoin\w* .{0,20}\b(?:and|or)\b$",
        ),
        _idea(
            ideas_names.arithmetic,
            "it is calculated by the wrong operator",
            r"\barithmetic|\b(?:plus|minus|times|divid|multipl|subtract|addition)\w*\b|\bwrong operator",
        ),
        _idea(
            ideas_flow.own_error,
            "an error of the language is raised in the place of one of the package's own",
            r"\b(?:own|custom|specific|dedicated|domain)\b.{0,30}\b(?:error|exception)|\berrors?\b.{0,80}\bown\b"
            r"|\b(?:error|exception) (?:class|type|hierarch)\w*",
        ),
        _idea(
            ideas_calls.swapped,
            "two arguments are in each other's place",
            r"\b(?:swap|exchang|transpos)\w*|\border of (?:the |its )?(?:argument|parameter)|each other's place",
        ),
        _idea(
            ideas_names.one_off,
            "a bound or an index is one too far or too short",
            r"\bone too (?:far|short|many|few)|\boff[- ]by[- ]one|\bone (?:further|more|less)"
            r"|\b(?:slice|index|range)\w*|\bcount\w* from",
        ),
        _idea(
            ideas_flow.after_loop,
            "a loop is left with its first turn",
            r"\b(?:early|premature|too soon|too early)\b|\bfirst (?:turn|iteration|pass|round)\b"
            r"|\breturn\b.{0,30}\bindent\w*|\bindent\w*.{0,30}\breturn\b|\bafter the loop\b",
        ),
        _idea(
            ideas_calls.method,
            "a method or a function of the language is the wrong one of two that sound alike",
            r"\bmethods?\b.{0,60}\b(?:alike|similar|sound|relat|twin|neighbour)\w*|\bstrip\b|\bappend\b|\bextend\b"
            r"|\bbuilt-?ins?\b|\bmin\b.{0,9}\bmax\b|\b(?:similar|related|wrong) (?:method|function|call)",
        ),
        _idea(
            ideas_calls.default,
            "a default value is wrong",
            r"\bdefault",
        ),
        _idea(
            ideas_names.number,
            "a number or a flag in the code is wrong",
            r"\b(?:constant|literal|magic number|flag|figure)s?\b|\bnumbers? (?:or .{0,12})?in the code",
        ),
        _idea(
            ideas_calls.passed_on,
            "an argument is not passed on",
            r"\bpass\w* (?:on|along|through|down)|\bhanded (?:on|over|down)|\bforward\w*"
            r"|\b(?:missing|forgotten) argument|\bargument .{0,20}(?:missing|lost|forgotten)",
        ),
        _idea(
            ideas_calls.ordered,
            "things are not sorted, or the wrong way",
            r"\bsort\w*|\bordering\b|\bin (?:the right )?order\b(?! to)|\brevers\w*|\bunsorted",
        ),
        _idea(
            ideas_names.attribute,
            "an attribute stands in the place of another",
            r"\b(?:attribute|field|member|property|properties)s?\b",
        ),
        _idea(
            ideas_flow.guard,
            "a special case is not told before the rest",
            r"\b(?:special|empty|corner) cases?\b|\bguards?\b|\b(?:early return|check|validation)s?\b.{0,20}\bmissing"
            r"|\bmissing (?:check|guard|validation)",
        ),
        _idea(
            ideas_names.variable,
            "a variable stands in the place of another",
            r"\b(?:variable|local name|parameter name)s?\b|\bnames? .{0,20}mixed up|\bwrong name",
        ),
        _idea(
            ideas_calls.copied,
            "a thing itself is used or given out where a copy is meant",
            r"\bcop(?:y|ies|ied|ying)\b|\bshared (?:object|list|state)|\balias\w* .{0,30}\b(?:list|dict)|\bmutat\w*"
            r"|\bsame (?:list|object|dict)|\bin place\b",
        ),
        _idea(
            ideas_conditions.narrower,
            "a condition or a fallback is missing beside another",
            r"\b(?:fallback|fall back)|\b(?:condition|clause|part of (?:the|a) test)s? (?:is|are|was|were|may be)"
            r" (?:missing|lost|dropped|left out)|\bmissing (?:condition|clause)",
        ),
    )
}


def changes(idea: Idea, modules: Sequence[Module], defined: Definitions, lines: dict[str, list[int]]) -> list[Change]:
    """What the idea would change in lines that were run, the last of these first; in others not at all.

    Each change is made once; some leave no Python, which the trial tells.
    """
    ranked: list[tuple[int, int, Change]] = []
    for module in modules:
        places = {line: place for place, line in reversed(list(enumerate(lines.get(module.path, []))))}
        for node, edits in idea.finds(module, defined):
            rank = _rank(module, node, places)
            if rank is not None and edits:
                ranked.append((rank, len(ranked), module.change(edits)))
    ranked.sort(key=lambda each: each[:2])
    return list(dict.fromkeys(change for _, _, change in ranked))


def _rank(module: Module, node: object, places: dict[int, int]) -> int | None:
    """How soon before the end a node's lines were run; for a signature or a field, those of its function or class."""
    found = [places[line] for line in _lines(module, node) if line in places]
    return min(found) if found else None


def _lines(module: Module, node: object) -> range:
    first = getattr(node, "lineno", 0)
    return range(first, (getattr(node, "end_lineno", None) or first) + 1)
