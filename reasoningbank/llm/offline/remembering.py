"""The titles of recalled lessons that an agent keeps in mind: its first thought names them for whoever distils it."""

from __future__ import annotations

import json
from collections.abc import Sequence

_SAYS = "From memory I keep in mind: "


def kept_in_mind(titles: Sequence[str]) -> str:
    """What the thought says; empty without any."""
    return f"{_SAYS}{json.dumps(titles, ensure_ascii=False)}." if titles else ""


def in_mind(thought: str) -> list[str]:
    """The titles that a thought names; none where what stands there cannot be read."""
    _, said, rest = thought.partition(_SAYS)
    try:
        return [str(title) for title in json.JSONDecoder().raw_decode(rest)[0]] if said else []
    except (ValueError, TypeError):
        return []
