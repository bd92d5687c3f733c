"""What a goal names on a site of places within places: the place, an entry of it, people, and what is to be written."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache

from reasoningbank.llm.offline.goal import Goal
from reasoningbank.llm.offline.words import STOP, WORD, stem, stems

# What stands before words in quotation marks that are to be written, rather than name an entry.
_WRITES = re.compile(
    r"\b(?:titled?|texts?|says|to|notes?|name[ds]?|called?|it|body|subject|message|comment|form|as|biography|status"
    r"|description)[:,]? $"
)
_CREATES = re.compile(
    r"^(?:(?:please|can you|could you) )?"
    r"(?:create|write an? (?!review|comment)|post|submit|(?:make|add) an? new|ask the)\b",
    re.IGNORECASE,
)
# How near to a place's name its preposition brings it.
_BEFORE = (
    (["forum", "project", "group", "board"], 5),
    (["in"], 4),
    (["on", "from", "the"], 3),
    (["to", "of", "and"], 2),
    (["does", "than", "was"], 1),
)
_APART = re.compile(r"\b(?:exceeds?|ahead of|(?:more|greater|fewer|less|higher)\b.* than|differ\w*)\b", re.IGNORECASE)
_TOGETHER = re.compile(r"\b(?:together|in all|altogether|both of them|combined)\b", re.IGNORECASE)
_VALUE = r"\b{}s? (?:the )?([a-z][\w-]*|v[\d.]+)"


@dataclass(frozen=True)
class Target:
    """The named things of a goal."""

    creates: bool
    items: tuple[str, ...]
    """Entries by their titles."""
    written: tuple[str, ...]
    names: tuple[tuple[str, int], ...]
    """Other names, each with how much the word before it speaks for a place."""
    apart: bool
    """Whether the difference of two figures is asked for."""
    together: bool
    left: frozenset[str]
    """The words of the goal beside all names and quotations, as written but small."""
    words: frozenset[str]
    """Their stems."""
    kind: frozenset[str]
    """What the entry is called: the stems of the two words before it."""

    @property
    def item(self) -> str:
        return self.items[0] if self.items else ""


@lru_cache(maxsize=256)
def target_of(goal: Goal) -> Target:
    """Take the names of a goal apart."""
    creates = _CREATES.match(goal.text) is not None
    items: list[str] = []
    written: list[str] = []
    writes = creates
    for quote in goal.quoted:
        before = goal.text[: goal.text.find(quote) - 1]
        if not re.search(r"[\"”] (?:and|or) [\"“']?$", before):
            writes = creates or _WRITES.search(before) is not None
        (written if writes else items).append(quote)
    names = [part for name in goal.names for part in (name.split(" and ") if len(name.split()) < 7 else [name])]
    titles = [name for name in names if len(name.split()) >= 3 and not creates and not re.search(r"\d", name)]
    rest = [name for name in names if name not in titles]
    left = goal.text
    for name in (*goal.quoted, *names):
        left = re.sub(rf"(?:\b(?:forum|project|group|board) )?{re.escape(name)}", " ", left)
    return Target(
        creates=creates,
        items=(*items, *titles),
        written=tuple(written),
        names=tuple((name, _nearness(goal.text, name)) for name in rest),
        apart=_APART.search(goal.text) is not None,
        together=_TOGETHER.search(goal.text) is not None,
        left=frozenset(word.lower() for word in WORD.findall(left)),
        words=frozenset(word for word in stems(left) if not word.isdigit()),
        kind=_kind(goal.text, next(iter((*items, *titles)), "")),
    )


def _kind(text: str, item: str) -> frozenset[str]:
    return stems(" ".join(WORD.findall(text[: text.find(item)])[-2:])) if item else frozenset()


def _nearness(text: str, name: str) -> int:
    found = re.search(rf"(\w+) {re.escape(name)}", text)
    word = found.group(1).lower() if found else ""
    return 0 if re.search(r"\d$", name) else next((weight for words, weight in _BEFORE if word in words), 0)


def values_of(goal: Goal, label: str) -> list[str]:
    """What stands behind the word of a field's label: `the label bug`, `the milestone v1.0`."""
    found = re.findall(_VALUE.format(re.escape(stem(label))), goal.text, re.IGNORECASE)
    return [value for value in dict.fromkeys(found) if value.lower() not in STOP and value not in ("says", "by")]


def parts_of(goal: Goal) -> list[Goal]:
    """The same question for each of two like things, where a sum or a difference over them is asked for."""
    target = target_of(goal)
    if not (target.apart or target.together) or goal.aim == "change":
        return [goal]
    if len(target.items) > 1:
        return [_with_one(goal, item, target.items) for item in target.items]
    for weights in ((0,), (1, 2), (2,), (0, 1, 2)):
        like = tuple(name for name, weight in target.names if weight in weights)
        if len(like) == 2:
            return [_with_one(goal, name, like) for name in like]
    word = re.search(r"\bthe (\w+) [a-z-]+ .*\bthe \1 [a-z-]+\b", goal.text)
    if word and target.apart:
        pair = values_of(goal, word.group(1))[-2:]
        return [_with_one(goal, value, tuple(pair)) for value in pair]
    return [goal]


def _with_one(goal: Goal, kept: str, like: tuple[str, ...]) -> Goal:
    """The goal as it would be for one of several like things."""
    text = goal.text
    for other in like:
        if other != kept:
            text = re.sub(rf"(?:\b\w+ )?[\"“]?\b{re.escape(other)}(?!\w)[\"”]?", "", text)
    names = tuple(part for name in goal.names for part in name.split(" and ") if part == kept or part not in like)
    return replace(goal, text=text, names=names, quoted=tuple(one for one in goal.quoted if one in text))
