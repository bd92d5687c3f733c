"""What kind of thing a sentence asks for: a count, a sum, something read, a page shown, a change.

It is told by open classes of English words, clause by clause: the verb that leads a request, question words, words for
money and totals, where something is to be put. A verb that no class has is still a request for a change when the
sentence asks somebody to do it.
"""

from __future__ import annotations

import re
from typing import Literal

from reasoningbank.llm.offline.words import bag

Aim = Literal["count", "sum", "read", "visit", "change"]
Kind = Literal["change", "visit", "question", ""]

_CHANGE = bag("""
activate add adjust alter append apply approve ask assign block book bump buy cancel change check-out checkout chuck
clear close contact correct create deactivate decrease delete disable discard double downvote draft drop dump edit
empty enable enter erase exchange file fill finish fix hold include increase insert invite keep leave log lower make
mark message modify move order park pick pin place pop post purchase put raise rate redeem reduce refund register
remember remove rename reopen reorder repeat replace report request reserve restart return review save schedule send
set ship sign star start stash stick stop store submit subscribe swap switch throw toss transfer turn unsubscribe
update upgrade upvote use wipe write
""")
_SHOW = bag("browse display filter go navigate open search see show sort view visit")
_TELL = bag("""
answer calculate compare compute count determine explain figure know learn list name read reply respond say state
sum tell work
""")
# Verbs that mean nothing without what follows them.
_LIGHT = bag("bring call check find get give have let look pull take")
_ASKING = bag("""
am any anybody anyone are can could did do does had has have how is should was were what what's when when's where
where's which who who's whom whose why will would
""")
_LINKS = "after although because before between but during for from hello if kindly of please since through until while"
# Words that open a sentence and get a capital letter from that alone.
OPENERS = _CHANGE | _SHOW | _TELL | _LIGHT | _ASKING | bag(_LINKS)
_FACTS = bag("price cost name number date amount total rating brand sum count share percentage")

_POLITE = re.compile(
    r"^(?:please|kindly|hey|hi|hello|ok|okay|so|just|now|then|also|and|well|maybe|perhaps|let's|go ahead and)\b[ ,]*",
    re.IGNORECASE,
)
_REQUEST = re.compile(
    r"^(?:(?:can|could|would|will|won't) (?:you|someone|somebody)(?: mind)?|i(?:'d| would) (?:like|love"
    r"|prefer)(?: you)? to"
    r"|i (?:want|need|wish|have)(?: you)? to|(?:i )?need to|help me(?: to)?|make sure (?:to|that you|you))\b[ ,]*",
    re.IGNORECASE,
)
_WISH = re.compile(
    r"\b(?:i|we)(?:'d| would)? (?:want|need|like|wish|prefer)\b|\b(?:should|ought to|must|needs? to|ha(?:s|ve) to) \w"
    r"|\bno longer\b|\binstead of\b|\bdon't want\b|\bby mistake\b",
    re.IGNORECASE,
)
_DESTINATION = re.compile(
    r"\b(?:in|into|to|onto|on|from|off) (?:my|our|the) (?:\w+ )?(?:cart|basket|bag|trolley|list|account|profile"
    r"|favou?rites|wishlist|book|settings)\b",
    re.IGNORECASE,
)
_MANY = re.compile(r"\bhow many(?: \w+)?|\b(?:the|what|total|exact|which) (?:number|count) of (?!my)\w+", re.IGNORECASE)
# A number of these is a value that is read.
_SCALES = ("stars", "points", "percent")
MONEY = re.compile(
    r"\b(?:how much|costs?|prices?|worth|spen[dt]|spending|spends|paid|pay|pays|amount|charged?|money|expenses?|bills?"
    r"|c[oa]mes? to|sets? \w+ back)\b",
    re.IGNORECASE,
)
_SPENDING = re.compile(r"\b(?:spen[dt]|spending|expenses)\b", re.IGNORECASE)
_SUMMED = re.compile(r"\b(?:sum|total|totall?ed|add(?:s|ed)? up)\b", re.IGNORECASE)
_TOTAL = re.compile(
    r"\b(?:total|totall?ed|altogether|together|combined|sum|overall|in all|all told|add(?:s|ed)? up|every|everything"
    r"|each"
    r"|all|entire|average|mean)\b",
    re.IGNORECASE,
)
_ONE = re.compile(
    r"\b(?:orders?|invoice|ticket) (?:number |no\.? )?#?\d{3,}|\btotal\b.*\b(?:last|latest|newest|oldest|earliest|first"
    r"|recent)\b",
    re.IGNORECASE,
)
# Somebody who says what they are going to do and asks for a fact to do it.
_ASKS_OWN = re.compile(r"\b(?:where|how|what|when|which|who)\b[^.?!]*\b(?:do|can|should) i\b", re.IGNORECASE)
_CLAUSES = re.compile(r"[.;:!?,]+(?=\s|$)|\b(?:and|then|but)\b", re.IGNORECASE)
_WORDS = re.compile(r"[a-z][a-z'’-]*|#?\d[\d,.]*", re.IGNORECASE)


