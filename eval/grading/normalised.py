"""The offline grader: do a reference and an answer say the same, by normalised comparison? No model is asked."""

from __future__ import annotations

import re
from datetime import date
from decimal import Decimal, InvalidOperation

from eval.suites.base import unachievable


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_MONTH_NAMES = "january february march april may june july august september october november december"
_MONTH_OF = {
    name[:length]: number for number, name in enumerate(_MONTH_NAMES.split(), 1) for length in (3, 4, len(name))
}
_MONTH = r"(?P<month>[a-z]{3,9})\.?"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_DATES = (
    re.compile(r"\b(?P<year>\d{4})-(?P<month>\d{1,2})-(?P<day>\d{1,2})\b"),
    re.compile(rf"\b{_MONTH} {_DAY},? (?P<year>\d{{4}})\b"),
    re.compile(rf"\b{_DAY} (?:of )?{_MONTH},? (?P<year>\d{{4}})\b"),
)
_NUMBER = re.compile(r"(?<![\w.])(?:us)?[-+]?[$€£]?\s?[-+]?\d+(?:,\d{3})*(?:\.\d+)?(?![\w])")
_FILLERS = _words(
    "a an the is are was were be been it its this that these those of in on at for to by with from as and i we "
    "you answer total there have has had usd dollars dollar"
)
_COUNTED = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty"
)
_NUMBER_WORDS = {word: str(number) for number, word in enumerate(_COUNTED.split())}
_TURNS = _words("no not never none neither cannot without n't or either perhaps maybe")
"""Words that turn an answer's meaning round, or leave it open."""
_MOST_EXTRA = 8
"""Words an answer may add for politeness; one that recites a page says nothing."""
_CANNOT = re.compile(
    r"\b(n/a|not (?:possible|available|achievable|feasible|supported|offered|exist|found|sold|listed|find|able)|"
    r"(?:im|un)possible|infeasible|unachievable|unavailable|unable|unsupported|cannot|can't|can not|couldn't|could not|"
    r"doesn't|does not|do not|don't|isn't|is no|are no|aren't|no such|there's no|nowhere|no way|no option|"
    r"no \w+ found)\b"
)


def normalised_grader(question: str, reference: str, answer: str) -> bool:
    """True when both say the same after normalising case, punctuation, numbers, currency and dates.

    An answer may say more than a short reference (`2 orders` for `2`), but no other number than the reference has,
    apart from those the question names, no other polarity and no choice. A reference that begins with `N/A` is met by
    an answer that says that it cannot be done.
    """
    if unachievable(reference) is not None:
        return means_unachievable(answer)
    wanted, given, asked = _parts(reference), _parts(answer), _parts(question)
    if wanted == given:
        return True
    extra = given - wanted - asked
    if not wanted or not wanted <= given or len(extra) > _MOST_EXTRA:
        return False
    return not any(part[0].isdigit() or part[0] in "+-" for part in extra) and not extra & _TURNS


def means_unachievable(answer: str) -> bool:
    """Does the answer say that what was asked for cannot be done or is not there?"""
    return bool(_CANNOT.search(answer.lower().replace("’", "'")))


def _parts(text: str) -> frozenset[str]:
    """The tokens that matter: numbers and dates in one form, words in lower case without fillers."""
    text = text.lower().replace("’", "'").replace("\u00a0", " ")
    found: list[str] = []
    for pattern in _DATES:
        text = pattern.sub(lambda match: _keep(match, found), text)
    text = _NUMBER.sub(lambda match: _number(match[0], found), text)
    text = text.replace("n't", " n't")
    for word in re.findall(r"n't|[^\W_]+(?:'[^\W_]+)?", text):
        if word not in _FILLERS:
            found.append(_NUMBER_WORDS.get(word, word.removesuffix("'s")))
    return frozenset(found)


def _keep(match: re.Match[str], found: list[str]) -> str:
    month = match["month"]
    number = int(month) if month.isdigit() else _MONTH_OF.get(month, 0)
    try:
        found.append(date(int(match["year"]), number, int(match["day"])).isoformat())
    except ValueError:  # it only looked like a date
        return match[0]
    return " "


def _number(text: str, found: list[str]) -> str:
    digits = re.sub(r"[^\d.+-]", "", text)
    try:
        value = Decimal(digits).normalize()
    except InvalidOperation:
        return text
    found.append(format(value + 0, "f"))
    return " "
