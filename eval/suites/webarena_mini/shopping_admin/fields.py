"""Dates and amounts as they are typed into the back office."""

from __future__ import annotations

import datetime
import re

MOST_CENTS = 10**9


def month_first_date(text: str) -> str | None:
    """ISO text of a date typed with the month first; None if it is no date."""
    match = re.fullmatch(r"([0-9]{1,2})/([0-9]{1,2})/([0-9]{4})", text.strip(), re.ASCII)
    if match is None:
        return None
    month, day, year = (int(part) for part in match.groups())
    try:
        return datetime.date(year, month, day).isoformat()
    except ValueError:
        return None


def cents(text: str) -> int | None:
    """An amount in dollars, such as `12`, `12.5` or `$1,200.00`; None for anything else."""
    match = re.fullmatch(r"\$?([0-9]{1,3}(?:,[0-9]{3})+|[0-9]{1,7})(?:\.([0-9]{1,2}))?", text.strip(), re.ASCII)
    if match is None:
        return None
    found = int(match[1].replace(",", "")) * 100 + int((match[2] or "").ljust(2, "0"))
    return found if found < MOST_CENTS else None
