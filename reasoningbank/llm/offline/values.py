"""Values as people print them: money, dates, stars, amounts."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, timedelta

MONTHS = {
    "jan": 1, "feb": 2, "mar": 3, "apr": 4, "may": 5, "jun": 6,
    "jul": 7, "aug": 8, "sep": 9, "oct": 10, "nov": 11, "dec": 12,
}  # fmt: skip
MONTH_NAMES = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
_MONTH = rf"({'|'.join(f'{name}|{name[:3]}' for name in MONTH_NAMES)})\b"
_MONEY = re.compile(r"[-−]?[$€£]\s?(\d[\d,]*(?:\.\d+)?)")
_SLASHED = re.compile(r"\b(\d{1,2})[/.](\d{1,2})[/.](\d{2,4})\b")
_ISO = re.compile(r"\b(\d{4})-(\d{2})-(\d{2})\b")
_WRITTEN = re.compile(
    rf"\b{_MONTH}\.? (\d{{1,2}})(?:st|nd|rd|th)?,? (\d{{4}})\b|\b(\d{{1,2}})(?:st|nd|rd"
    rf"|th)? (?:of )?{_MONTH}\.?,? (\d{{4}})\b",
    re.IGNORECASE,
)
_STARS = re.compile(
    r"(\d(?:\.\d)?)\s*(?:out of|/|of)\s*5\b|\b(\d(?:\.\d)?)[- ]stars?\b|\brat(?:ing|ed):?\s*(\d(?:\.\d)?)\b|(★+)",
    re.IGNORECASE,
)


def money(text: str) -> float | None:
    """The first amount of money in a text."""
    found = _MONEY.search(text)
    return float(found.group(1).replace(",", "")) if found else None


def all_money(text: str) -> list[float]:
    return [float(digits.replace(",", "")) for digits in _MONEY.findall(text)]


def stars(text: str) -> float | None:
    """The first rating in a text, in stars of five."""
    found = _STARS.search(text)
    if found is None:
        return None
    if found.group(4):
        return float(len(found.group(4)))
    return float(found.group(1) or found.group(2) or found.group(3))


def number(text: str) -> float | None:
    """The first plain number in a text."""
    found = re.search(r"(?<![\d.])(\d[\d,]*(?:\.\d+)?)", text)
    return float(found.group(1).replace(",", "")) if found else None


def day(text: str, *, day_first: bool) -> date | None:
    """The first date in a text. A slashed one is read by `day_first` where both readings exist."""
    found = _ISO.search(text)
    if found:
        return _date(*(int(part) for part in found.groups()))
    found = _WRITTEN.search(text)
    if found:
        month, first, year, before, other, late = found.groups()
        if month:
            return _date(int(year), MONTHS[month[:3].lower()], int(first))
        return _date(int(late), MONTHS[other[:3].lower()], int(before))
    found = _SLASHED.search(text)
    if found:
        one, two, year_ = (int(part) for part in found.groups())
        year_ += 2000 if year_ < 100 else 0
        dd, mm = (one, two) if day_first else (two, one)
        if mm > 12 >= dd:
            dd, mm = mm, dd
        return _date(year_, mm, dd)
    return None


def slashed(text: str) -> bool:
    """Whether a text has a date in figures that does not start with the year."""
    return _SLASHED.search(text) is not None


def _date(year: int, month: int, first: int) -> date | None:
    try:
        return date(year, month, first)
    except ValueError:
        return None


@dataclass(frozen=True)
class Span:
    """Days from `start` to `end`, both included."""

    start: date
    end: date

    def __contains__(self, when: date) -> bool:
        return self.start <= when <= self.end


_YEAR = re.compile(r"\b((?:19|20)\d\d)\b")
_MONTH_YEAR = re.compile(rf"\b{_MONTH}(?:,? (?:of )?((?:19|20)\d\d))?", re.IGNORECASE)


NUMBER_WORDS = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
}  # fmt: skip


def span_in(text: str) -> Span | None:
    """The time span a text names: two dates, a date, months, years; `since` and `before` open it at one side."""
    days = [_day_of(found.group(0)) for found in re.finditer(f"{_ISO.pattern}|{_WRITTEN.pattern}", text, re.IGNORECASE)]
    known = [one for one in days if one is not None]
    lower = text.lower()
    if len(known) >= 2:
        return Span(min(known), max(known))
    if len(known) == 1:
        return _opened(Span(known[0], known[0]), lower)
    years = [int(year) for year in _YEAR.findall(text)]
    months = [
        (MONTHS[name[:3].lower()], int(year) if year else None)
        for name, year in _MONTH_YEAR.findall(text)
        if name[0].isupper()
    ]
    if months and years:
        parts = [_month(year or years[-1], month) for month, year in months]
        return _opened(Span(min(part.start for part in parts), max(part.end for part in parts)), lower)
    if years:
        return _opened(Span(date(min(years), 1, 1), date(max(years), 12, 31)), lower)
    return None


def _day_of(text: str) -> date | None:
    return day(text, day_first=False)


def _month(year: int, month: int) -> Span:
    after = date(year + month // 12, month % 12 + 1, 1)
    return Span(date(year, month, 1), after - timedelta(days=1))


def _opened(span: Span, lower: str) -> Span:
    if re.search(r"\b(?:since|from)\b(?!.*\b(?:to|until|through|till)\b)|\bor (?:after|later)\b", lower):
        return Span(span.start, date(9999, 12, 31))
    if re.search(r"\b(?:on or|or) (?:before|earlier)\b", lower):
        return Span(date(1, 1, 1), span.end)
    if re.search(r"\bafter\b", lower):
        return Span(span.end + timedelta(days=1), date(9999, 12, 31))
    if re.search(r"\b(?:before|prior to)\b", lower):
        return Span(date(1, 1, 1), span.start - timedelta(days=1) if span.start > date(1, 1, 1) else span.start)
    if re.search(r"\b(?:until|through|up to)\b", lower):
        return Span(date(1, 1, 1), span.end)
    return span
