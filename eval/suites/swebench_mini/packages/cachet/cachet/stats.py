"""What happened in a cache."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields


@dataclass(frozen=True)
class Stats:
    """Numbers of look-ups that found something or did not, and of entries that had to go, by the reason."""

    hits: int = 0
    misses: int = 0
    evictions: int = 0
    expirations: int = 0

    @property
    def ratio(self) -> float:
        """The share of look-ups that found something; 0 without any."""
        looked = self.hits + self.misses
        return self.hits / looked if looked else 0.0

    @classmethod
    def merged(cls, parts: Iterable[Stats]) -> Stats:
        """The figures of several caches together."""
        found = list(parts)
        return cls(*(sum(getattr(each, field.name) for each in found) for field in fields(cls)))
