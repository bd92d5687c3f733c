"""The algebra of spans. Functions take them in any order, and give new lists in order."""

from collections.abc import Iterable

from spantree.compat import renamed
from spantree.span import Span


def merge(spans: Iterable[Span], *, reach: int = 0) -> list[Span]:
    """Spans that touch made one, with the label of the first. With `reach`, so are those with at most so much between.

    Marks that touch nothing stay.
    """
    merged: list[Span] = []
    for span in sorted(spans):
        last = merged[-1] if merged else None
        if last is not None and span.start - last.end <= reach:
            merged[-1] = Span(last.start, max(last.end, span.end), last.label)
        else:
            merged.append(span)
    return merged


union = renamed("union", merge)


def gaps(spans: Iterable[Span], within: Span) -> list[Span]:
    """What of a span none of the others holds."""
    found = []
    position = within.start
    for span in merge(spans):
        if span.is_mark or span.end <= within.start:
            continue
        if span.start >= within.end:
            break
        if span.start > position:
            found.append(Span(position, span.start))
        position = span.end
    if position < within.end:
        found.append(Span(position, within.end))
    return found


def coverage(spans: Iterable[Span]) -> int:
    """How many numbers they hold together, each counted once."""
    return sum(len(span) for span in merge(spans))


covered = renamed("covered", coverage)


def subtract(spans: Iterable[Span], cuts: Iterable[Span]) -> list[Span]:
    """What of the spans the cuts do not hold; each piece has the label of its span."""
    holes = merge(cuts)
    pieces = []
    for span in sorted(spans):
        if span.is_mark:
            if not any(span.overlaps(hole) for hole in holes):
                pieces.append(span)
            continue
        pieces += [Span(each.start, each.end, span.label) for each in gaps(holes, span)]
    return pieces


def intersect(spans: Iterable[Span], others: Iterable[Span]) -> list[Span]:
    """What spans of both sides share, with the labels of the first side; a part of several pairs is there as often."""
    right = sorted(others)
    shared = [span.common(other) for span in sorted(spans) for other in right]
    return sorted(each for each in shared if each is not None)


def depths(spans: Iterable[Span]) -> list[tuple[Span, int]]:
    """Where how many spans lie on each other: consecutive spans with their number, those with none left out.

    Neighbours of equal depth are one.
    """
    steps: dict[int, int] = {}
    for span in spans:
        steps[span.start] = steps.get(span.start, 0) + 1
        steps[span.end] = steps.get(span.end, 0) - 1
    level, profile = 0, []
    places = sorted(place for place, step in steps.items() if step)
    for place, following in zip(places, [*places[1:], None]):
        level += steps[place]
        if level and following is not None:
            profile.append((Span(place, following), level))
    return profile
