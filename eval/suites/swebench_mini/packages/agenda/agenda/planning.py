"""Plans: which events are in each other's way, and where there is room. All functions give new lists."""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from agenda.event import Event


def in_order(events: Iterable[Event]) -> list[Event]:
    """By their start, and those that start together by their title."""
    return sorted(events, key=lambda event: (event.start, event.title))


def conflicts(events: Iterable[Event]) -> list[tuple[Event, Event]]:
    """The pairs of single events that overlap, each with the earlier one first."""
    found = []
    ordered = in_order(events)
    for place, one in enumerate(ordered):
        for other in ordered[place + 1 :]:
            if other.start >= one.end:
                break
            found.append((one, other))
    return found


def free_slots(
    events: Sequence[Event], start: datetime, end: datetime, minutes: int = 1
) -> list[tuple[datetime, datetime]]:
    """The times between two times in which nothing goes on, if they are at least so long."""
    slots = []
    position = start
    for event in in_order(events):
        if event.start > position:
            slots.append((position, min(event.start, end)))
        position = max(position, event.end)
        if position >= end:
            break
    slots.append((position, end))
    return [(left, right) for left, right in slots if right - left >= timedelta(minutes=minutes)]


def postponed(events: Sequence[Event], by: timedelta, *, since: datetime) -> list[Event]:
    """All events, in order, with those that start at a time or later moved."""
    return in_order(event.moved(by) if event.start >= since else event for event in events)
