"""An agenda: events, and questions about days."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime, time, timedelta

from agenda.compat import formerly
from agenda.errors import AgendaError
from agenda.event import Event
from agenda.planning import conflicts, free_slots, in_order


def midnight(day: date) -> datetime:
    """The beginning of a day."""
    return datetime.combine(day, time())


class Agenda:
    """Events in the order of their first start. An agenda does not change; its methods give new ones."""

    def __init__(self, events: Iterable[Event] = ()) -> None:
        self.events = tuple(in_order(events))

    def __len__(self) -> int:
        return len(self.events)

    def adding(self, *events: Event) -> Agenda:
        """With more events."""
        return Agenda([*self.events, *events])

    def without(self, title: str) -> Agenda:
        """Without the events of a title. AgendaError where there is none."""
        left = [event for event in self.events if event.title != title]
        if len(left) == len(self.events):
            raise AgendaError(f"there is no event {title!r}")
        return Agenda(left)

    drop = formerly("drop", without)

    def between(self, start: datetime, end: datetime) -> list[Event]:
        """The single events that go on at some time between the two, in order."""
        return in_order(single for event in self.events for single in event.occurrences(start, end))

    def on(self, day: date) -> list[Event]:
        """The single events of a day, those too that began before it."""
        return self.between(midnight(day), midnight(day + timedelta(days=1)))

    def conflicts(self, first: date, last: date) -> list[tuple[Event, Event]]:
        """The pairs that overlap, of the events from one day to another."""
        return conflicts(self.between(midnight(first), midnight(last + timedelta(days=1))))

    def free(self, day: date, minutes: int, *, opens: int = 9, closes: int = 17) -> list[tuple[datetime, datetime]]:
        """The times of a day, between two hours of it, in which nothing goes on for at least so long."""
        begin = midnight(day) + timedelta(hours=opens)
        return free_slots(self.on(day), begin, midnight(day) + timedelta(hours=closes), minutes)
