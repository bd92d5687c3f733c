"""The tree, wider than the visible tests."""

import pytest
from spantree import Span, SpanTree


def test_a_mark_lies_in_what_holds_its_number() -> None:
    mark = Span(4, 4)
    assert mark.overlaps(Span(4, 9))
    assert Span(4, 9).overlaps(mark)
    assert mark.overlaps(Span(0, 5))
    assert not mark.overlaps(Span(0, 4))
    assert mark.overlaps(Span(4, 4))
    assert not mark.overlaps(Span(5, 5))
    assert mark.common(Span(4, 9, "x")) == mark


def test_marks_are_found() -> None:
    tree = SpanTree([Span(0, 3), Span(4, 4, "mark"), Span(6, 9)])
    assert tree.overlapping(4, 8) == [Span(4, 4), Span(6, 9)]
    assert tree.overlapping(0, 4) == [Span(0, 3)]
    assert tree.overlapping(0, 5) == [Span(0, 3), Span(4, 4)]
    assert tree.at(4) == [Span(4, 4)]
    assert Span(4, 4) in tree
    assert Span(5, 5) not in tree


def test_marks_at_the_far_end_are_found() -> None:
    tree = SpanTree([Span(number, number) for number in range(0, 40, 2)])
    assert tree.overlapping(38, 50) == [Span(38, 38)]
    assert tree.overlapping(30, 34) == [Span(30, 30), Span(32, 32)]
    assert tree.at(0) == [Span(0, 0)]


def test_at_borders() -> None:
    tree = SpanTree([Span(2, 5), Span(5, 7)])
    assert tree.at(1) == []
    assert tree.at(2) == tree.at(4) == [Span(2, 5)]
    assert tree.at(5) == tree.at(6) == [Span(5, 7)]
    assert tree.at(7) == []
    assert tree.overlapping(5, 5) == [Span(5, 7)]


def test_long_spans_are_found_from_far_away() -> None:
    spans = [Span(0, 1000, "long"), *(Span(start, start + 2) for start in range(1, 300, 3))]
    tree = SpanTree(spans)
    assert [span.label for span in tree.at(999)] == ["long"]
    for start, end in ((0, 1), (5, 9), (150, 153), (299, 302), (900, 901)):
        probe = Span(start, end)
        assert tree.overlapping(start, end) == sorted(span for span in spans if span.overlaps(probe))


def test_discard() -> None:
    tree = SpanTree([Span(0, 2), Span(1, 5), Span(1, 5)])
    assert tree.discard(Span(1, 5))
    assert list(tree) == [Span(0, 2), Span(1, 5)]
    assert not tree.discard(Span(7, 8))
    assert tree.discard(Span(0, 2))
    assert tree.discard(Span(1, 5))
    assert len(tree) == 0
    assert list(tree) == []


def test_discard_shortens_the_reach() -> None:
    tree = SpanTree([Span(number, number + 1) for number in range(30)] + [Span(3, 500)])
    assert tree.at(400) == [Span(3, 500)]
    assert tree.discard(Span(3, 500))
    assert tree.at(400) == []
    assert len(tree) == 30
    assert list(tree) == [Span(number, number + 1) for number in range(30)]


def test_nearest() -> None:
    tree = SpanTree([Span(0, 4, "intro"), Span(8, 12, "verse"), Span(12, 15, "coda")])
    assert [span.label for span in tree.nearest(2)] == ["intro"]
    assert [span.label for span in tree.nearest(4)] == ["intro"]
    assert [span.label for span in tree.nearest(7)] == ["verse"]
    assert [span.label for span in tree.nearest(99)] == ["coda"]
    assert [span.label for span in tree.nearest(-5)] == ["intro"]


def test_nearest_with_equal_distances() -> None:
    tree = SpanTree([Span(0, 4), Span(7, 9), Span(2, 4)])
    assert tree.nearest(5) == [Span(0, 4), Span(2, 4), Span(7, 9)]
    assert tree.nearest(3) == [Span(0, 4), Span(2, 4)]
    assert SpanTree().nearest(3) == []
    assert SpanTree([Span(6, 6), Span(10, 12)]).nearest(8) == [Span(6, 6), Span(10, 12)]


def test_distance_and_shift() -> None:
    span = Span(3, 6, "x")
    assert [span.distance(number) for number in (1, 2, 3, 5, 6, 8)] == [2, 1, 0, 0, 1, 3]
    assert Span(4, 4).distance(4) == 0
    assert span.shifted(-3) == Span(0, 3)
    assert span.shifted(2).label == "x"
    assert repr(span) == "Span(3, 6, 'x')"
    assert repr(Span(1, 1)) == "Span(1, 1)"


def test_equal_spans_stay_in_the_order_in_which_they_came() -> None:
    tree = SpanTree([Span(1, 2, "a")])
    for label in "bcd":
        tree.add(Span(1, 2, label))
    assert [span.label for span in tree] == ["a", "b", "c", "d"]


def test_a_span_from_the_end_to_the_start_is_refused() -> None:
    for start, end in ((5, 1), (0, -1), (-3, -4)):
        with pytest.raises((ValueError, TypeError)):
            Span(start, end)
    with pytest.raises((ValueError, TypeError)):
        SpanTree([Span(0, 10)]).overlapping(5, 2)
    assert len(Span(3, 3)) == 0
