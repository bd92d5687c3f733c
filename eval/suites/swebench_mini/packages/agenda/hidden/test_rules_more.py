"""Rules, wider than the visible tests."""

from datetime import date
from itertools import islice

import pytest
from agenda import Rule, RuleError, parse_rule


def dates(text: str, start: str, number: int = 5) -> list[str]:
    found = parse_rule(text).dates(date.fromisoformat(start))
    return [day.isoformat()[5:] for day in islice(found, number)]


def test_texts() -> None:
    assert parse_rule("every day") == Rule("day")
    assert parse_rule(" Every 2 Weeks on Mon,Thu ") == Rule("week", 2, (0, 3))
    assert parse_rule("every week on friday, monday, fri") == Rule("week", 1, (0, 4))
    assert parse_rule("every 3 months 4 times") == Rule("month", 3, times=4)
    assert parse_rule("every year until 2030-01-01") == Rule("year", until=date(2030, 1, 1))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "every",
        "every -1 days",
        "every week on",
        "every month on mon",
        "every day 0 times",
        "every day until 2024-13-01",
    ],
    ids=["empty", "every", "negative", "on", "month", "never", "date"],
)
def test_what_is_no_rule(text: str) -> None:
    with pytest.raises(RuleError) as caught:
        parse_rule(text)
    assert repr(text) in str(caught.value)


def test_days() -> None:
    assert dates("every 3 days", "2024-02-27", 3) == ["02-27", "03-01", "03-04"]
    assert dates("every day until 2024-05-07", "2024-05-06") == ["05-06", "05-07"]
    assert dates("every day until 2024-05-01", "2024-05-06") == []
    assert dates("every day 2 times until 2024-06-01", "2024-05-06") == ["05-06", "05-07"]


def test_weeks() -> None:
    assert dates("every week", "2024-05-08", 3) == ["05-08", "05-15", "05-22"]
    assert dates("every 3 weeks 2 times", "2024-05-08") == ["05-08", "05-29"]


def test_weeks_with_days_that_begin_in_the_middle() -> None:
    assert dates("every week on mon, thu", "2024-05-09", 4) == ["05-09", "05-13", "05-16", "05-20"]
    assert dates("every 2 weeks on mon, thu", "2024-05-09", 4) == ["05-09", "05-20", "05-23", "06-03"]
    assert dates("every 2 weeks on mon, thu", "2024-05-10", 3) == ["05-20", "05-23", "06-03"]
    assert dates("every 2 weeks on sun", "2024-05-06", 2) == ["05-12", "05-26"]


def test_weeks_with_days_that_end() -> None:
    assert dates("every week on tue 2 times", "2024-05-09") == ["05-14", "05-21"]
    assert dates("every week on mon, fri 3 times", "2024-05-10") == ["05-10", "05-13", "05-17"]
    assert dates("every week on mon until 2024-05-13", "2024-05-09") == ["05-13"]


def test_months() -> None:
    assert dates("every month", "2024-01-31", 4) == ["01-31", "03-31", "05-31", "07-31"]
    assert dates("every month", "2023-11-30", 4) == ["11-30", "12-30", "01-30", "03-30"]
    assert dates("every 2 months 3 times", "2024-12-01") == ["12-01", "02-01", "04-01"]


def test_years() -> None:
    found = parse_rule("every year").dates(date(2024, 2, 29))
    assert [day.year for day in islice(found, 3)] == [2024, 2028, 2032]
    assert dates("every 5 years 2 times", "2020-07-01") == ["07-01", "07-01"]
