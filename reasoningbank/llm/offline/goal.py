"""A goal as the simulated model understands it, by general English grammar alone."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from reasoningbank.llm.offline.values import MONTHS, Span, span_in
from reasoningbank.llm.offline.words import STOP, stem, stems

Aim = Literal["count", "sum", "read", "visit", "change"]
Measure = Literal["money", "date", "stars", "amount", ""]

_QUOTED = re.compile(r"\"([^\"]+)\"|“([^”]+)”|(?<![A-Za-z0-9])'([^']+(?:'[a-z][^']*)*)'(?![A-Za-z])")
_NAME = re.compile(
    r"(?:[A-Z0-9][\w&’'.-]*[\w]|[A-Z])(?:(?: (?:of|and|the|for|with|&|-))? (?:[A-Z][\w&’'.-]*[\w]|[A-Z]\b)"
    r"| \d+[\w.-]*)*"
)
_COUNT = re.compile(r"\bhow many\b|\b(?:number|count) of\b(?! my)|\bcount\b", re.IGNORECASE)
_SUM = re.compile(
    r"\bhow much\b.{0,60}\b(?:spen[dt]|spending|pa(?:y|id)|altogether|total|cost me)|\btotal (?:amount|cost"
    r"|sum|spen\w*|value|price|of)\b"
    r"|\b(?:in|what)'?s? (?:is |was |the |my )*total\b|\bif i (?:bought|ordered|took) (?:every|all|each)\b"
    r"|\bsum of\b|\badd(?:s|ed)? up\b|\bspen[dt]\b|\bspending\b",
    re.IGNORECASE,
)
_VISIT = re.compile(
    r"^(?:please |can you |could you |i(?:'d| would) like (?:you )?to |i want (?:you )?to )*"
    r"(?:open|go to|take me|bring me|bring up|navigate|visit|search (?:the|this)|show(?: me)?(?! how"
    r"| the (?:number|name|price))|browse|pull up|display|list (?:the )?products|find (?:me )?the page"
    r"|get me to|search for|look for|sort|filter|view)\b",
    re.IGNORECASE,
)
_CHANGE = re.compile(
    r"^(?:please |can you |could you |i(?:'d| would) like (?:you )?to |i want (?:you )?to |i need (?:you )?to )*"
    r"(?:add|keep|remember|put|change|update|edit|set|make|remove|delete|take .* (?:off|out)|clear|empty"
    r"|subscribe|unsubscribe|sign|write|leave|post|rate|review|send|submit|"
    r"contact|message|ask|buy|purchase|order|place|check ?out|reorder|move|rename|save|create|cancel|correct"
    r"|increase|decrease|"
    r"reduce|double|turn|switch|stop|start|replace|fill|draft|use|give|file|report|return|refund|apply|redeem"
    r"|mark|raise|log|get rid)\b",
    re.IGNORECASE,
)
_CHANGE_LATE = re.compile(
    r"\b(?:moved|running out|will you$|get \d+ of|i want|i need|i'd like|should be|needs to be|too (?:many"
    r"|much)|no longer|instead of|don't want|wrong|by mistake)\b",
    re.IGNORECASE,
)
_QUESTION = re.compile(
    r"^(?:what|which|who|whose|when|where|how|is|are|was|were|do|does|did|have|has|tell|give me|list|find|get|name)\b",
    re.I,
)

_PHRASES: dict[tuple[str, str], str] = {
    ("min", "money"): (
        "cheapest, least expensive, lowest price, lowest-priced, lowest priced, least costly, most "
        "affordable, price ascending, from cheapest, low to high, lowest total, smallest order"
    ),
    ("max", "money"): (
        "most expensive, priciest, dearest, highest price, highest-priced, costliest, high to low, "
        "largest order, biggest order, highest total"
    ),
    ("max", "date"): "most recent, latest, newest, last",
    ("min", "date"): "oldest, earliest, first order, first review",
    ("max", "stars"): (
        "best rated, best-rated, highest rated, highest-rated, top rated, top-rated, best reviewed, "
        "highest rating, best"
    ),
    ("min", "stars"): "lowest rated, worst rated, worst",
}
_MOST = {phrase: most for most, phrases in _PHRASES.items() for phrase in phrases.split(", ")}
_BOUND = re.compile(
    r"\b(under|below|less than|fewer than|cheaper than|at most|no more than|up to|over|above|more than"
    r"|at least|exactly|only|with|gave|of)? ?"
    r"(\$?)(\d+(?:\.\d+)?)( (?:or (?:less|fewer|lower|below|under)|or (?:more|higher|above|better"
    r"|over)))?[- ]?(stars?|dollars?|usd)?"
    r"( or (?:less|fewer|lower|below|under)| or (?:more|higher|above|better|over)| and (?:below|under)"
    r"| and (?:above|up))?",
    re.IGNORECASE,
)
# A closing sentence that only says how to write the answer.
_FORM = re.compile(r"(?<=[.?!,])\s*(?:please )?(?:reply|answer|respond|just the)\b.*$", re.IGNORECASE)
_NUMBER_WORDS = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
}  # fmt: skip
_TOP = re.compile(
    r"\b(?:top|first|last|latest|cheapest|newest|best|most recent|most expensive) (\d+|two|three|four|five"
    r"|six|ten)\b|\b(\d+|two|three|four|five) (?:cheapest|newest|most expensive|best|most recent|latest)\b",
    re.I,
)


@dataclass(frozen=True)
class Bound:
    """`measure` of a row must compare so with `value`."""

    measure: Measure
    sign: Literal["<", "<=", ">", ">=", "="]
    value: float

    def holds(self, value: float) -> bool:
        return {
            "<": value < self.value,
            "<=": value <= self.value,
            ">": value > self.value,
            ">=": value >= self.value,
            "=": abs(value - self.value) < 1e-9,
        }[self.sign]


@dataclass(frozen=True)
class Goal:
    """What is asked, taken apart."""

    text: str
    aim: Aim
    quoted: tuple[str, ...]
    names: tuple[str, ...]
    numbers: tuple[str, ...]
    extreme: Literal["max", "min", ""]
    measure: Measure
    top: int
    span: Span | None
    form: str
    record: str
    """The number of the one record it is about."""
    thing: str
    """The noun phrase of the one thing it is about, empty for a goal about a place or a list."""
    things: tuple[str, ...]
    """All full names it says, in order."""
    find: str
    """What is to be searched for, where the goal says so itself."""
    area: str
    """What stands after `in my`, `on my` and the like."""
    bounds: tuple[Bound, ...]
    mine: bool

    @property
    def stems(self) -> frozenset[str]:
        return stems(self.text)

    @property
    def subjects(self) -> tuple[str, ...]:
        """What it is about, most telling first."""
        return self.quoted + tuple(name for name in self.names if name not in self.quoted)


@lru_cache(maxsize=512)
def read_goal(text: str) -> Goal:
    """Take a goal apart."""
    text = " ".join(text.split())
    told = _FORM.search(text)
    form = told.group(0) if told else ""
    text = text.replace(form, "").strip() if form else text
    lower = text.lower()
    quoted = tuple(next(part for part in found if part).strip(" .,") for found in _QUOTED.findall(text))
    bare = _QUOTED.sub(" ", text)
    for number in _NUMBER_WORDS:
        if re.search(rf"\b{number}[- ]stars?\b", lower):
            lower = re.sub(rf"\b{number}([- ]stars?)\b", rf"{_NUMBER_WORDS[number]}\1", lower)
    found = [(lower.find(words), -len(words), words) for words in _MOST if re.search(rf"\b{re.escape(words)}\b", lower)]
    extreme, measure = _MOST[min(found)[2]] if found else ("", "")
    names = _names(bare)
    top = _TOP.search(text)
    count = (top.group(1) or top.group(2)).lower() if top else ""
    return Goal(
        text=text,
        aim=_aim(text),
        quoted=quoted,
        names=names,
        numbers=tuple(re.findall(r"(?<![\w$.])#?(\d[\d-]*\d|\d)(?![\w]|\.\d)", text)),
        extreme=extreme,  # type: ignore[arg-type]
        measure=measure,  # type: ignore[arg-type]
        top=(_NUMBER_WORDS.get(count) or int(count)) if count else 0,
        span=span_in(text),
        form=form.strip(),
        record=(_RECORD.search(text) or _NOTHING).group(1),  # type: ignore[union-attr]
        thing=_thing(text, names),
        things=_full_names(names),
        find=(_SEARCHED.search(text) or _NOTHING).group(1).strip(),  # type: ignore[union-attr]
        area=(_AREA.search(text) or _NOTHING).group(1).strip(),  # type: ignore[union-attr]
        bounds=_bounds(lower),
        mine=bool(
            re.search(
                r"\b(?:my|mine|i|i've|i'd|me)\b",
                lower.replace("tell me", "").replace("show me", "").replace("give me", ""),
            )
        ),
    )


_RECORD = re.compile(r"\b(?:orders?|numbers?|no\.?|ticket|invoice) (?:number )?#?(\d{4,})\b", re.IGNORECASE)
_SEARCHED = re.compile(r"\bsearch (?:the \w+ |this \w+ )?for ([^,.?]+?)(?=,| and\b| which\b|[.?]|$)", re.IGNORECASE)
_NOTHING = re.compile(r"()").match("")
_AREA = re.compile(r"\b(?:in|on|from|of|about) my ([a-z]+(?: [a-z]+)?)")
_OPENS_PHRASE = re.compile(
    r"\b(?:the|that|those|these|this|an?|my|of|\d+ (?:pieces )?of|\d+)\b\s+|^|[,:;] ", re.IGNORECASE
)
_ENDS_PHRASE = re.compile(
    r"\s+(?:cost|costs|have|has|had|made|in my|on my|to my|into|onto|i|in stock|left|is|are|was|were|written"
    r"|whose|that|which|who|listed|somewhere|at most|at least|as|with|"
    r"things?|ones?|product|products|from \w+ \d+|any|set|once|so|and|if|for)\b|[,:;.?]",
    re.IGNORECASE,
)


_NO_THING = re.compile(
    r"\b(?:least|most|cheapest|expensive|how many|results?|address|newsletter|category|orders?|entr(?:y|ies)"
    r"|add|put|moved|priced|page)\b",
    re.IGNORECASE,
)


def _full_names(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(name for name in names if len(name.split()) >= 3 and not re.search(r"\d|&", name))


def _thing(text: str, names: tuple[str, ...]) -> str:
    """A name of three words or more, else the shortest noun phrase that holds a name or is pointed at with `that`."""
    long = _full_names(names)
    if long:
        return long[0]
    best = ""
    for found in _OPENS_PHRASE.finditer(text):
        rest = text[found.end() :]
        end = _ENDS_PHRASE.search(rest)
        phrase = (rest[: end.start()] if end else rest).strip()
        if end and end.group(0).strip().lower() in ("things", "thing", "ones"):
            tail = re.match(r"\s*(?:by|from) [A-Z]\w+", rest[end.end() :])
            phrase += tail.group(0) if tail else ""
        pointed = found.group(0).strip().lower() in ("that", "those", "these")
        kind = [
            word for word in phrase.split() if word.lower() not in STOP and word.lower() not in ("by", "from", "in")
        ]
        holds = any(name.split()[0] in phrase for name in names)
        if (
            (holds or pointed)
            and len(kind) >= 2
            and not re.search(r"\d{3,}|&", phrase)
            and not _NO_THING.search(phrase)
        ):
            best = phrase if not best or len(phrase) < len(best) else best
    return best


def _aim(text: str) -> Aim:
    bare = text.strip()
    if _CHANGE.search(bare):
        return "change"
    if _COUNT.search(bare) and not re.search(r"\bhow many stars\b", bare, re.IGNORECASE):
        return "count"
    if _SUM.search(bare) and not re.search(r"\btotal of (?:my |the )?(?:order|last|latest)", bare, re.I):
        return "sum"
    if _VISIT.search(bare):
        return "visit"
    if re.search(r"^can you |\bso i don't forget\b", bare, re.IGNORECASE) and not bare.lower().startswith(
        "can you tell"
    ):
        return "change"
    if _QUESTION.search(bare) or bare.endswith("?"):
        return "read"
    if _CHANGE_LATE.search(bare) or any(_CHANGE.search(part.strip()) for part in re.split(r"[,.;:]|\band\b", bare)):
        return "change"
    return "read"


def _names(text: str) -> tuple[str, ...]:
    """Capitalised phrases, without a sentence's first word and calendar words."""
    out: list[str] = []
    for found in _NAME.finditer(text):
        phrase = found.group(0)
        start = found.start()
        words = phrase.split()
        opens = start == 0 or re.search(r"[.!?:]\s*$", text[:start]) is not None
        if opens and (words[0].lower() in STOP or len(words) == 1 or words[0].lower() in _OPENERS):
            words = words[1:]
        while (
            words
            and (words[0].lower() in STOP or words[0].lower() in _OPENERS)
            and words[0] == words[0].capitalize()
            and len(words) > 1
        ):
            words = words[1:]
        if len(words) > 2 and words[0].lower() in ("the", "a"):
            words = words[1:]
        phrase = " ".join(words).strip(".,'’-")
        if (
            not phrase
            or phrase.lower() in STOP
            or re.fullmatch(r"[A-Z]{2,4}", phrase)
            or phrase in ("I", "I'm")
            or not re.search("[A-Za-z]", phrase)
        ):
            continue
        if stem(words[0])[:3] in MONTHS and (
            len(words) == 1 or all(re.fullmatch(r"[\d,.-]+", w) or w[:3].lower() in MONTHS for w in words)
        ):
            continue
        out.append(phrase)
    return tuple(dict.fromkeys(out))


