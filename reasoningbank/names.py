"""Nearest names, for errors about a name that does not exist."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def close_names(name: str, names: Iterable[str]) -> list[str]:
    """Up to three that are spelt alike, else that hold `name`."""
    known = sorted(set(names))
    close = difflib.get_close_matches(name, known, n=3, cutoff=0.6)
    return close or [each for each in known if len(name) > 2 and name.lower() in each.lower()][:3]


def nearest(name: str, names: Iterable[str], otherwise: str = "") -> str:
    """`did you mean a or b?` for close names, else `otherwise`, else `there are: a, b, c`."""
    known = sorted(set(names))
    if close := close_names(name, known):
        return f"did you mean {' or '.join(close)}?"
    if otherwise:
        return otherwise
    return f"there are: {', '.join(known)}" if known else "there are none"
