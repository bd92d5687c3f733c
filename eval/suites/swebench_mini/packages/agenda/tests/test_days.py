"""Holidays and workdays."""

from datetime import date

import pytest
from agenda import add_workdays, easter, holiday, is_workday


@pytest.mark.parametrize("day", [date(2000, 4, 23), date(2008, 3, 23), date(2011, 4, 24), date(2024, 3, 31)], ids=str)
def test_easter(day: date) -> None:
    assert easter(day.year) == day


def test_holidays() -> None:
    assert holiday(date(2024, 12, 25)) == "Christmas Day"
    assert holiday(date(2024, 3, 29)) == "Good Friday"
    assert holiday(date(2024, 3, 28)) is None


def test_workdays() -> None:
    assert is_workday(date(2024, 5, 2))
    assert not is_workday(date(2024, 5, 1))
    assert not is_workday(date(2024, 5, 4))
    assert add_workdays(date(2024, 4, 30), 2) == date(2024, 5, 3)
    assert add_workdays(date(2024, 5, 6), -1) == date(2024, 5, 3)
