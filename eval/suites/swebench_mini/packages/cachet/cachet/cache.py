"""The cache itself."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from cachet.compat import old_name
from cachet.errors import MissingKeyError, SettingError
from cachet.policies import POLICIES, Policy
from cachet.stats import Stats


@dataclass(frozen=True)
class Entry:
    """A value, and when it expires: a time of the cache's clock, or None."""

    value: Any
    expires: float | None


class Cache:
    """At most `capacity` values by their keys, each for at most `ttl` seconds.

    `on_drop(key, value)` is called for what is evicted or has expired, and not for what is discarded.
    """

    def __init__(
        self,
        capacity: int,
        *,
        policy: str | Policy = "lru",
        ttl: float | None = None,
        clock: Callable[[], float] = time.monotonic,
        on_drop: Callable[[Hashable, Any], None] | None = None,
    ) -> None:
        if capacity < 1:
            raise SettingError("capacity", capacity, "a whole number from 1")
        if isinstance(policy, str) and policy not in POLICIES:
            raise SettingError("policy", policy, f"one of {', '.join(POLICIES)}")
        self.capacity = capacity
        self.policy = POLICIES[policy]() if isinstance(policy, str) else policy
        self.ttl = positive(ttl)
        self.clock = clock
        self.on_drop = on_drop
        self.stats = Stats()
        self._entries: dict[Hashable, Entry] = {}

    def __len__(self) -> int:
        """How many values are there that have not expired."""
        return sum(1 for _ in self)

    def __iter__(self) -> Iterator[Hashable]:
        """The keys of what has not expired, the first to go first."""
        return (key for key in self.policy.order() if not self._expired(key))

    def __contains__(self, key: Hashable) -> bool:
        """Whether `get` would find it. Asking is no use and no look-up."""
        return key in self._entries and not self._expired(key)

    def _expired(self, key: Hashable) -> bool:
        expires = self._entries[key].expires
        return expires is not None and self.clock() >= expires

    def _count(self, **more: int) -> None:
        self.stats = replace(self.stats, **{name: getattr(self.stats, name) + number for name, number in more.items()})

    def _drop(self, key: Hashable, reason: str) -> None:
        entry = self._entries.pop(key)
        self.policy.dropped(key)
        self._count(**{reason: 1})
        if self.on_drop is not None:
            self.on_drop(key, entry.value)

    def store(self, key: Hashable, value: Any, *, ttl: float | None = None) -> None:
        """Keeps a value, in the place of an older one of this key. `ttl` is for this value alone."""
        lifetime = self.ttl if ttl is None else positive(ttl)
        if key not in self._entries and len(self._entries) >= self.capacity:
            self.purge()
            if len(self._entries) >= self.capacity:
                self._drop(self.policy.victim(self._entries.keys()), "evictions")
        self._entries[key] = Entry(value, None if lifetime is None else self.clock() + lifetime)
        self.policy.stored(key)

    def get(self, key: Hashable, default: Any = None) -> Any:
        """The value of a key, or the default."""
        if key in self._entries and self._expired(key):
            self._drop(key, "expirations")
        if key not in self._entries:
            self._count(misses=1)
            return default
        self._count(hits=1)
        self.policy.used(key)
        return self._entries[key].value

    def __getitem__(self, key: Hashable) -> Any:
        """The value of a key. MissingKeyError without one."""
        found = self.get(key, default := object())
        if found is default:
            raise MissingKeyError(key)
        return found

    def get_or_make(self, key: Hashable, make: Callable[[], Any], *, ttl: float | None = None) -> Any:
        """The value of a key; without one it is made, kept and given."""
        missing = object()
        value = self.get(key, missing)
        if value is missing:
            value = make()
            self.store(key, value, ttl=ttl)
        return value

    def discard(self, key: Hashable) -> bool:
        """Takes a value out. False where there is none."""
        there = key in self
        if key in self._entries:
            del self._entries[key]
            self.policy.dropped(key)
        return there

    delete = old_name("delete", discard)

    def purge(self) -> int:
        """Takes out all that has expired, and says how many that were."""
        gone = [key for key in self._entries if self._expired(key)]
        for key in gone:
            self._drop(key, "expirations")
        return len(gone)

    sweep = old_name("sweep", purge)

    def clear(self) -> None:
        """Takes everything out; the statistics stay."""
        for key in list(self._entries):
            self.discard(key)


def positive(ttl: float | None) -> float | None:
    """A time to live as it was given. SettingError where nothing could live so long."""
    if ttl is not None and ttl <= 0:
        raise SettingError("ttl", ttl, "a number of seconds above 0")
    return ttl
