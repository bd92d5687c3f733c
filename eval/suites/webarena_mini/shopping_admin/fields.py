"""Amounts as they are typed into the back office."""

from __future__ import annotations

import re

MOST_CENTS = 10**9


def cents(text: str) -> int | None:
    """An amount in dollars, such as `12`, `12.5` or `$1,200.00`; None for anything else."""
    match = re.fullmatch(r"\$?([0-9]{1,3}(?:,[0-9]{3})+|[0-9]{1,7})(?:\.([0-9]{1,2}))?", text.strip(), re.ASCII)
    if match is None:
        return None
    found = int(match[1].replace(",", "")) * 100 + int((match[2] or "").ljust(2, "0"))
    return found if found < MOST_CENTS else None
