"""A goal as the simulated model understands it, by general English grammar alone."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Literal

from reasoningbank.llm.offline.aims import Aim, aim_of
from reasoningbank.llm.offline.phrases import full_names, names_in, thing_in
from reasoningbank.llm.offline.values import NUMBER_WORDS, Span, span_in
from reasoningbank.llm.offline.words import stems

Measure = Literal["money", "date", "stars", "amount", ""]

_QUOTED = re.compile(r"\"([^\"]+)\"|“([^”]+)”|(?<![A-Za-z0-9])'([^']+(?:'[a-z][^']*)*)'(?![A-Za-z])")
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
    ("max", "amount"): "most units, most pieces, most often",
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


_RECORD = re.compile(r"\b(?:orders?|numbers?|no\.?|ticket|invoice) (?:number )?#?(\d{4,})\b", re.IGNORECASE)
_SEARCHED = re.compile(r"\bsearch (?:the \w+ |this \w+ )?for ([^,.?]+?)(?=,| and\b| which\b|[.?]|$)", re.IGNORECASE)
_CODE = re.compile(r"\b(?=[A-Z-]*\d)[A-Z]{2,}[A-Z\d]*(?:-[A-Z\d]+)*\b")
_NOTHING = re.compile(r"()").match("")
_AREA = re.compile(r"\b(?:in|on|from|of|about) my ([a-z]+(?: [a-z]+)?)")


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
    codes: tuple[str, ...]
    """Words of capitals and digits, which name one thing of a kind."""
    extreme: Literal["max", "min", ""]
    measure: Measure
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

    @property
    def stems(self) -> frozenset[str]:
        return stems(self.text)

    @cached_property
    def counted(self) -> frozenset[str]:
        """The noun that is asked for a number of."""
        return stems(" ".join(re.findall(r"\bhow many (?:of \w+ )?(\w+)", self.text, re.IGNORECASE)))

    @cached_property
    def called(self) -> tuple[str, ...]:
        """The names that tell an entry of a list: neither codes nor what the entry is to get."""
        given = re.findall(r"\binto (?:the )?\w+ ([A-Z]\w*)", self.text)
        return tuple(name for name in self.names if not re.search(r"\d", name) and name not in given)

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
    for number in NUMBER_WORDS:
        if re.search(rf"\b{number}[- ]stars?\b", lower):
            lower = re.sub(rf"\b{number}([- ]stars?)\b", rf"{NUMBER_WORDS[number]}\1", lower)
    found = [(lower.find(words), -len(words), words) for words in _MOST if re.search(rf"\b{re.escape(words)}\b", lower)]
    extreme, measure = _MOST[min(found)[2]] if found else ("", "")
    names = names_in(bare)
    return Goal(
        text=text,
        aim=aim_of(bare),
        quoted=quoted,
        names=names,
        numbers=tuple(re.findall(r"(?<![\w$.])#?(\d[\d-]*\d|\d)(?![\w]|\.\d)", text)),
        codes=tuple(_CODE.findall(bare)),
        extreme=extreme,  # type: ignore[arg-type]
        measure=measure,  # type: ignore[arg-type]
        span=span_in(text),
        form=form.strip(),
        record=(_RECORD.search(text) or _NOTHING).group(1),  # type: ignore[union-attr]
        thing=thing_in(text, names),
        things=full_names(names),
        find=(_SEARCHED.search(text) or _NOTHING).group(1).strip(),  # type: ignore[union-attr]
        area=(_AREA.search(text) or _NOTHING).group(1).strip(),  # type: ignore[union-attr]
        bounds=_bounds(lower),
    )


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
        elif after:
            measure = "amount"
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
