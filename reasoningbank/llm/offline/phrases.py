"""Names and noun phrases in a sentence, by capital letters and the small words around them."""

from __future__ import annotations

import re

from reasoningbank.llm.offline.aims import OPENERS
from reasoningbank.llm.offline.values import MONTH_NAMES, MONTHS
from reasoningbank.llm.offline.words import STOP, bag

_NAME = re.compile(
    r"(?:[A-Z0-9][\w&’'.-]*[\w]|[A-Z])(?:(?: (?:of|and|the|for|with|&|-))? (?:[A-Z][\w&’'.-]*[\w]|[A-Z]\b)"
    r"| \d+[\w.-]*)*"
)
_OPENS_PHRASE = re.compile(
    r"\b(?:the|that|those|these|this|an?|my|of|\d+ (?:pieces? )?of|\d+(?: more)?)\b\s+|^|[,:;] ", re.IGNORECASE
)
# Words that no noun phrase goes on with: verbs, pronouns, adverbs, most prepositions.
_ENDS_PHRASE = re.compile(
    r"\s+(?:(?:in|on|to|into|onto|off|from) (?:my|our|the|stock|\w+ \d+)|into|onto|at|as|with|and|or|so|if|for|than"
    r"|that|which"
    r"|who|whose|i|we|you|it|is|are|was|were|be|has|have|had|do|does|did|can|could|will|would|should|costs?|left"
    r"|made|listed"
    r"|written|set|(?:some|any)\w*|once|again|now|still|please)\b|[,:;.?!]",
    re.IGNORECASE,
)
# Nouns that stand for any thing, and are no kind of thing themselves.
_SHELL = bag("thing things one ones stuff piece pieces item items product products")
_MONTH = re.compile(rf"(?:{'|'.join(f'{name}|{name[:3]}' for name in MONTH_NAMES)})\.?", re.IGNORECASE)
_JOINS = frozenset({"by", "from", "in", "of"})
# Words of phrases about places, lists and degrees rather than about one thing.
_NO_THING = re.compile(
    r"\b(?:least|most|(?:cheap|dear|low|high|lat|new|old|b|pric[iy])est|many|results?|address|newsletter|category"
    r"|orders?|reviews?|entr(?:y|ies)|priced|page|pages"
    r"|number|add|put)\b",
    re.IGNORECASE,
)


def full_names(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(name for name in names if len(name.split()) >= 3 and not re.search(r"\d|&", name))


def thing_in(text: str, names: tuple[str, ...]) -> str:
    """A name of three words or more, else the shortest noun phrase that holds a name or is pointed at with `that`."""
    long = full_names(names)
    if long:
        return long[0]
    found = [phrase for opened in _OPENS_PHRASE.finditer(text) if (phrase := _phrase(text, opened, names))]
    return min(found, key=len, default="")


def _phrase(text: str, opened: re.Match[str], names: tuple[str, ...]) -> str:
    """The noun phrase after its first small word, where it tells a thing by its kind or by its name."""
    rest = text[opened.end() :]
    end = _ENDS_PHRASE.search(rest)
    words = [word for word in (rest[: end.start()] if end else rest).split() if word.lower() not in _SHELL]
    phrase = " ".join(words)
    told = [word for word in words if word.lower() not in STOP and word.lower() not in _JOINS]
    kind = [word for word in told if word[0].islower()]
    pointed = opened.group(0).strip().lower() in ("that", "those", "these")
    named = any(name.split()[0] in words for name in names)
    if len(told) < 2 or not (kind or phrase in names) or not (named or pointed):
        return ""
    return "" if re.search(r"\d{3,}|&", phrase) or _NO_THING.search(phrase) else phrase


def names_in(text: str) -> tuple[str, ...]:
    """Capitalised phrases, without a sentence's first word and calendar words."""
    out: list[str] = []
    for found in _NAME.finditer(text):
        phrase = found.group(0)
        start = found.start()
        words = phrase.split()
        opens = start == 0 or re.search(r"[.!?:]\s*$", text[:start]) is not None
        if opens and (words[0].lower() in STOP or len(words) == 1 or words[0].lower() in OPENERS):
            words = words[1:]
        while len(words) > 1 and words[0].istitle() and (words[0].lower() in STOP or words[0].lower() in OPENERS):
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
        if _MONTH.fullmatch(words[0]) and (
            len(words) == 1 or all(re.fullmatch(r"[\d,.-]+", w) or w[:3].lower() in MONTHS for w in words)
        ):
            continue
        out.append(phrase)
    return tuple(dict.fromkeys(out))
