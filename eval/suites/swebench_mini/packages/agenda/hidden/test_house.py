"""What every change of this library has to keep."""

import importlib.util
from datetime import date, datetime, timedelta
from pathlib import Path
from types import ModuleType

import agenda
import pytest
from agenda import Agenda, Event, _holidays

ROOT = Path(agenda.__file__).resolve().parent.parent


def at(day: int, hour: int, minute: int = 0) -> datetime:
    return datetime(2024, 5, day, hour, minute)


def tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location("agenda_make_holidays", ROOT / "tools/make_holidays.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_table_is_that_of_the_holidays() -> None:
    text = (ROOT / "agenda/holidays.txt").read_text(encoding="utf-8")
    assert tool().fixed(text) == _holidays.FIXED
    assert tool().moving(text) == _holidays.MOVING


def test_looking_for_room_leaves_the_events_as_they_are() -> None:
    events = [Event("late", at(6, 15), 30), Event("early", at(6, 10), 30), Event("over", at(5, 10), 30)]
    before = list(events)
    agenda.free_slots(events, at(6, 9), at(6, 17), 15)
    agenda.conflicts(events)
    assert events == before


def test_postponing_leaves_the_events_as_they_are() -> None:
    events = [Event("late", at(6, 15), 30), Event("early", at(6, 10), 30)]
    before = list(events)
    agenda.postponed(events, timedelta(hours=1), since=at(6, 12))
    assert events == before


def test_the_former_name_of_without_works_and_warns() -> None:
    with pytest.warns(DeprecationWarning, match="without"):
        assert len(Agenda([Event("lunch", at(7, 12), 30)]).drop("lunch")) == 0


def test_the_former_name_of_next_workday_works_and_warns() -> None:
    with pytest.warns(DeprecationWarning, match="next_workday"):
        assert agenda.following_workday(date(2024, 5, 3)) == date(2024, 5, 6)
    assert "following_workday" in agenda.__all__


def test_the_former_name_of_moved_works_and_warns() -> None:
    with pytest.warns(DeprecationWarning, match="moved"):
        assert Event("lunch", at(7, 12), 30).shift(timedelta(hours=1)).start == at(7, 13)
