"""Ordinary English as the simulated model knows it: stems, a few synonyms, words that carry no meaning."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

WORD = re.compile(r"[A-Za-z][A-Za-z'’-]*[A-Za-z]|[A-Za-z]|\d+(?:[.,]\d+)*")

_EMPTY = """
a an and any are as at be been being but by can could did do does each for from had has have he her him his
how i if in into is it its just me may might more much must my need not of off on or our out over please shall
she should so some such than that the their them then there these they this those to too up us was we were
what when where which while who whom whose why will with would you your tell show give find let want like know
get got all also only ever currently page site shop store website
"""
STOP = frozenset(_EMPTY.split())

# Groups of words that mean nearly the same when somebody asks for something or names a button.
_GROUPS = (
    "buy purchase order bought ordered",
    "spend spent pay paid cost order",
    "remove delete drop discard",
    "change edit update modify adjust alter set",
    "save store apply confirm keep",
    "submit send post",
    "add put place insert",
    "cheap cheapest price inexpensive low lowest",
    "expensive pricey dearest price costly",
    "price cost amount",
    "review rating comment feedback opinion",
    "star rating",
    "quantity qty number",
    "photo picture image",
    "mail email e-mail",
    "phone telephone",
    "postcode zip postal",
    "street road",
    "newsletter subscription subscribe unsubscribe mailing",
    "basket cart bag trolley",
    "favourite favorite wish wishlist",
    "colour color",
    "recent latest newest last new",
    "history past previous",
    "sum total overall altogether",
    "deliver ship shipping delivery",
    "contact message inquiry enquiry reach",
    "stock availability available left remaining",
    "refund return",
    "reorder again once",
    "default primary main",
    "brand maker manufacturer",
    "cancel canceled cancelled",
    "next more further",
    "narrow refine filter restrict limit",
    "sort rank arrange",
    "duplicate repeat repeated same twice double",
    "count tally",
    "often uses times frequency",
    "member role invite account colleague",
    "contribute contributor commit committed",
    "create new add make write",
    "comment reply answer",
    "submission submit submitted post",
    "file branch folder",
    "skip exclude omit ignore without except leave",
)


def bag(words: str) -> frozenset[str]:
    """The words of a list, as written."""
    return frozenset(words.split())


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """The word without its usual endings, so that `reviewing`, `reviews` and `review` meet."""
    text = word.lower().replace("’", "'").removesuffix("'s").strip("'")
    if text.isdigit() or len(text) <= 3:
        return text
    for ending, instead in (
        ("ies", "y"),
        ("sses", "ss"),
        ("ings", ""),
        ("ing", ""),
        ("ied", "y"),
        ("ed", ""),
        ("es", "e"),
    ):
        if text.endswith(ending) and len(text) - len(ending) >= 3:
            text = text[: -len(ending)] + instead
            break
    else:
        if text.endswith("s") and not text.endswith("ss"):
            text = text[:-1]
    if len(text) > 3 and text[-1] == text[-2] and text[-1] not in "aeiosl":
        text = text[:-1]
    if len(text) > 4 and text.endswith("e"):
        text = text[:-1]
    return text


def _synonyms() -> dict[str, frozenset[str]]:
    table: dict[str, set[str]] = {}
    for group in _GROUPS:
        stems = {stem(word) for word in group.split()}
        for one in stems:
            table.setdefault(one, set()).update(stems)
    return {one: frozenset(others) for one, others in table.items()}


SYNONYMS = _synonyms()


def tokens(text: str) -> list[str]:
    """All words and numbers of a text, as written."""
    return WORD.findall(text)


@lru_cache(maxsize=20_000)
def stems(text: str) -> frozenset[str]:
    """The stems of the words that mean something."""
    return frozenset(stem(word) for word in WORD.findall(text) if word.lower() not in STOP)


def widened(these: Iterable[str]) -> frozenset[str]:
    """The stems with their synonyms."""
    out: set[str] = set()
    for one in these:
        out.add(one)
        out |= SYNONYMS.get(one, frozenset())
    return frozenset(out)


def covered(name: str, by: frozenset[str]) -> float:
    """Which share of the words of `name` is among the stems `by`."""
    own = stems(name)
    return len(own & by) / len(own) if own else 0.0
