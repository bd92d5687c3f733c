"""The algebra of spans, and their text."""

import pytest
from spantree import Span, coverage, covered, depths, gaps, intersect, read, subtract, write


def test_gaps() -> None:
    assert gaps([Span(3, 9), Span(12, 15)], Span(0, 20)) == [Span(0, 3), Span(9, 12), Span(15, 20)]
    assert gaps([], Span(0, 5)) == [Span(0, 5)]


def test_coverage_counts_once() -> None:
    assert coverage([Span(0, 4), Span(3, 9)]) == 9


def test_the_old_name_of_coverage_warns() -> None:
    with pytest.warns(DeprecationWarning, match="coverage"):
        assert covered([Span(0, 4), Span(3, 9)]) == 9


def test_subtract() -> None:
    assert subtract([Span(0, 10, "a")], [Span(4, 6)]) == [Span(0, 4), Span(6, 10)]


def test_intersect() -> None:
    assert intersect([Span(0, 5), Span(7, 9)], [Span(4, 8)]) == [Span(4, 5), Span(7, 8)]


def test_depths() -> None:
    assert depths([Span(0, 4), Span(2, 6)]) == [(Span(0, 2), 1), (Span(2, 4), 2), (Span(4, 6), 1)]


def test_text() -> None:
    text = "# a song\n0..4 intro\n\n3..9 verse one\n"
    spans = read(text)
    assert [span.label for span in spans] == ["intro", "verse one"]
    assert write(spans) == "0..4 intro\n3..9 verse one\n"
