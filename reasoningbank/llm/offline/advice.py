"""Recalled text as the simulated model takes it: sentences, which of its habits they speak to, and in which direction.

Advice is ordinary text. It is matched by the stems of its words and their synonyms, so another wording of the same
advice acts the same.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from reasoningbank.llm.offline.words import SYNONYMS, WORD, stem, stems

_HEAD = re.compile(r"^## .*$", re.MULTILINE)
_LABEL = re.compile(r"^(?:Title|Description|Content|Task|Judged): ?", re.MULTILINE)
_SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n+")

_SORT_WORDS = "sort sorting sorted order ordering ranking rank arrange arranging"
_FILTER_WORDS = "filter filters filtering refine refining narrow narrowing restrict restricting limit facet"
_SORT = frozenset(map(stem, _SORT_WORDS.split()))
_FILTER = frozenset(map(stem, _FILTER_WORDS.split()))
_LOSE = re.compile(
    r"\b(?:drops?|dropped|forgets?|forgotten|loses?|lost|resets?|clears?|cleared|removes?|undoes|undone"
    r"|discards?|discarded|cancels? out|wipes?|wiped|gone|vanish\w*|disappear\w*|throws? away)\b",
    re.I,
)
_PASSIVE = re.compile(r"\b(?:is|are|gets?|be|been|was|were) (?:\w+ )?$", re.I)
_REPEAT = re.compile(
    r"\b(?:repeat\w*|duplicat\w*|twice|double\w*|again|already (?:seen|shown|counted)|same (?:row|entr|item"
    r"|review|line)\w*|second time|once|look(?:s|ing)? (?:the same|equal|alike|identical)|identical"
    r"|equal(?:-looking)?)\b",
    re.I,
)
_ROWS = re.compile(r"\b(?:row|entr|item|review|line|record|result|element|post|listing|one)(?:s|y|ies)?\b", re.I)
_NOT_REPEAT = re.compile(
    r"\b(?:never|not|no|don't|doesn't|do not|does not|without) (?:\w+ ){0,2}(?:repeat\w*|duplicat\w*)"
    r"|\b(?:both|each|every one|every|all) (?:\w+ ){0,3}(?:count|counts|is counted|are counted)\b"
    r"|\bcount(?:ing)? (?:every|each|all|both)\b(?!.{0,40}\bonce\b)|\bdifferent ones\b",
    re.I,
)
_WITHOUT = re.compile(
    r"\b(?:leav(?:e|es|ing)|left) (?:\w+ ){0,4}out\b|\b(?:exclud|omit|skip|ignor|subtract|disregard)\w*"
    r"|\bwithout\b|\b(?:not|never|don't|n't) (?:be )?(?:count|include|add|part)\w*|\bdo(?:es)? not (?:count"
    r"|belong|matter)\b|\bexcept\b|\bbut not\b",
    re.I,
)
_WITH = re.compile(
    r"\b(?:includ|count)\w*\b.{0,60}\b(?:too|also|as well|every status|all status\w*|of any status)\b"
    r"|\bof every status\b|\binclud(?:e|es|ing) (?:the |all |also )?",
    re.I,
)
_BUTTON = re.compile(r"\b(?:press|click|push|hit|use|confirm|save|submit|apply|update|button)\w*\b", re.I)
_KEEP = re.compile(
    r"\b(?:leav|lost|lose|discard|stor|sav|keep|kept|persist|take effect|takes effect|until|unless|before"
    r"|final|complete|exist only|count only|confirm|otherwise)\w*\b",
    re.I,
)
_NO_BUTTON = re.compile(
    r"\b(?:not needed|unnecessary|no (?:further|other|second|extra) (?:button|click|step)\w*|no need"
    r"|without pressing|need not|don't press|do not press|never press)\b",
    re.I,
)
_DAY = re.compile(
    r"\bday[- ](?:is |comes |stands |goes |written )?(?:first|before (?:the )?month)"
    r"|\bday before (?:the )?month|\bdd\s?[/.-]\s?mm|\bday\s?/\s?month|\bday, (?:then )?month"
    r"|\bthe day (?:is |comes |stands |goes )?(?:first|before)|\bstart(?:s)? with the day|\bfirst (?:number"
    r"|figure|part) (?:is|as) the day|\bmonth (?:is |comes |stands )?second|\beuropean",
    re.I,
)
_MONTH = re.compile(
    r"\bmonth[- ](?:is |comes |stands |goes |written )?(?:first|before (?:the )?day)"
    r"|\bmonth before (?:the )?day|\bmm\s?[/.-]\s?dd|\bmonth\s?/\s?day|\bmonth, (?:then )?day"
    r"|\bthe month (?:is |comes |stands |goes )?(?:first|before)|\bstart(?:s)? with the month"
    r"|\bfirst (?:number|figure|part) (?:is|as) the month",
    re.I,
)
_FEW = re.compile(
    r"\b(?:fewer|less|single|one or two|only (?:one|two|the|a few)|a few|short(?:er|en)?|simpl\w+"
    r"|drop(?:ping)?|distinctive|key|just the|the name alone|name only|brand only|every word"
    r"|all (?:the )?words)\b",
    re.I,
)
_WHOLE = re.compile(
    r"\b(?:whole|full|entire|complete|exact) (?:phrase|wording|name|intent|sentence|quer\w+)\b"
    r"|\ball the words of the (?:task|intent|request)\b",
    re.I,
)
_ALL = re.compile(
    r"\b(?:all|every|each|remaining|further|next|last) (?:of )?(?:the |its )?(?:page|batch|entr|row"
    r"|result)\w*|\buntil (?:there|no|the end|nothing)|\bto the end\b|\bload (?:everything|all)"
    r"|\bread everything|\bpage through|\bgo through",
    re.I,
)
_FIRST_PAGE = re.compile(r"\bfirst page\b.{0,40}\b(?:enough|suffic|holds)|\bno need to (?:page|load)", re.I)
_NOT = re.compile(r"\b(?:do not|don't|never|avoid|stop|instead of|rather than|not)\b", re.I)

_SORT_ORDER = re.compile(
    r"\bsort(?:ing)? order\b|\bin order to\b|\border of the\b|\breorder\w*|\bother order\b", re.IGNORECASE
)
_MONEY_TALK = re.compile(r"\b(?:total|spen[dt]|spending|money|amount|sum|paid|cost)\w*\b", re.IGNORECASE)
_COUNT_TALK = re.compile(r"\b(?:how many|number of|count)\w*\b", re.IGNORECASE)

# What lessons about procedure talk of everywhere: such words do not tie a lesson to a place.
_TALK = """
sort sorting sorted filter filters filtering refine refining narrow count counting counted entry entries row
rows line lines item items record list lists listing page pages button buttons press click confirm confirming
save store stored leave leaving left before after first then again once repeat repeated repeats twice same
look looks equal identical duplicate duplicates load loading loads more shown show earlier later read reading
enter entered date dates day month year format written write way check hold change changes changed lost drop
drops forget reset clear unless until only status statuses include included includes including exclude figure
figures total sum further needed need complete soon pressing next all every each answer answering find finds
found nothing word words fewer whole phrase match matches use using such name alone through bring many several
different one ones two three task tasks goal lesson memory table number dd mm yyyy make sure always never when
where value values field fields form second extra added user correct wrong mistake fail failed fails failure
success skip ignore omit apply take effect step steps update submit keep kept seen already catalogue catalog
website content element both still void product customer account appear bad good dropped narrower broad
broader long longer short shorter simple part full single key instead try afterwards afterward new needs
finding discard discarded discards hit push tap remember note careful ensure mind stay stays stand stands go
goes gone set put must occur occurs missing query arrange arranged arranging ranking of saved edited lose
loses loss vanish undone undo prevent avoid because since otherwise really simply just directly immediately
finally too also certain often usually likely expect expected assume rather than matter matters belong belongs
parts adding add subtract tally calculate compute compare verify double holds contain contains shows appears
come comes follow following previous old true false right batch batches
"""
_GENERAL = frozenset(map(stem, _TALK.split()))


@dataclass(frozen=True)
class Hint:
    """A sentence that speaks to a habit."""

    habit: str
    careful: bool
    words: frozenset[str]
    item: int
    sentence: str

    def about(self, aim: str) -> bool:
        """Whether it is meant for this aim: advice on totals is not advice on counts."""
        if self.habit != "leave_out":
            return True
        money, count = bool(_MONEY_TALK.search(self.sentence)), bool(_COUNT_TALK.search(self.sentence))
        return money == count or (money if aim == "sum" else count)


@dataclass(frozen=True)
class Advice:
    """All of the recalled text."""

    hints: tuple[Hint, ...]
    items: tuple[tuple[str, frozenset[str]], ...]
    """Each item's title with the stems of all its words."""

    def __bool__(self) -> bool:
        return bool(self.items)


