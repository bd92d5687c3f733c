"""The algebra, wider than the visible tests."""

import pytest
import spantree
from spantree import Span, coverage, depths, gaps, intersect, read, subtract, write


def test_merge() -> None:
    assert spantree.merge([Span(5, 9), Span(0, 3), Span(2, 5)]) == [Span(0, 9)]
    assert spantree.merge([Span(0, 9), Span(2, 3), Span(11, 12)]) == [Span(0, 9), Span(11, 12)]
    assert spantree.merge([]) == []
    assert "merge" in spantree.__all__


def test_merge_over_a_distance() -> None:
    spans = [Span(0, 3, "a"), Span(5, 8, "b"), Span(11, 12, "c")]
    assert spantree.merge(spans, reach=1) == spans
    assert spantree.merge(spans, reach=2) == [Span(0, 8), Span(11, 12)]
    assert [span.label for span in spantree.merge(spans, reach=3)] == ["a"]


def test_merge_keeps_marks() -> None:
    assert spantree.merge([Span(4, 4), Span(6, 8), Span(8, 8)]) == [Span(4, 4), Span(6, 8)]


def test_gaps() -> None:
    within = Span(5, 15)
    assert gaps([Span(0, 7), Span(14, 20)], within) == [Span(7, 14)]
    assert gaps([Span(0, 20)], within) == []
    assert gaps([Span(0, 5), Span(15, 20)], within) == [within]
    assert gaps([Span(9, 9)], within) == [within]
    assert gaps([Span(12, 15), Span(5, 6)], within) == [Span(6, 12)]
    assert gaps([Span(0, 3)], Span(4, 4)) == []


def test_coverage() -> None:
    assert coverage([]) == 0
    assert coverage([Span(2, 2), Span(3, 5), Span(4, 9), Span(20, 21)]) == 7


def test_subtract_several_cuts() -> None:
    assert subtract([Span(0, 10)], [Span(2, 3), Span(5, 6)]) == [Span(0, 2), Span(3, 5), Span(6, 10)]
    assert subtract([Span(0, 10)], [Span(5, 6), Span(2, 3)]) == [Span(0, 2), Span(3, 5), Span(6, 10)]
    assert subtract([Span(0, 10)], [Span(2, 6), Span(4, 8)]) == [Span(0, 2), Span(8, 10)]


def test_subtract_from_several_spans() -> None:
    spans = [Span(6, 9, "b"), Span(0, 4, "a"), Span(2, 8, "c")]
    pieces = subtract(spans, [Span(3, 7)])
    assert [(piece, piece.label) for piece in pieces] == [
        (Span(0, 3), "a"),
        (Span(2, 3), "c"),
        (Span(7, 8), "c"),
        (Span(7, 9), "b"),
    ]


def test_subtract_leaves_what_is_not_cut() -> None:
    assert subtract([Span(0, 4)], []) == [Span(0, 4)]
    assert subtract([Span(0, 4)], [Span(0, 9)]) == []
    assert subtract([Span(0, 4)], [Span(4, 6), Span(-3, 0)]) == [Span(0, 4)]
    assert subtract([Span(3, 3), Span(8, 8)], [Span(3, 5)]) == [Span(8, 8)]
    assert subtract([], [Span(0, 1)]) == []


def test_intersect() -> None:
    shared = intersect([Span(0, 10, "a")], [Span(2, 3), Span(8, 12), Span(10, 11)])
    assert shared == [Span(2, 3), Span(8, 10)]
    assert {span.label for span in shared} == {"a"}
    assert intersect([Span(0, 4), Span(0, 4)], [Span(1, 2)]) == [Span(1, 2), Span(1, 2)]
    assert intersect([Span(0, 4)], []) == []


def test_depths() -> None:
    assert depths([Span(0, 2), Span(2, 4)]) == [(Span(0, 4), 1)]
    assert depths([Span(0, 9), Span(3, 5), Span(3, 5)]) == [(Span(0, 3), 1), (Span(3, 5), 3), (Span(5, 9), 1)]
    assert depths([Span(0, 1), Span(4, 5)]) == [(Span(0, 1), 1), (Span(4, 5), 1)]
    assert depths([Span(3, 3)]) == []


def test_read() -> None:
    assert read("-4..-1 below zero\n  7..7\n") == [Span(-4, -1), Span(7, 7)]
    assert read("-4..-1 below zero")[0].label == "below zero"
    assert read("# 1..2\n\n") == []


@pytest.mark.parametrize("text", ["3-9", "a..b", "7", "..", "1..2x"])
def test_what_is_no_span_is_not_read(text: str) -> None:
    with pytest.raises(ValueError, match=r".") as caught:
        read(f"1..2\n{text}\n")
    assert text in str(caught.value)


def test_what_is_written_is_read() -> None:
    spans = [Span(0, 4, "intro"), Span(-2, -2), Span(3, 9, "verse two")]
    assert read(write(spans)) == spans
    assert [span.label for span in read(write(spans))] == ["intro", "", "verse two"]
    assert write([]) == ""
