"""Events, rules and plans."""

from datetime import date, datetime, timedelta

import pytest
from agenda import Agenda, Event, EventError, RuleError, conflicts, free_slots, parse_rule


def at(day: int, hour: int, minute: int = 0) -> datetime:
    return datetime(2024, 5, day, hour, minute)


STANDUP = Event("standup", at(6, 9), 15, "every week on mon, wed")
DENTIST = Event("dentist", at(8, 9, 10), 30)


def days(text: str, start: date, number: int) -> list[int]:
    found = parse_rule(text).dates(start)
    return [next(found).day for _ in range(number)]


def test_rules() -> None:
    assert days("every day", date(2024, 5, 6), 3) == [6, 7, 8]
    assert days("every 2 weeks", date(2024, 5, 6), 2) == [6, 20]
    assert days("every week on mon, wed", date(2024, 5, 6), 3) == [6, 8, 13]
    assert days("every month", date(2024, 5, 6), 2) == [6, 6]
    assert len(list(parse_rule("every day 3 times").dates(date(2024, 5, 6)))) == 3
    for text in ("daily", "every day on mon", "every week on xyz", "every 0 days"):
        with pytest.raises(RuleError, match=text):
            parse_rule(text)


def test_events() -> None:
    assert DENTIST.end == at(8, 9, 40)
    assert DENTIST.moved(timedelta(hours=1)).start == at(8, 10, 10)
    with pytest.warns(DeprecationWarning, match="moved"):
        DENTIST.shift(timedelta(hours=1))
    with pytest.raises(EventError, match="nothing"):
        Event("nothing", at(1, 9), 0)


def test_a_day() -> None:
    agenda = Agenda([DENTIST, STANDUP])
    assert [event.title for event in agenda.on(date(2024, 5, 8))] == ["standup", "dentist"]
    assert agenda.on(date(2024, 5, 7)) == []
    assert len(agenda.adding(Event("lunch", at(7, 12), 30)).on(date(2024, 5, 7))) == 1
    assert len(agenda) == 2


def test_conflicts() -> None:
    assert conflicts([DENTIST, STANDUP]) == []
    agenda = Agenda([DENTIST, STANDUP])
    assert [[each.title for each in pair] for pair in agenda.conflicts(date(2024, 5, 6), date(2024, 5, 10))] == [
        ["standup", "dentist"]
    ]


def test_free_slots() -> None:
    slots = free_slots([DENTIST], at(8, 9), at(8, 11), 15)
    assert slots == [(at(8, 9, 40), at(8, 11))]
