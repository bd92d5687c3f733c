"""Nearest names, for errors about a name that does not exist."""

from __future__ import annotations

import re
from collections.abc import Iterable

from reasoningbank.names import close_names, nearest

__all__ = ["close_names", "ending", "known_ids", "nearest"]

MOST_RANGES = 6
"""Ranges that are told one by one."""
FEW = 3
"""Ids that are told one by one."""


def known_ids(name: str, ids: Iterable[str]) -> str:
    """What to write in the place of an id that is not there: one that is spelt alike, or, of numbers, their ranges."""
    known = sorted(set(ids))
    numbers = [each for each in known if each.isdecimal()]
    if len(numbers) == len(known) > 0:
        return f"there are {ranges(sorted(map(int, numbers)))}"
    all_there = f"there {'is' if len(known) == 1 else 'are'} {', '.join(known)}"
    few = all_there if len(known) <= FEW else f"there are {len(known)}, such as {', '.join(known[:FEW])}"
    return nearest(name, known, few)


def ending(name: str, ids: Iterable[str]) -> list[str]:
    """The ids that end with `name` as a part of theirs: `agenda-104` and `104` are ends of `mini__agenda-104`."""
    whole = re.compile(rf"(?:.*[^0-9A-Za-z])?{re.escape(name)}", re.DOTALL)
    return sorted({each for each in ids if whole.fullmatch(each)})


def ranges(numbers: list[int]) -> str:
    """`0 to 4, 7 and 1000 to 1004`, of ascending numbers; of many ranges how many numbers, and from where to where."""
    starts = [each for place, each in enumerate(numbers) if not place or each != numbers[place - 1] + 1]
    ends = [each for place, each in enumerate(numbers) if place + 1 == len(numbers) or numbers[place + 1] != each + 1]
    if len(starts) > MOST_RANGES:
        return f"{len(numbers)} between {numbers[0]} and {numbers[-1]}"
    told = [str(start) if start == end else f"{start} to {end}" for start, end in zip(starts, ends, strict=True)]
    return " and ".join([", ".join(told[:-1]), told[-1]] if len(told) > 1 else told)
