"""Spans and the tree of them."""

from spantree import Span, SpanTree

SONG = [Span(3, 9, "verse"), Span(0, 4, "intro"), Span(12, 15, "coda")]


def labels(spans: list[Span]) -> list[str]:
    return [span.label for span in spans]


def test_a_span_is_half_open() -> None:
    span = Span(2, 5)
    assert [number for number in range(8) if number in span] == [2, 3, 4]
    assert len(span) == 3
    assert span == Span(2, 5, "with a label")


def test_overlaps_and_common() -> None:
    assert Span(0, 4).overlaps(Span(3, 9))
    assert not Span(0, 3).overlaps(Span(3, 9))
    assert Span(0, 3).touches(Span(3, 9))
    assert Span(0, 4).common(Span(3, 9)) == Span(3, 4)
    assert Span(0, 3).common(Span(3, 9)) is None


def test_the_tree_is_in_order() -> None:
    tree = SpanTree(SONG)
    assert len(tree) == 3
    assert labels(list(tree)) == ["intro", "verse", "coda"]
    tree.add(Span(1, 2, "bell"))
    assert labels(list(tree)) == ["intro", "bell", "verse", "coda"]


def test_the_tree_finds_spans() -> None:
    tree = SpanTree(SONG)
    assert labels(tree.at(3)) == ["intro", "verse"]
    assert tree.at(10) == []
    assert labels(tree.overlapping(8, 13)) == ["verse", "coda"]
    assert Span(3, 9) in tree
    assert Span(3, 8) not in tree


def test_many_spans() -> None:
    tree = SpanTree()
    for start in range(200):
        tree.add(Span(start, start + 3))
    assert len(tree) == 200
    assert tree.at(100) == [Span(98, 101), Span(99, 102), Span(100, 103)]
