"""What every change of this library has to keep."""

from pathlib import Path

import cachet
import pytest
from cachet import Cache, ManualClock, policies

ROOT = Path(cachet.__file__).resolve().parent.parent


def test_every_policy_is_registered_and_public() -> None:
    classes = {
        name: value
        for name, value in vars(policies).items()
        if isinstance(value, type) and issubclass(value, policies.Policy) and value is not policies.Policy
    }
    assert set(policies.POLICIES.values()) == set(classes.values())
    assert set(classes) <= set(cachet.__all__)
    assert len(classes) >= 4


def test_the_old_name_of_memoize_works_and_warns() -> None:
    with pytest.warns(DeprecationWarning, match="memoize"):
        decorate = cachet.cached(Cache(3))
    assert decorate(abs)(-3) == 3
    assert "cached" in cachet.__all__


def test_the_old_name_of_purge_works_and_warns() -> None:
    clock = ManualClock()
    cache = Cache(3, ttl=1, clock=clock)
    cache.store("a", 1)
    clock.advance(2)
    with pytest.warns(DeprecationWarning, match="purge"):
        assert cache.sweep() == 1


def test_the_older_name_of_discard_works_and_warns() -> None:
    with pytest.warns(DeprecationWarning, match="discard"):
        assert not Cache(3).delete("a")


def test_every_change_is_in_the_changelog() -> None:
    """Four things have changed since 3.0.0."""
    unreleased = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").split("\n## ")[1]
    assert unreleased.startswith("Unreleased\n")
    assert len([line for line in unreleased.splitlines() if line.startswith("- ")]) >= 4
