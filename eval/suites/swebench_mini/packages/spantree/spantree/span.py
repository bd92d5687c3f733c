"""One span."""

from __future__ import annotations

from dataclasses import dataclass, field

from spantree.errors import BadSpanError


@dataclass(frozen=True, order=True)
class Span:
    """The whole numbers from `start` up to, and without, `end`, with a label that has no part in comparisons."""

    start: int
    end: int
    label: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        if self.end < self.start:
            raise BadSpanError(self.start, self.end)

    def __repr__(self) -> str:
        label = f", {self.label!r}" if self.label else ""
        return f"Span({self.start}, {self.end}{label})"

    def __len__(self) -> int:
        return self.end - self.start

    def __bool__(self) -> bool:
        """A mark is a span too."""
        return True

    def __contains__(self, number: int) -> bool:
        return self.start <= number < self.end

    @property
    def is_mark(self) -> bool:
        """Whether it has no length."""
        return self.start == self.end

    def overlaps(self, other: Span) -> bool:
        """Whether they share a number; a mark shares its number with what holds it, and with an equal mark."""
        if self.is_mark or other.is_mark:
            mark, span = (self, other) if self.is_mark else (other, self)
            return mark.start in span or mark == span
        return self.start < other.end and other.start < self.end

    def touches(self, other: Span) -> bool:
        """Whether nothing is between them: they overlap, or one begins where the other ends."""
        return self.start <= other.end and other.start <= self.end

    def common(self, other: Span) -> Span | None:
        """What they share, with the label of this one; None where they share nothing."""
        if not self.overlaps(other):
            return None
        return Span(max(self.start, other.start), min(self.end, other.end), self.label)

    def distance(self, number: int) -> int:
        """How far a number is from it: 0 inside, 1 for the number before its first and for the one after its last."""
        if number < self.start:
            return self.start - number
        return max(0, number - max(self.start, self.end - 1))

    def shifted(self, by: int) -> Span:
        """The same span somewhere else."""
        return Span(self.start + by, self.end + by, self.label)
