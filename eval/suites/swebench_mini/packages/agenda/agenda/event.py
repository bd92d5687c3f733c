"""One event, which may come again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from agenda.compat import formerly
from agenda.errors import EventError
from agenda.rules import parse_rule


@dataclass(frozen=True)
class Event:
    """Something that begins at a time and takes so many minutes; without a `rule` it does not come again."""

    title: str
    start: datetime
    minutes: int
    rule: str = ""

    def __post_init__(self) -> None:
        if self.minutes < 1:
            raise EventError(f"{self.title!r} takes {self.minutes} minutes")
        if self.rule:
            parse_rule(self.rule)

    @property
    def end(self) -> datetime:
        """When it is over."""
        return self.start + timedelta(minutes=self.minutes)

    def overlaps(self, start: datetime, end: datetime) -> bool:
        """Whether it goes on at some time between the two."""
        return self.start < end and start < self.end

    def moved(self, by: timedelta) -> Event:
        """The same event at another time; its rule goes with it."""
        return replace(self, start=self.start + by)

    shift = formerly("shift", moved)

    def occurrences(self, start: datetime, end: datetime) -> Iterator[Event]:
        """The single events, without a rule, that go on at some time between the two, in order."""
        if not self.rule:
            if self.overlaps(start, end):
                yield self
            return
        for day in parse_rule(self.rule).dates(self.start.date()):
            single = replace(self, start=datetime.combine(day, self.start.time()), rule="")
            if single.start >= end:
                return
            if single.overlaps(start, end):
                yield single
