"""Policies: which entry has to go when a cache is full. A cache tells its policy all that happens to its keys."""

from collections.abc import Collection, Hashable


class Policy:
    """Base of all policies: keys in an order, of which the first goes first."""

    def __init__(self) -> None:
        self._keys: dict[Hashable, None] = {}

    def stored(self, key: Hashable) -> None:
        """A key was put in, or put in again."""
        self._keys.setdefault(key)

    def used(self, key: Hashable) -> None:
        """A key was looked up and found."""

    def dropped(self, key: Hashable) -> None:
        """A key has gone, for whatever reason."""
        self._keys.pop(key, None)

    def victim(self, keys: Collection[Hashable]) -> Hashable:
        """Which of these keys has to go."""
        return next(key for key in self.order() if key in keys)

    def order(self) -> list[Hashable]:
        """The keys, the first to go first."""
        return list(self._keys)


class LeastRecent(Policy):
    """What was stored or used longest ago goes first."""

    def stored(self, key: Hashable) -> None:
        self._keys.pop(key, None)
        self._keys[key] = None

    def used(self, key: Hashable) -> None:
        self.stored(key)


class MostRecent(LeastRecent):
    """What was stored or used last goes first: good where everything is read in turn, again and again."""

    def order(self) -> list[Hashable]:
        return list(reversed(self._keys))


class FirstIn(Policy):
    """What was stored first goes first, however often it is used or stored again."""


class LeastFrequent(Policy):
    """What was used least goes first, and among equals what came first."""

    def __init__(self) -> None:
        super().__init__()
        self._uses: dict[Hashable, int] = {}

    def used(self, key: Hashable) -> None:
        self._uses[key] = self._uses.get(key, 0) + 1

    def dropped(self, key: Hashable) -> None:
        super().dropped(key)
        self._uses.pop(key, None)

    def order(self) -> list[Hashable]:
        return sorted(self._keys, key=lambda key: self._uses.get(key, 0))


POLICIES = {
    "fifo": FirstIn,
    "lfu": LeastFrequent,
    "lru": LeastRecent,
    "mru": MostRecent,
}
