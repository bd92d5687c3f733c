"""Caches, wider than the visible tests."""

from typing import Any

import cachet
import pytest
from cachet import Cache, ManualClock, SettingError, Stats


def fill(cache: Cache, keys: str) -> Cache:
    for key in keys:
        cache.store(key, key.upper())
    return cache


def test_storing_again_is_a_use_for_the_least_recent() -> None:
    cache = fill(Cache(3), "abca")
    assert list(cache) == ["b", "c", "a"]
    assert len(cache) == 3
    fill(cache, "d")
    assert list(cache) == ["c", "a", "d"]


def test_first_in_first_out() -> None:
    cache = fill(Cache(3, policy=cachet.FirstIn()), "abc")
    cache.get("a")
    cache.store("a", "again")
    assert list(cache) == ["a", "b", "c"]
    fill(cache, "d")
    assert list(cache) == ["b", "c", "d"]
    cache.discard("c")
    fill(cache, "ec")
    assert list(cache) == ["d", "e", "c"]


def test_the_most_recent_goes_first() -> None:
    cache = fill(Cache(3, policy=cachet.MostRecent()), "abc")
    fill(cache, "d")
    assert sorted(map(str, cache)) == ["a", "b", "d"]
    cache.get("a")
    fill(cache, "e")
    assert sorted(map(str, cache)) == ["b", "d", "e"]
    assert next(iter(cache)) == "e"


def test_a_scan_that_comes_round_again() -> None:
    cache = Cache(3, policy=cachet.MostRecent())
    for key in "abcd" * 3:
        cache.get_or_make(key, key.upper)
    assert cache.stats.hits > 3


def test_frequencies() -> None:
    cache = fill(Cache(3, policy="lfu"), "abc")
    for key in "aabbbc":
        cache.get(key)
    fill(cache, "d")
    assert "c" not in cache
    fill(cache, "e")
    assert "d" not in cache
    assert list(cache) == ["e", "a", "b"]


def test_a_key_that_comes_back_starts_from_nothing() -> None:
    cache = fill(Cache(2, policy="lfu"), "ab")
    for key in "aaab":
        cache.get(key)
    cache.discard("a")
    fill(cache, "a")
    fill(cache, "c")
    assert "a" not in cache
    assert "b" in cache


def test_what_was_discarded_is_no_longer_in_the_order() -> None:
    for policy in cachet.POLICIES:
        cache = fill(Cache(3, policy=policy), "abc")
        cache.discard("b")
        assert len(cache) == 2
        assert sorted(map(str, cache)) == ["a", "c"]
        fill(cache, "de")
        assert len(cache) == 3
        cache.clear()
        assert list(cache) == []


def test_expired_keys_that_come_back_start_from_nothing() -> None:
    clock = ManualClock()
    cache = Cache(2, policy="lfu", clock=clock)
    cache.store("a", 1, ttl=5)
    cache.store("b", 2)
    for key in "aaab":
        cache.get(key)
    clock.advance(5)
    cache.purge()
    cache.store("a", 3)
    cache.store("c", 4)
    assert "a" not in cache


def test_a_ttl_of_its_own() -> None:
    clock = ManualClock()
    cache = Cache(5, ttl=10, clock=clock)
    cache.store("short", 1, ttl=2)
    cache.store("long", 2, ttl=100)
    cache.store("usual", 3)
    clock.advance(2)
    assert list(cache) == ["long", "usual"]
    clock.advance(8)
    assert list(cache) == ["long"]
    for ttl in (0, -1):
        with pytest.raises(SettingError):
            cache.store("x", 1, ttl=ttl)
    cache.store("long", 2)
    clock.advance(10)
    assert "long" not in cache


def test_the_expired_go_before_the_living() -> None:
    clock = ManualClock()
    dropped: list[Any] = []
    cache = Cache(3, clock=clock, on_drop=lambda key, value: dropped.append((key, value)))
    cache.store("a", 1)
    cache.store("b", 2, ttl=1)
    cache.store("c", 3)
    clock.advance(1)
    cache.store("d", 4)
    assert dropped == [("b", 2)]
    assert list(cache) == ["a", "c", "d"]
    cache.store("e", 5)
    assert dropped[1:] == [("a", 1)]
    assert cache.stats == Stats(evictions=1, expirations=1)


def test_purge() -> None:
    clock = ManualClock()
    cache = fill(Cache(5, ttl=3, clock=clock), "abc")
    assert cache.purge() == 0
    clock.advance(3)
    fill(cache, "d")
    assert cache.purge() == 3
    assert cache.purge() == 0
    assert cache.stats.expirations == 3
    assert list(cache) == ["d"]


def test_discarded_values_are_not_dropped() -> None:
    dropped: list[Any] = []
    cache = fill(Cache(2, on_drop=lambda key, value: dropped.append(key)), "abc")
    cache.discard("b")
    cache.clear()
    assert dropped == ["a"]
    assert not cache.discard("b")


def test_looking_whether_it_is_there_is_no_use() -> None:
    cache = fill(Cache(2), "ab")
    assert "a" in cache
    assert "x" not in cache
    fill(cache, "c")
    assert "a" not in cache
    assert cache.stats == Stats(evictions=1)


def test_values_that_look_like_nothing() -> None:
    cache = Cache(3)
    for value in (None, 0, ""):
        made: list[int] = []

        def make(value: Any = value, made: list[int] = made) -> Any:
            made.append(1)
            return value

        assert cache.get_or_make(("key", repr(value)), make) is value
        assert cache.get_or_make(("key", repr(value)), make) is value
        assert made == [1]
    cache.store("none", None)
    assert cache["none"] is None


def test_made_values_with_a_ttl() -> None:
    clock = ManualClock()
    cache = Cache(3, clock=clock)
    assert cache.get_or_make("a", lambda: 1, ttl=5) == 1
    clock.advance(5)
    assert cache.get_or_make("a", lambda: 2) == 2
    clock.advance(1000)
    assert cache.get_or_make("a", lambda: 3) == 2


def test_clocks_do_not_go_back() -> None:
    with pytest.raises(SettingError, match="-1"):
        ManualClock().advance(-1)
    clock = ManualClock(5)
    clock.advance(0)
    assert clock() == 5
