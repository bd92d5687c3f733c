"""Functions that remember."""

import cachet
import pytest
from cachet import Cache, ManualClock

CALLS: list[tuple[object, ...]] = []


def area(width: object, height: object = 1, *, unit: str = "m", note: str = "") -> tuple[object, ...]:
    """The call itself, so that it shows which one was answered."""
    CALLS.append((width, height, unit, note))
    return CALLS[-1]


@pytest.fixture(autouse=True)
def _no_calls() -> None:
    CALLS.clear()


def test_a_call_is_made_once() -> None:
    remembered = cachet.memoize(Cache(10))(area)
    assert remembered(2, 3) == remembered(2, 3) == (2, 3, "m", "")
    assert remembered(3, 2) == (3, 2, "m", "")
    assert len(CALLS) == 2
    assert remembered.__name__ == "area"
    assert "memoize" in cachet.__all__


def test_the_order_of_keywords_does_not_matter() -> None:
    remembered = cachet.memoize(Cache(10))(area)
    assert remembered(2, unit="ft", note="x") == remembered(2, note="x", unit="ft")
    assert len(CALLS) == 1


def test_keywords_and_positions_and_defaults_are_the_same_call() -> None:
    remembered = cachet.memoize(Cache(10))(area)
    remembered(2, 1)
    remembered(width=2, height=1)
    remembered(2)
    remembered(height=1, width=2, unit="m")
    assert len(CALLS) == 1
    remembered(2, 2)
    remembered(2, unit="ft")
    remembered(2, note="ft")
    assert len(CALLS) == 4


def test_one_is_not_true() -> None:
    remembered = cachet.memoize(Cache(10))(area)
    assert remembered(1)[0] is not True
    assert remembered(True)[0] is True
    assert type(remembered(1.0)[0]) is float
    assert len(CALLS) == 3


def test_functions_that_give_nothing() -> None:
    calls: list[int] = []

    @cachet.memoize(Cache(3))
    def nothing(number: int) -> None:
        calls.append(number)

    for _ in range(3):
        nothing(1)
    nothing(2)
    assert calls == [1, 2]


def test_functions_that_share_a_cache() -> None:
    cache = Cache(10)

    @cachet.memoize(cache)
    def double(number: int) -> int:
        return 2 * number

    @cachet.memoize(cache)
    def half(number: int) -> float:
        return number / 2

    assert (double(4), half(4), double(4)) == (8, 2, 8)
    assert len(cache) == 2
    assert cache.stats.hits == 1


def test_results_expire() -> None:
    clock = ManualClock()
    remembered = cachet.memoize(Cache(10, clock=clock), ttl=5)(area)
    remembered(1)
    clock.advance(4)
    remembered(1)
    clock.advance(1)
    remembered(1)
    assert len(CALLS) == 2


def test_errors_are_not_kept() -> None:
    calls: list[int] = []

    @cachet.memoize(Cache(3))
    def fragile(number: int) -> int:
        calls.append(number)
        return 1 // (len(calls) - 1)

    with pytest.raises(ZeroDivisionError):
        fragile(1)
    assert fragile(1) == 1
