"""What a sentence of advice recommends on lists and reports that forms narrow: as `lessons.py`, for more habits."""

from __future__ import annotations

import re
from collections.abc import Callable

from reasoningbank.llm.offline.denial import NEEDLESS, denied

# The end of a span of days.

_END_DAY = re.compile(r"\b(?:end|ends|ending|last|final|closing|until)\b")
_DAYS = re.compile(r"\bda(?:y|ys|te|tes)\b|\bexclusive|\binclusive")
_BEYOND = re.compile(
    r"\bexclusive|\b(?:leav(?:e|es|ing)|left|cut|drop\w*) (?:\w+ ){0,5}(?:out|off)\b"
    r"|\b(?:day|one) (?:after|later|past)\b"
    r"|\b(?:following|next|extra) day|\b(?:exclud|omit)\w*|\bup to but not\b|\bmiss(?:es|ing)?\b"
    r"|\b(?:not|never|n't) (?:be )?(?:includ|count|part|cover|belong|contain)\w*"
)
_WITHIN = re.compile(r"\binclu(?:sive|d)\w*|\bcounts?\b|\bpart of\b|\bitself\b|\bas it is\b|\bcovered?\b|\bbelongs?\b")


def end_day(lower: str) -> bool | None:
    if not _END_DAY.search(lower) or not _DAYS.search(lower):
        return None
    beyond = _BEYOND.search(lower)
    if beyond:
        return not (
            NEEDLESS.search(lower)
            or (re.search(r"\b(?:not|never|no|n't)\b", beyond.group(0)) is None and denied(lower, beyond.start()))
        )
    return False if _WITHIN.search(lower) else None


# Filters that stand there already.

_SORTING = re.compile(r"\b(?:sort|rank|order(?:ing)? of)\w*")
_FILTERS = re.compile(r"\bfilter|\brestriction|\bcriteri")
_OFF = re.compile(r"\b(?:clear|reset|remov|wip|get(?:ting)? rid|undo)\w*")
_OLD = re.compile(
    r"\b(?:old|earlier|previous|left|leftover|already|stale|remain|kept|stay|persist|still|remember|forgotten)\w*"
)
_HARMLESS = re.compile(
    r"\bno harm|\bharmless|\bleave (?:\w+ ){0,8}(?:alone|as)\b|\bby themselves|\bfresh\b|\bempty (?:at|when|every)"
)


def clear_first(lower: str) -> bool | None:
    if not _FILTERS.search(lower) or _SORTING.search(lower):
        return None
    off = _OFF.search(lower)
    if _HARMLESS.search(lower) or (off and (NEEDLESS.search(lower) or denied(lower, off.start()))):
        return False
    old = _OLD.search(lower)
    return True if off else None if old is None else not denied(lower, old.start())


# Names of states.

_STATE = re.compile(r"\b(?:stat(?:e|es|us|uses))\b")
_NAMED = re.compile(r"\b(?:name|call|word|term|label|wording|translat|mean|correspond|stand|differ|another|other)\w*")
_ALIKE_NAMES = re.compile(
    r"\b(?:the )?same\b|\bidentical|\bas (?:it|they) (?:is|are)\b|\bnamed as\b|\bvery name"
    r"|\bexactly as\b|\bliteral\w*|\bword for word"
)


def own_names(lower: str) -> bool | None:
    if not _STATE.search(lower) or not (_NAMED.search(lower) or _ALIKE_NAMES.search(lower)):
        return None
    alike = _ALIKE_NAMES.search(lower)
    return denied(lower, alike.start()) if alike else True


# Actions on many rows.

ACTION = re.compile(r"\b(?:actions?|tick\w*|select(?:s|ed|ing|ion)?|mass|bulk)\b")
_REACH = re.compile(
    r"\b(?:one|each|every|visible|this|current|single|shown|page by|per) page|\bpage (?:by"
    r"|after) page|\bother pages|\bpage only"
)
_AT_ONCE = re.compile(
    r"\b(?:all|every) (?:\w+ )?pages? (?:at once|together)|\bwhole list|\bonce is enough|\bat once\b"
    r"|\bis enough\b|\bentire list"
)


def each_page(lower: str) -> bool | None:
    if not ACTION.search(lower):
        return None
    once = _AT_ONCE.search(lower)
    if once:
        return denied(lower, once.start(), 40)
    return True if _REACH.search(lower) else None


READINGS: dict[str, Callable[[str], bool | None]] = {
    "end_day": end_day,
    "clear_first": clear_first,
    "own_names": own_names,
    "each_page": each_page,
}