_VERBS = """
add put change update edit set make remove delete subscribe unsubscribe write leave post send submit contact
buy purchase order place open go navigate visit browse list find search sort filter compare how what which who
when please take
"""
_OPENERS = frozenset(_VERBS.split())


def _bounds(lower: str) -> tuple[Bound, ...]:
    out: list[Bound] = []
    between = re.search(r"(?:between|from) \$?(\d+(?:\.\d+)?) (?:and|to) \$?(\d+(?:\.\d+)?)( stars)?", lower)
    if between and ("$" in between.group(0) or between.group(3)):
        measure: Measure = "stars" if between.group(3) else "money"
        return (Bound(measure, ">=", float(between.group(1))), Bound(measure, "<=", float(between.group(2))))
    for found in _BOUND.finditer(lower):
        before, dollar, digits, near, unit, late = found.groups()
        after = (near or late or "").strip()
        if dollar or (unit and not unit.startswith("star")):
            measure = "money"
        elif unit:
            measure = "stars"
        else:
            continue
        if after.startswith(
            ("or less", "or fewer", "or lower", "or below", "or under", "and below", "and under")
        ) or before in ("at most", "no more than", "up to"):
            sign = "<="
        elif after or before == "at least":
            sign = ">="
        elif before in ("under", "below", "less than", "fewer than", "cheaper than"):
            sign = "<"
        elif before in ("over", "above", "more than"):
            sign = ">"
        elif measure == "stars":
            sign = "="
        else:
            continue
        out.append(Bound(measure, sign, float(digits)))  # type: ignore[arg-type]
    return tuple(out)
