"""Negation in a sentence of advice."""

from __future__ import annotations

import re

_NEGATION = re.compile(
    r"\b(?:not|never|no|nothing|none|without|avoid|instead of|rather than|isn't|aren't|don't|doesn't|needn't|cannot"
    r"|can't)\b"
)
NEEDLESS = re.compile(
    r"\b(?:no need|need not|needn't|not (?:needed|necessary|required|have to|need)|unnecessary|superfluous)\b"
)


def denied(lower: str, at: int, reach: int = 22) -> bool:
    """Whether a negation stands shortly before a place, in the same part of the sentence."""
    before = re.split(r"[,:;.]", lower[:at])[-1]
    return _NEGATION.search(before[-reach:]) is not None
