"""Caches, with a clock that stands still."""

import pytest
from cachet import Cache, ManualClock, MissingKeyError, SettingError


def filled(keys: str, **settings: object) -> Cache:
    cache = Cache(len(keys), **settings)  # type: ignore[arg-type]
    for key in keys:
        cache.store(key, key.upper())
    return cache


def test_what_is_stored_is_found() -> None:
    cache = filled("ab")
    assert cache.get("a") == "A"
    assert cache["b"] == "B"
    assert cache.get("x", "nothing") == "nothing"
    with pytest.raises(MissingKeyError, match="x"):
        cache["x"]


def test_the_least_recent_goes_first() -> None:
    cache = filled("abc")
    cache.get("a")
    cache.store("d", "D")
    assert list(cache) == ["c", "a", "d"]


def test_the_least_frequent_goes_first() -> None:
    cache = filled("abc", policy="lfu")
    for key in "aac":
        cache.get(key)
    cache.store("d", "D")
    assert "b" not in cache
    assert len(cache) == 3


def test_time_to_live() -> None:
    clock = ManualClock()
    cache = filled("ab", ttl=10, clock=clock)
    clock.advance(9)
    assert cache.get("a") == "A"
    clock.advance(1)
    assert cache.get("a") is None
    assert len(cache) == 0


def test_discard() -> None:
    cache = filled("ab")
    assert cache.discard("a")
    assert not cache.discard("a")
    with pytest.warns(DeprecationWarning, match="discard"):
        assert cache.delete("b")


def test_statistics() -> None:
    cache = filled("ab")
    for key in "aax":
        cache.get(key)
    cache.store("c", "C")
    assert (cache.stats.hits, cache.stats.misses, cache.stats.evictions) == (2, 1, 1)
    assert cache.stats.ratio == pytest.approx(2 / 3)


def test_settings_that_cannot_be() -> None:
    with pytest.raises(SettingError, match="capacity=0"):
        Cache(0)
    with pytest.raises(SettingError, match="best"):
        Cache(1, policy="best")
    with pytest.raises(SettingError, match="ttl=0"):
        Cache(1, ttl=0)
