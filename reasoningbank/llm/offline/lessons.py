"""What a sentence of advice recommends: one small reading for each habit, by classes of words and their negation."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from reasoningbank.llm.offline.denial import NEEDLESS, denied
from reasoningbank.llm.offline.lessons_lists import ACTION
from reasoningbank.llm.offline.lessons_lists import READINGS as LIST_READINGS
from reasoningbank.llm.offline.words import WORD, bag, stem


def _any(words: str) -> re.Pattern[str]:
    """One of these words or beginnings (`~`) of words; `_` stands for a space."""
    parts = [
        re.escape(word.rstrip("~")).replace("_", " ") + (r"\w*" if word.endswith("~") else "") for word in words.split()
    ]
    return re.compile(rf"\b(?:{'|'.join(parts)})\b")


# Sorting and filtering.

_SORT = frozenset(map(stem, bag("sort sorting sorted order ordering ranking rank arrange arranging resort")))
_FILTERING = "filter filters filtering refine refining narrow narrowing restrict restricting restriction limit facet"
_FILTER = frozenset(map(stem, bag(_FILTERING)))
_LOSE = _any(
    "drop~ forget~ forgotten lose~ lost reset~ clear~ remov~ undo~ discard~ cancels_out cancel_out wip~ gone vanish~"
    " disappear~ throws_away throw_away survive~"
)
_PASSIVE = re.compile(r"\b(?:is|are|gets?|be|been|was|were) (?:\w+ )?$")
_ITSELF = _any("gone vanish~ disappear~ lost forgotten survive~")
_Mention = tuple[int, bool]


def _sort_first(lower: str) -> bool | None:
    """Whether the sort is to come before the filter."""
    said = _operations(lower)
    if len({is_sort for _, is_sort in said}) < 2:
        return None
    lost = _lost(lower, said)
    return _in_time(lower, said) if lost is None else not lost


def _operations(lower: str) -> list[_Mention]:
    """Where sorting (true) and filtering (false) are mentioned."""
    out: list[_Mention] = []
    for found in WORD.finditer(lower):
        word = stem(found.group(0))
        records = word == "order" and re.search(r"(?:sort|the|new) $", lower[: found.start()]) is None
        if word in _FILTER:
            out.append((found.start(), False))
        elif word in _SORT and not records and not lower.startswith("orders", found.start()):
            out.append((found.start(), True))
    return out


def _lost(lower: str, said: list[_Mention]) -> bool | None:
    """Which of the two gets lost by the other, and so has to come last."""
    lose = _LOSE.search(lower)
    if lose is None:
        return None
    before = [is_sort for place, is_sort in said if place < lose.start()]
    after = [is_sort for place, is_sort in said if place > lose.start()]
    passive = _PASSIVE.search(lower[: lose.start()]) is not None or _ITSELF.match(lose.group(0)) is not None
    if passive and before:
        return before[-1]
    return after[0] if after else None


def _in_time(lower: str, said: list[_Mention]) -> bool | None:
    """Which of the two is told to come first, by the small words of time between and around them."""
    start, first = said[0]
    other = next(place for place, is_sort in said if is_sort != first)
    after, before = lower.find("after"), lower.find("before")
    if after >= 0:
        joined = re.match(r"after(?:wards?| that)", lower[after:])
        return first if joined or after < start or after > other else not first
    if before >= 0:
        return not first if before < start else first
    if re.search(r"\bagain\b|\bre-?appl", lower):
        return not said[-1][1]
    at = lower.find("first")
    if at >= 0:
        return first if at < other else min(said, key=lambda mention: abs(mention[0] - at))[1]
    return first if re.search(r"\bthen\b|,|\band\b|\blater\b", lower[start:other]) else None


# Entries that look alike.

_ALIKE = re.compile(
    r"\b(?:repeat\w*|duplicat\w*|cop(?:y|ies)|twice|double\w*|again|several times|second time|once|distinct|unique"
    r"|identical"
    r"|alike|equal(?:-looking)?|already (?:seen|shown|counted)|(?:the )?same)\b"
)
_ROWS = re.compile(
    r"\b(?:row|entr|item|review|comment|line|record|result|element|post|listing|one|duplicate|cop)(?:s|y|ies)?\b"
)
_TALLY = re.compile(r"count|load|list|total|number|tally|tallies|repeat|duplicat|once|add")
_EACH_COUNTS = re.compile(
    r"\b(?:are|is|being) (?:\w+ )?(?:separate|different|independent)\b|\bdifferent ones\b"
    r"|\b(?:both|each|every one|every|all) (?:\w+ ){0,3}(?:count|counts|is counted|are counted|belongs?)\b"
    r"|\bcount(?:ing)? (?:every|each|all|both)\b(?!.{0,40}\bonce\b)"
)
_DROP_ALIKE = re.compile(r"\b(?:not|never|don't) (?:be )?(?:count|tall|add|includ|sum)\w*")


def _count_once(lower: str) -> bool | None:
    alike = _ALIKE.search(lower)
    if not _ROWS.search(lower) or not _TALLY.search(lower):
        return False if _EACH_COUNTS.search(lower) and _ROWS.search(lower) else None
    if _EACH_COUNTS.search(lower):
        return False
    if alike is None:
        return None
    if _DROP_ALIKE.search(lower):
        return True
    return not (alike.group(0) not in ("once", "distinct", "unique") and denied(lower, alike.start()))


# Rows that do not count.

_WITHOUT = re.compile(
    r"\b(?:leav(?:e|es|ing)|left) (?:\w+ ){0,4}out\b|\b(?:exclud|omit|skip|ignor|subtract|disregard)\w*|\bwithout\b"
    r"|\b(?:not|never|don't|n't) (?:be )?(?:count|include|add|part|belong|matter)\w*|\bexcept\b|\bbut not\b"
    r"|\bno (?:place|part|business|role) in\b"
)
_WITH = re.compile(
    r"\b(?:includ|count|consider|tak)\w*\b.{0,60}\b(?:too|also|as well|(?:every|any|all) (?:status\w*|states?))\b"
    r"|\bof (?:every|any|all) status|\binclud(?:e|es|ing) "
)


def _leave_out(lower: str) -> bool | None:
    if _WITHOUT.search(lower):
        return None if re.search(r"repeat|duplicat|twice|cop(?:y|ies)", lower) else True
    return False if _WITH.search(lower) else None


# Changes and the button that stores them.

_BUTTON = _any("press~ click~ push~ hit hitting use confirm~ save saves submit~ apply update button~ tap~")
_KEEP = _any(
    "leav~ lost lose~ discard~ stor~ sav~ keep~ kept persist~ take_effect takes_effect until unless before final~"
    " complete~ gone confirm~ otherwise"
)
_BY_ITSELF = re.compile(
    r"\b(?:is|are|gets?) (?:\w+ )?(?:saved|kept|stored|applied|complete|final)\b.{0,12}"
    r"\b(?:automatically|right away|immediately|at once|instantly)\b"
)
_NO_BUTTON = re.compile(r"\bno (?:\w+ )?(?:button|click|press)|\b(?:without|never|not) (?:press|click)")


_ASK = re.compile(r"\bask\w* (?:the|your) (?:user|customer)\b|\bstop before the last button\b")


def _confirm(lower: str) -> bool | None:
    if _ASK.search(lower):
        return False
    talks = _BUTTON.search(lower)
    if _BY_ITSELF.search(lower) or (talks and (NEEDLESS.search(lower) or _NO_BUTTON.search(lower))):
        return False
    listed = re.search(r"\b(?:sort|filter)", lower)
    return True if talks and _KEEP.search(lower) and not listed else None


# Dates in figures.

_DAY = re.compile(
    r"\bdd\s?[/.-]\s?mm|\bday\s?[/-]\s?month|\bday, (?:then )?month|\beuropean\b|\bbritish\b"
    r"|\bday[- ](?:\w+ )?(?:first|before|ahead|precedes|leads)|\bwith the day\b|\bmonth (?:\w+ )?second\b"
    r"|\b(?:first|leading|initial) (?:number|figure|part|value) (?:is|as|means|gives) the day"
)
_MONTH = re.compile(
    r"\bmm\s?[/.-]\s?dd|\bmonth\s?[/-]\s?day|\bmonth, (?:then )?day|\bamerican\b"
    r"|\bmonth[- ](?:\w+ )?(?:first|before|ahead|precedes|leads)|\bwith the month\b|\bday (?:\w+ )?second\b"
    r"|\b(?:first|leading|initial) (?:number|figure|part|value) (?:is|as|means|gives) the month"
)


def _day_first(lower: str) -> bool | None:
    for pattern, way in ((_DAY, True), (_MONTH, False)):
        found = pattern.search(lower)
        if found:
            return way != denied(lower, found.start())
    return None


# Searching.

_SEARCH = re.compile(r"\bsearch|\bquer(?:y|ies)\b|\blook(?:ing)? (?:it |\w+ )?up\b")
_FEW = re.compile(
    r"\b(?:fewer|less|single|only|(?:one or|or) two|a few|short(?:er|en)?|simpl\w+|drop(?:ping)?|distinctive|key"
    r"|just|alone"
    r"|(?:every|all) (?:the )?words?)\b"
)
_WHOLE = re.compile(
    r"\b(?:whole|full|entire|complete|exact) (?:phrase|wording|name|intent|sentence|description|quer\w+)"
    r"|\b(?:many|more|long) (?:words|terms|quer\w+)|\ball the words of\b"
)
_POOR = re.compile(r"^[^,:;]{0,45}\b(?:too (?:many|much|broad)|empty|nothing|no (?:results?|hits)|fails?|useless)\b")


def _few_words(lower: str) -> bool | None:
    """Each way that is named counts for itself, or against when it is denied or found poor."""
    if not _SEARCH.search(lower):
        return None
    balance = 0
    for pattern, side in ((_FEW, 1), (_WHOLE, -1)):
        found = pattern.search(lower)
        if found:
            against = denied(lower, found.start(), 40) or _POOR.search(lower[found.end() :])
            balance += -side if against else side
    return balance > 0 if balance else None


# Lists over several pages.

_ALL = re.compile(
    r"\b(?:all|every|each|remaining|further|next|last|more than one) (?:of )?(?:the |its |them )?(?:page|batch|entr"
    r"|row|result)\w*"
    r"|\buntil (?:there|no|the end|nothing|the list)|\bto the end\b|\b(?:load|read) (?:everything|all)|\bpage through"
    r"|\b(?:go|work) through"
)
_FIRST = re.compile(r"\b(?:first|one) (?:page|one|batch)\b")
_ENOUGH = re.compile(r"\bstop|\benough|\bsuffic|\ball (?:you|one) needs?|\bholds? what|\bneed to (?:page|load)")


def _read_all(lower: str) -> bool | None:
    if ACTION.search(lower):
        return None
    enough = _ENOUGH.search(lower)
    if _FIRST.search(lower) and enough:
        return denied(lower, enough.start())
    if _ALL.search(lower):
        return NEEDLESS.search(lower) is None
    return None


_READINGS: dict[str, Callable[[str], bool | None]] = {
    "sort_first": _sort_first,
    "day_first": _day_first,
    "count_once": _count_once,
    "leave_out": _leave_out,
    "confirm": _confirm,
    "few_words": _few_words,
    "read_all": _read_all,
    **LIST_READINGS,
}


_WENT_WRONG = re.compile(r"\b(?:did not|didn't|never) (?:go well|work)\b|\bwent (?:wrong|badly)\b")


@lru_cache(maxsize=2_000)
def spoken_to(sentence: str) -> tuple[tuple[str, bool], ...]:
    """The habits a sentence speaks to, with the way it recommends; what went wrong speaks for the other way."""
    lower = sentence.lower().replace("’", "'")
    wrong = _WENT_WRONG.search(lower) is not None
    read = ((habit, reading(lower)) for habit, reading in _READINGS.items())
    return tuple((habit, way != wrong) for habit, way in read if way is not None)
