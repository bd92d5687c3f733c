"""Days: Easter, holidays and workdays."""

from datetime import date, timedelta

from agenda._holidays import FIXED, MOVING
from agenda.compat import formerly

DAY = timedelta(days=1)


def easter(year: int) -> date:
    """Easter Sunday, by the anonymous Gregorian algorithm."""
    a, b, c = year % 19, year // 100, year % 100
    d = (19 * a + b - b // 4 - (b - (b + 8) // 25 + 1) // 3 + 15) % 30
    e = (32 + 2 * (b % 4) + 2 * (c // 4) - d - c % 4) % 7
    f = d + e - 7 * ((a + 11 * d + 22 * e) // 451) + 114
    return date(year, f // 31, f % 31 + 1)


def holiday(day: date) -> str | None:
    """The name of a holiday; None on other days."""
    return FIXED.get((day.month, day.day)) or MOVING.get((day - easter(day.year)).days)


def is_workday(day: date) -> bool:
    """Monday to Friday, but for holidays."""
    return day.weekday() < 5 and holiday(day) is None


def next_workday(day: date) -> date:
    """The first workday after a day."""
    day += DAY
    while not is_workday(day):
        day += DAY
    return day


following_workday = formerly("following_workday", next_workday)


def add_workdays(day: date, number: int) -> date:
    """The workday so many workdays after a day, or before it for a negative number; 0 gives the day itself."""
    step = DAY if number > 0 else -DAY
    for _ in range(abs(number)):
        day += step
        while not is_workday(day):
            day += step
    return day
