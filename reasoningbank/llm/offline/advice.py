"""Recalled text as the simulated model takes it: sentences, which of its habits they speak to, and in which direction.

Advice is ordinary text. It is matched by the stems of its words and their synonyms, so another wording of the same
advice acts the same.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache

from reasoningbank.llm.offline.lessons import spoken_to
from reasoningbank.llm.offline.words import STOP, SYNONYMS, stem, stems, tokens

_HEAD = re.compile(r"^## .*$", re.MULTILINE)
_LABEL = re.compile(r"^(?:Title|Description|Content|Task|Judged): ?", re.MULTILINE)
_SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n+")
_SORT_ORDER = re.compile(
    r"\bsort(?:ing)? order\b|\bin order to\b|\border of the\b|\breorder\w*|\bother order\b", re.IGNORECASE
)
_MONEY_TALK = re.compile(r"\b(?:total|spen[dt]|spending|money|amount|sum|paid|cost|expense)\w*\b", re.IGNORECASE)
_COUNT_TALK = re.compile(r"\b(?:how many|number of|count)\w*\b", re.IGNORECASE)

# What lessons about procedure talk of everywhere: such words do not tie a lesson to a place.
_TALK = """
sort sorting sorted filter filters filtering refine refining narrow count counting counted entry entries row rows
line lines item items record list lists listing page pages button buttons press click confirm confirming save store
stored leave leaving left before after first then again once repeat repeated repeats twice same look looks equal
identical duplicate duplicates load loading loads more shown show earlier later read reading enter entered date
dates day month year format written write way check hold change changes changed lost drop drops forget reset clear
unless until only status statuses include included includes including exclude figure figures total sum further
needed need complete soon pressing next all every each answer answering find finds found nothing word words fewer
whole phrase match matches use using such name alone through bring many several different one ones two three task
tasks goal lesson memory table number dd mm yyyy make sure always never when where value values field fields form
second extra added user correct wrong mistake fail failed fails failure success skip ignore omit apply take effect
step steps update submit keep kept seen already catalogue catalog website content element both still void product
customer account appear bad good dropped narrower broad broader long longer short shorter simple part full single
key instead try afterwards afterward new needs finding discard discarded discards hit push tap remember note careful
ensure mind stay stays stand stands go goes gone set put must occur occurs missing query arrange arranged arranging
ranking of saved edited lose loses loss vanish undone undo prevent avoid because since otherwise really simply just
directly immediately finally too also certain often usually likely expect expected assume rather than matter matters
belong belongs parts above remove wipe opposite other own given even somebody last empty no open visit start starts
fill without begin end ends ending period unfiltered whenever type adding add subtract tally calculate compute
compare verify double holds contain contains shows appears come comes follow following previous old true false right
batch batches went well another enough
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
    topic: str = ""
    """The stem of the first word of its item's title that means something."""

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


def items_in(memory: str) -> list[str]:
    """The recalled items without their labels."""
    parts = _HEAD.split(memory)
    return [_LABEL.sub("", text).strip() for text in parts[1:] or parts]


def sentences_in(plain: str) -> list[str]:
    """An item's sentences, its title among them."""
    return _SENTENCE.split(plain)


@lru_cache(maxsize=256)
def read_advice(memory: str) -> Advice:
    """The recalled text, item by item."""
    if not memory.strip():
        return Advice((), ())
    hints: list[Hint] = []
    told: list[tuple[str, frozenset[str]]] = []
    for number, plain in enumerate(items_in(memory), start=1):
        whole = stems(_SORT_ORDER.sub("sort", plain))
        told.append((plain.split("\n", 1)[0], whole))
        place = frozenset(word for word in whole if word not in _GENERAL and not word.isdigit())
        heard = [(way, sentence) for sentence in sentences_in(plain) for way in spoken_to(sentence)]
        votes = Counter(way for way, _ in heard)
        hints += [
            Hint(habit, careful, place, number, sentence, _topic(plain))
            for (habit, careful), sentence in heard
            if votes[habit, careful] >= votes[habit, not careful]
        ]
    return Advice(tuple(hints), tuple(told))


def _topic(plain: str) -> str:
    title = plain.partition("\n")[0]
    return next((stem(word) for word in tokens(title) if word.lower() not in STOP), "")


def fitting(words: frozenset[str], here: frozenset[str]) -> float:
    """How well a lesson with these words of its own fits a situation with the words `here`; 0 where it does not."""
    if not words:
        return 0.5
    shared = sum(1 for word in words if word in here or SYNONYMS.get(word, frozenset()) & here)
    return shared * shared / len(words)
