"""A search tree over spans, in which every node knows how far its subtree reaches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from spantree.compat import renamed
from spantree.span import Span


@dataclass
class Node:
    """A span, and the nodes that come before and after it."""

    span: Span
    left: Node | None = None
    right: Node | None = None
    highest: int = 0
    size: int = 1

    def refresh(self) -> Node:
        """After a change below: how far the subtree reaches, and how many spans it has."""
        below = [node for node in (self.left, self.right) if node is not None]
        self.highest = max([self.span.end, *(node.highest for node in below)])
        self.size = 1 + sum(node.size for node in below)
        return self


def built(spans: list[Span]) -> Node | None:
    """A balanced tree of sorted spans."""
    if not spans:
        return None
    middle = len(spans) // 2
    return Node(spans[middle], built(spans[:middle]), built(spans[middle + 1 :])).refresh()


def walk(node: Node | None) -> Iterator[Span]:
    """All spans below a node, in order."""
    if node is not None:
        yield from walk(node.left)
        yield node.span
        yield from walk(node.right)


class SpanTree:
    """Spans in the order of their starts, then of their ends. Equal spans may be in it several times."""

    def __init__(self, spans: Iterable[Span] = ()) -> None:
        self._root = built(sorted(spans))

    def __len__(self) -> int:
        return self._root.size if self._root else 0

    def __iter__(self) -> Iterator[Span]:
        return walk(self._root)

    def __contains__(self, span: Span) -> bool:
        return span in self.overlapping(span.start, span.end)

    def add(self, span: Span) -> None:
        """Puts a span in, behind those that are equal to it."""
        self._root = self._added(self._root, span)

    def _added(self, node: Node | None, span: Span) -> Node:
        if node is None:
            return Node(span).refresh()
        if span < node.span:
            node.left = self._added(node.left, span)
        else:
            node.right = self._added(node.right, span)
        return self._balanced(node.refresh())

    @staticmethod
    def _balanced(node: Node) -> Node:
        """The node, or a new tree of its spans where one side has become much larger than the other."""
        sides = [side.size if side else 0 for side in (node.left, node.right)]
        if max(sides) > 2 * min(sides) + 8:
            return built(list(walk(node))) or node
        return node

    def discard(self, span: Span) -> bool:
        """Takes one span out that is equal to this one. False where there is none."""
        before = len(self)
        self._root = self._without(self._root, span)
        return len(self) < before

    remove = renamed("remove", discard)

    def _without(self, node: Node | None, span: Span) -> Node | None:
        if node is None:
            return None
        if span == node.span:
            return built([*walk(node.left), *walk(node.right)])
        if span < node.span:
            node.left = self._without(node.left, span)
        else:
            node.right = self._without(node.right, span)
        return node.refresh()

    def at(self, number: int) -> list[Span]:
        """The spans that hold a number, and the marks on it."""
        return self.overlapping(number, number + 1)

    stab = renamed("stab", at)

    def overlapping(self, start: int, end: int) -> list[Span]:
        """The spans that share a number with those from start up to end, in order."""
        found: list[Span] = []
        self._collect(self._root, Span(start, end), found)
        return found

    def _collect(self, node: Node | None, wanted: Span, found: list[Span]) -> None:
        if node is None or node.highest < wanted.start:
            return
        self._collect(node.left, wanted, found)
        if node.span.overlaps(wanted):
            found.append(node.span)
        if node.span.start <= wanted.end:
            self._collect(node.right, wanted, found)

    def nearest(self, number: int) -> list[Span]:
        """The spans that are closest to a number, in order: those that hold it, or else those before or behind it.

        An empty tree has none.
        """
        distances = [(span.distance(number), span) for span in self]
        least = min((distance for distance, _ in distances), default=0)
        return [span for distance, span in distances if distance == least]
