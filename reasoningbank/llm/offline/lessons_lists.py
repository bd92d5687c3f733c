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


# Lists shown in parts.

_CHOOSE = re.compile(
    r"\b(?:follow\w*|choos\w*|chosen|pick\w*|switch\w*|click\w*)\b.{0,40}"
    r"\b(?:states?|ranges?|all|part|past|tab|(?:above|below) the (?:filters|list|rows)|further link)\b"
)
_AS_SHOWN = re.compile(
    r"\bwithout any (?:range|state)|\bno need for the links\b|\btake the part\b"
    r"|\b(?:tabs?|range|part)\b.{0,30}\b(?:right|fine)\b"
)


def part(lower: str) -> bool | None:
    if _AS_SHOWN.search(lower):
        return False
    found = _CHOOSE.search(lower)
    return None if found is None else not (NEEDLESS.search(lower) or denied(lower, found.start()))


# Several values for one filter.

_SINGLY = re.compile(
    r"\bfilter\w* (?:by|for|with) (?:one|each|a single)\b|\bone (?:tag|value|word) (?:at a time|per)\b"
)
_JOINED = re.compile(r"\b(?:both|all|several)\b.*\bcommas?\b|\bfilter\w* (?:by|for) (?:all|several|both)\b")


def one_by_one(lower: str) -> bool | None:
    return _told(lower, _SINGLY, _JOINED)


# Lines that belong together.

_LINES = re.compile(
    r"\badd\w* up\b.*\blines?\b|\b(?:sum|total) of (?:\w+ ){0,2}lines\b|\blines of (?:one|a) \w+ together\b"
)
_ONE_LINE = re.compile(
    r"\b(?:take|read)s? the (?:topmost|top|first|upper) line\b|\bone line (?:says|has|tells) it all\b"
)


def add_lines(lower: str) -> bool | None:
    return _told(lower, _LINES, _ONE_LINE)


def _told(lower: str, to_do: re.Pattern[str], otherwise: re.Pattern[str]) -> bool | None:
    """Whether a sentence says to do it, unless it denies that, or says to do otherwise; None where it says neither."""
    found = to_do.search(lower)
    if found:
        return not denied(lower, found.start())
    return False if otherwise.search(lower) else None


# Figures that stand in two places.

_OPEN_IT = re.compile(
    r"\bfrom its own page\b|\bopen the \w+(?: itself)?\b.{0,20}\b(?:take|read|count|number)"
    r"|\bopen the \w+,? whose page\b"
)
_FROM_LIST = re.compile(
    r"\b(?:take|read|trust)s? (?:it|them|the (?:number|figure)) (?:from|in|of) the (?:list|results|overview)\b"
)


def own_page(lower: str) -> bool | None:
    listed = _FROM_LIST.search(lower)
    if listed:
        return denied(lower, listed.start())
    found = _OPEN_IT.search(lower)
    return None if found is None else not (NEEDLESS.search(lower) or denied(lower, found.start()))


READINGS: dict[str, Callable[[str], bool | None]] = {
    "end_day": end_day,
    "clear_first": clear_first,
    "own_names": own_names,
    "each_page": each_page,
    "part": part,
    "one_by_one": one_by_one,
    "add_lines": add_lines,
    "own_page": own_page,
}
