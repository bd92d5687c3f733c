"""Names and noun phrases in a sentence, by capital letters and the small words around them."""

from __future__ import annotations

import re

from reasoningbank.llm.offline.values import MONTHS
from reasoningbank.llm.offline.words import STOP, stem

_NAME = re.compile(
    r"(?:[A-Z0-9][\w&’'.-]*[\w]|[A-Z])(?:(?: (?:of|and|the|for|with|&|-))? (?:[A-Z][\w&’'.-]*[\w]|[A-Z]\b)"
    r"| \d+[\w.-]*)*"
)
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


def full_names(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(name for name in names if len(name.split()) >= 3 and not re.search(r"\d|&", name))


def thing_in(text: str, names: tuple[str, ...]) -> str:
    """A name of three words or more, else the shortest noun phrase that holds a name or is pointed at with `that`."""
    long = full_names(names)
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


def names_in(text: str) -> tuple[str, ...]:
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
