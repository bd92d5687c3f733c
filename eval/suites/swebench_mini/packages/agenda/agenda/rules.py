"""Rules for what comes again: `every 2 weeks on mon, thu until 2024-12-31`."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from agenda.errors import RuleError

WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
TEXT = re.compile(
    r"every (?:(?P<number>\d+) )?(?P<unit>day|week|month|year)s?(?: on (?P<days>[a-z]+(?:, ?[a-z]+)*))?"
    r"(?: (?P<times>\d+) times)?(?: until (?P<until>\d{4}-\d\d-\d\d))?"
)


@dataclass(frozen=True)
class Rule:
    """Every so many days, weeks, months or years; `weekdays` are numbers from 0 for Monday, for weeks only."""

    unit: str
    interval: int = 1
    weekdays: tuple[int, ...] = ()
    times: int | None = None
    until: date | None = None

    def dates(self, start: date) -> Iterator[date]:
        """The days from a first one on, which is among them unless its weekday is not one of the rule's."""
        for number, day in enumerate(self._candidates(start)):
            if (self.times is not None and number >= self.times) or (self.until is not None and day > self.until):
                return
            yield day

    def _candidates(self, start: date) -> Iterator[date]:
        if self.unit in ("month", "year"):
            yield from self._same_days(start)
        elif self.unit == "week" and self.weekdays:
            monday = start - timedelta(days=start.weekday())
            while True:
                days = (monday + timedelta(days=weekday) for weekday in sorted(self.weekdays))
                yield from (day for day in days if day >= start)
                monday += timedelta(weeks=self.interval)
        else:
            step = timedelta(days=self.interval * (7 if self.unit == "week" else 1))
            while True:
                yield start
                start += step

    def _same_days(self, start: date) -> Iterator[date]:
        """The same day of later months; months without that day are left out."""
        month = start.year * 12 + start.month - 1
        while month // 12 <= date.max.year:
            if start.day <= monthrange(month // 12, month % 12 + 1)[1]:
                yield date(month // 12, month % 12 + 1, start.day)
            month += self.interval * (12 if self.unit == "year" else 1)


def parse_rule(text: str) -> Rule:
    """The rule of a text. RuleError where it is none."""
    match = TEXT.fullmatch(text.strip().lower())
    if match is None:
        raise RuleError(text, "one looks like 'every 2 weeks on mon, thu until 2024-12-31'")
    names = re.split(", ?", match["days"]) if match["days"] else []
    unknown = [name for name in names if name[:3] not in WEEKDAYS]
    if unknown:
        raise RuleError(text, f"{unknown[0]!r} is no day of the week")
    if names and match["unit"] != "week":
        raise RuleError(text, "only weeks have days")
    interval = int(match["number"] or 1)
    if interval < 1 or match["times"] == "0":
        raise RuleError(text, "it never happens")
    try:
        until = date.fromisoformat(match["until"]) if match["until"] else None
    except ValueError:
        raise RuleError(text, f"{match['until']} is no day") from None
    days = tuple(sorted({WEEKDAYS.index(name[:3]) for name in names}))
    return Rule(match["unit"], interval, days, int(match["times"]) if match["times"] else None, until)
