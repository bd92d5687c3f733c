"""Figures of several caches."""

from cachet import Stats


def test_figures_are_added() -> None:
    assert Stats.merged([Stats(1, 2), Stats(3, 4, 5)]) == Stats(4, 6, 5)
    assert Stats.merged([]) == Stats()
    assert Stats().ratio == 0
