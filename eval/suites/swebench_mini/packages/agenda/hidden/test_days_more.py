"""Days, wider than the visible tests."""

from datetime import date

import agenda
from agenda import add_workdays, easter, holiday, is_workday


def test_holidays_with_a_day_of_their_own() -> None:
    for year in (2023, 2024):
        assert holiday(date(year, 1, 1)) == "New Year"
        assert holiday(date(year, 5, 1)) == "Labour Day"
        assert holiday(date(year, 5, 8)) == "Victory Day"
        assert holiday(date(year, 8, 15)) == "Assumption"
        assert holiday(date(year, 12, 26)) == "Saint Stephen"


def test_easter_in_other_centuries() -> None:
    for day in (
        (1818, 3, 22),
        (1886, 4, 25),
        (1954, 4, 18),
        (1981, 4, 19),
        (2019, 4, 21),
        (2038, 4, 25),
        (2100, 3, 28),
    ):
        assert easter(day[0]) == date(*day)


def test_all_saints() -> None:
    assert holiday(date(2023, 11, 1)) == "All Saints"
    assert not is_workday(date(2024, 11, 1))
    assert add_workdays(date(2024, 10, 31), 1) == date(2024, 11, 4)


def test_holidays_around_easter() -> None:
    assert holiday(date(2023, 4, 7)) == "Good Friday"
    assert holiday(date(2023, 4, 10)) == "Easter Monday"
    assert holiday(date(2023, 5, 18)) == "Ascension"
    assert holiday(date(2024, 5, 9)) == "Ascension"
    assert holiday(date(2024, 3, 31)) is None


def test_whit_monday() -> None:
    assert holiday(date(2023, 5, 29)) == "Whit Monday"
    assert holiday(date(2024, 5, 20)) == "Whit Monday"
    assert holiday(date(2024, 5, 19)) is None
    assert is_workday(date(2024, 5, 21))


def test_next_workday() -> None:
    assert agenda.next_workday(date(2024, 5, 2)) == date(2024, 5, 3)
    assert agenda.next_workday(date(2024, 5, 3)) == date(2024, 5, 6)
    assert agenda.next_workday(date(2024, 3, 28)) == date(2024, 4, 2)
    assert agenda.next_workday(date(2024, 12, 24)) == date(2024, 12, 27)
    assert "next_workday" in agenda.__all__


def test_add_workdays() -> None:
    assert add_workdays(date(2024, 5, 4), 0) == date(2024, 5, 4)
    assert add_workdays(date(2024, 5, 4), 1) == date(2024, 5, 6)
    assert add_workdays(date(2024, 5, 4), -1) == date(2024, 5, 3)
    assert add_workdays(date(2024, 4, 2), -1) == date(2024, 3, 28)
    assert add_workdays(date(2024, 4, 26), 5) == date(2024, 5, 6)
    assert add_workdays(date(2023, 12, 29), 1) == date(2024, 1, 2)
