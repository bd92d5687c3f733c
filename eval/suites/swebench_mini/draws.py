"""Draws that depend on what they are drawn for and on nothing else, such as the order in which they are made."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from typing import TypeVar

Drawn = TypeVar("Drawn")


def draw(*about: str | int) -> int:
    """A number from 0 up to 2**64."""
    return int.from_bytes(hashlib.sha256(json.dumps(about).encode()).digest()[:8])


def shuffled(things: Iterable[Drawn], *about: str | int) -> list[Drawn]:
    """In an order that is drawn by their places."""
    listed = list(things)
    places = sorted(range(len(listed)), key=lambda place: draw(*about, place))
    return [listed[place] for place in places]


def chosen(things: Iterable[Drawn], *about: str | int) -> Drawn:
    """One of them."""
    listed = list(things)
    return listed[draw(*about) % len(listed)]
