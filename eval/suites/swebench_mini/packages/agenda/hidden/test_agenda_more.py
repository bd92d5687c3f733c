"""Events and plans, wider than the visible tests."""

from datetime import date, datetime, timedelta

import agenda
import pytest
from agenda import Agenda, AgendaError, Event, conflicts, free_slots


def at(day: int, hour: int, minute: int = 0) -> datetime:
    return datetime(2024, 5, day, hour, minute)


def titles(events: list[Event]) -> list[str]:
    return [event.title for event in events]


NIGHT = Event("night shift", at(6, 22), 480)


def test_an_event_over_midnight_is_on_both_days() -> None:
    shifts = Agenda([NIGHT])
    assert titles(shifts.on(date(2024, 5, 6))) == ["night shift"]
    assert titles(shifts.on(date(2024, 5, 7))) == ["night shift"]
    assert shifts.on(date(2024, 5, 8)) == []
    assert shifts.free(date(2024, 5, 7), 60, opens=4, closes=8) == [(at(7, 6), at(7, 8))]


def test_an_event_over_midnight_that_comes_again() -> None:
    shifts = Agenda([Event("night shift", at(6, 22), 480, "every 2 days")])
    assert [event.start for event in shifts.on(date(2024, 5, 7))] == [at(6, 22)]
    assert [event.start for event in shifts.on(date(2024, 5, 8))] == [at(8, 22)]
    assert len(shifts.conflicts(date(2024, 5, 1), date(2024, 5, 31))) == 0
    week = shifts.between(at(7, 3), at(10, 22))
    assert [event.start.day for event in week] == [6, 8]


def test_an_event_that_ends_at_midnight() -> None:
    party = Event("party", at(6, 20), 240)
    assert Agenda([party]).on(date(2024, 5, 7)) == []
    assert titles(Agenda([party]).on(date(2024, 5, 6))) == ["party"]
    assert Agenda([party]).between(at(7, 0), at(7, 0)) == []


def test_an_event_of_several_days() -> None:
    fair = Event("fair", at(6, 8), 3 * 24 * 60)
    assert [day for day in range(1, 15) if Agenda([fair]).on(date(2024, 5, day))] == [6, 7, 8, 9]


def test_single_events_have_no_rule() -> None:
    single = Agenda([Event("daily", at(6, 9), 5, "every day")]).on(date(2024, 5, 9))
    assert single == [Event("daily", at(9, 9), 5)]


def test_order() -> None:
    events = [Event("b", at(6, 9), 5), Event("c", at(6, 8), 5), Event("a", at(6, 9), 50)]
    assert titles(list(Agenda(events).events)) == ["c", "a", "b"]


def test_adding_and_without() -> None:
    empty = Agenda()
    full = empty.adding(NIGHT, Event("lunch", at(6, 12), 30), Event("lunch", at(7, 12), 30))
    assert (len(empty), len(full)) == (0, 3)
    assert titles(list(full.without("lunch").events)) == ["night shift"]
    assert len(full) == 3
    with pytest.raises(AgendaError, match="'brunch'"):
        full.without("brunch")


def test_conflicts() -> None:
    a, b, c = Event("a", at(6, 9), 180), Event("b", at(6, 10), 30), Event("c", at(6, 11), 60)
    assert conflicts([c, b, a]) == [(a, b), (a, c)]
    assert conflicts([b, Event("next", at(6, 10, 30), 30)]) == []
    assert conflicts([]) == []
    assert len(conflicts([b, b])) == 1
    assert len(Agenda([a, b]).conflicts(date(2024, 5, 6), date(2024, 5, 6))) == 1
    assert Agenda([a, b]).conflicts(date(2024, 5, 7), date(2024, 5, 8)) == []


def test_room_around_long_events() -> None:
    events = [Event("short", at(6, 10), 15), Event("long", at(6, 9, 30), 180), Event("last", at(6, 16), 30)]
    assert free_slots(events, at(6, 9), at(6, 17), 15) == [
        (at(6, 9), at(6, 9, 30)),
        (at(6, 12, 30), at(6, 16)),
        (at(6, 16, 30), at(6, 17)),
    ]


def test_room_at_the_borders() -> None:
    assert free_slots([], at(6, 9), at(6, 17)) == [(at(6, 9), at(6, 17))]
    assert free_slots([Event("all", at(6, 8), 600)], at(6, 9), at(6, 17)) == []
    early = Event("early", at(6, 8), 90)
    late = Event("late", at(6, 16), 180)
    assert free_slots([late, early], at(6, 9), at(6, 17)) == [(at(6, 9, 30), at(6, 16))]
    assert free_slots([Event("other day", at(7, 9), 60)], at(6, 9), at(6, 17)) == [(at(6, 9), at(6, 17))]
    assert free_slots([Event("before", at(5, 9), 60)], at(6, 9), at(6, 17)) == [(at(6, 9), at(6, 17))]


def test_room_that_is_too_short() -> None:
    events = [Event("a", at(6, 9), 60), Event("b", at(6, 10, 20), 60)]
    assert free_slots(events, at(6, 9), at(6, 12), 20) == [(at(6, 10), at(6, 10, 20)), (at(6, 11, 20), at(6, 12))]
    assert free_slots(events, at(6, 9), at(6, 12), 21) == [(at(6, 11, 20), at(6, 12))]


def test_postponed() -> None:
    a, b, c = Event("a", at(6, 9), 60), Event("b", at(6, 10), 60), Event("c", at(6, 11), 60, "every day")
    later = agenda.postponed([c, a, b], timedelta(hours=3), since=at(6, 10))
    assert [(event.title, event.start.hour) for event in later] == [("a", 9), ("b", 13), ("c", 14)]
    assert later[2].rule == "every day"
    assert agenda.postponed([a, b], timedelta(hours=-2), since=at(6, 10)) == [b.moved(timedelta(hours=-2)), a]
    assert agenda.postponed([], timedelta(hours=1), since=at(6, 10)) == []
    assert "postponed" in agenda.__all__