@lru_cache(maxsize=256)
def read_advice(memory: str) -> Advice:
    """The recalled text, item by item."""
    if not memory.strip():
        return Advice((), ())
    parts = _HEAD.split(memory)
    items = parts[1:] or parts
    hints: list[Hint] = []
    told: list[tuple[str, frozenset[str]]] = []
    for number, text in enumerate(items, start=1):
        plain = _LABEL.sub("", text).strip()
        whole = stems(_SORT_ORDER.sub("sort", plain))
        told.append((plain.split("\n", 1)[0], whole))
        place = frozenset(word for word in whole if word not in _GENERAL and not word.isdigit())
        for sentence in _SENTENCE.split(plain):
            hints += [Hint(habit, careful, place, number, sentence) for habit, careful in spoken_to(sentence)]
    return Advice(tuple(hints), tuple(told))


def fitting(words: frozenset[str], here: frozenset[str]) -> float:
    """How well a lesson with these words of its own fits a situation with the words `here`; 0 where it does not."""
    if not words:
        return 0.5
    shared = sum(1 for word in words if word in here or SYNONYMS.get(word, frozenset()) & here)
    return shared * shared / len(words)


@lru_cache(maxsize=2_000)
def spoken_to(sentence: str) -> tuple[tuple[str, bool], ...]:
    """The habits a sentence speaks to, with the way it recommends."""
    lower = sentence.lower()
    out: list[tuple[str, bool]] = []
    first = _sort_first(lower)
    if first is not None:
        out.append(("sort_first", first))
    if _DAY.search(lower):
        out.append(("day_first", not _negated(lower, _DAY)))
    elif _MONTH.search(lower):
        out.append(("day_first", _negated(lower, _MONTH)))
    if _NOT_REPEAT.search(lower) and _ROWS.search(lower):
        out.append(("count_once", False))
    elif (
        _REPEAT.search(lower)
        and _ROWS.search(lower)
        and re.search(r"count|load|list|total|number|tally|repeat|duplicat|once", lower)
    ):
        out.append(("count_once", True))
    if _WITHOUT.search(lower) and not re.search(r"repeat|duplicat|twice", lower):
        out.append(("leave_out", True))
    elif _WITH.search(lower):
        out.append(("leave_out", False))
    if _NO_BUTTON.search(lower) or ("complete as soon as" in lower):
        out.append(("confirm", False))
    elif _BUTTON.search(lower) and _KEEP.search(lower) and "sort" not in lower and "filter" not in lower:
        out.append(("confirm", True))
    if re.search(r"\bsearch|\bquer(?:y|ies)\b|\blook(?:ing)? up\b", lower):
        if _WHOLE.search(lower) and not re.search(
            r"\b(?:not|never|instead of|rather than|don't|avoid)\b.{0,40}\b(?:whole|full|entire|complete|exact)\b",
            lower,
        ):
            out.append(("few_words", False))
        elif _FEW.search(lower) or _WHOLE.search(lower):
            out.append(("few_words", True))
    if _FIRST_PAGE.search(lower):
        out.append(("read_all", False))
    elif _ALL.search(lower):
        out.append(("read_all", True))
    return tuple(out)