def aim_of(text: str) -> Aim:
    """The aim of a goal: what it asks to be done, else what it asks to be told."""
    bare = text.strip().replace("’", "'")
    kinds = [kind_of(clause) for clause in _CLAUSES.split(bare)]
    asks = "question" in kinds
    if "change" in kinds and not _ASKS_OWN.search(bare):
        return "change"
    if "visit" in kinds and not asks:
        return "visit"
    if not asks and "?" not in bare and (_WISH.search(bare) or _DESTINATION.search(bare)):
        return "change"
    many = _MANY.search(bare)
    if many and not many.group(0).lower().endswith(_SCALES):
        return "count"
    money = MONEY.search(bare) or _SUMMED.search(bare)
    if money and not _ONE.search(bare) and (_SPENDING.search(bare) or _TOTAL.search(bare)):
        return "sum"
    return "read"


def kind_of(clause: str) -> Kind:
    """What a clause is by its first words: something to do, to show or to tell; empty where they do not say."""
    rest, requested = _bare(clause.strip())
    words = [word.lower() for word in _WORDS.findall(rest)]
    if not words:
        return ""
    verb, after = words[0], words[1:]
    if verb in _LIGHT:
        return _light(verb, after, rest, requested)
    if verb == "reply" and after[:1] == ["to"]:
        return "change"
    if verb in _CHANGE and (verb, after[:1]) != ("add", ["up"]):
        named = bool(after) and (after[0][0] in "#0123456789" or after[0] in ("is", "was", "of"))
        return "" if named else "change"
    if verb in _SHOW:
        told = [word for word in after if word not in ("me", "us", "the", "a", "my")][:1]
        return "question" if told and (told[0] in _ASKING or told[0] in _FACTS) else "visit"
    if verb in _TELL or verb in _ASKING:
        return "question"
    if requested and verb not in ("the", "a", "an", "my", "you", "i"):
        return "change"
    return ""


def _bare(clause: str) -> tuple[str, bool]:
    """A clause without the polite words it opens with, and whether they ask somebody to do something."""
    requested = False
    while True:
        shorter = _POLITE.sub("", clause)
        request = _REQUEST.match(shorter)
        if request:
            requested, shorter = True, shorter[request.end() :]
        if shorter == clause:
            return clause, requested
        clause = shorter


def _light(verb: str, after: list[str], rest: str, requested: bool) -> Kind:
    """`Take us there`, `take it off`, `get two into`, `find the page`, `have you got`."""
    if verb == "let" and after[:1] == ["the"]:
        return "change"
    if verb in ("have", "let", "call") and not _DESTINATION.search(rest):
        return "question" if after[:1] in (["you"], ["i"], ["we"], ["me"]) else ""
    if after[:1] in (["me"], ["us"]) and after[1:2] in (["to"], ["up"]):
        return "visit"
    if (
        (after[:1] == ["up"] and verb != "look")
        or (verb == "look" and after[:1] == ["at"])
        or (verb in ("find", "bring", "get", "give", "pull") and "page" in after)
    ):
        return "visit"
    put = _DESTINATION.search(rest) is not None and verb not in ("find", "check")
    if put or {"off", "out", "away", "rid"} & set(after[:6]):
        return "change"
    fact = any(word in _FACTS or word in _ASKING for word in after[:3])
    return "change" if requested and verb in ("get", "have", "take", "give") and not fact else "question"