def _negated(lower: str, what: re.Pattern[str]) -> bool:
    found = what.search(lower)
    return bool(
        found
        and re.search(r"\b(?:not|never|isn't|aren't|rather than|instead of)\b[^,;:.]{0,20}$", lower[: found.start()])
    )


def _sort_first(lower: str) -> bool | None:
    """Whether a sentence wants the sort before the filter; None when it says nothing of that."""
    places: list[tuple[int, bool]] = []
    for found in WORD.finditer(lower):
        word = stem(found.group(0))
        if word in _FILTER:
            places.append((found.start(), False))
        elif (word in _SORT and not re.match(r"orders?\b", lower[found.start() :])) or (
            word == "order" and re.search(r"sort $|the $", lower[: found.start()]) and "sort" in lower
        ):
            places.append((found.start(), True))
    kinds = {is_sort for _, is_sort in places}
    if len(kinds) < 2:
        return None
    start, first = places[0]
    other = next(place for place, is_sort in places if is_sort != first)
    between = lower[start:other]
    lose = _LOSE.search(lower)
    if lose:
        passive = (
            _PASSIVE.search(lower[: lose.start()]) is not None
            or re.match(r"gone|vanish|disappear|lost|forgotten", lose.group(0)) is not None
        )
        before = [is_sort for place, is_sort in places if place < lose.start()]
        after = [is_sort for place, is_sort in places if place > lose.start()]
        if passive and before:
            destroyed = before[-1]
            return not destroyed
        if after:
            return not after[0]
    if re.search(r"\bafter(?:wards)?\b", lower):
        where = lower.find("after")
        if lower.startswith("afterwards", where) or lower.startswith("after that", where):
            return first
        if where < start:
            return first
        return not first if where < other else first
    if "before" in lower:
        where = lower.find("before")
        return not first if where < start else first
    if re.search(r"\bagain\b|\bre-?appl", lower):
        last = [is_sort for place, is_sort in places][-1]
        return not last
    if re.search(r"\bfirst\b", lower):
        where = lower.find("first")
        if where < other:
            return first
        nearest = min(places, key=lambda place: abs(place[0] - where))
        return nearest[1]
    if re.search(r"\bthen\b|,|\band\b", between):
        return first
    return None
