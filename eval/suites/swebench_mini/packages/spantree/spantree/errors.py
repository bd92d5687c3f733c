"""What can go wrong with spans."""


class SpanTreeError(ValueError):
    """Base of all errors of spantree."""


class BadSpanError(SpanTreeError):
    """A span that ends before it starts."""

    def __init__(self, start: int, end: int) -> None:
        super().__init__(f"a span from {start} to {end} ends before it starts")
        self.start = start
        self.end = end


class FormatError(SpanTreeError):
    """A line of text that is no span."""

    def __init__(self, number: int, line: str) -> None:
        super().__init__(f"line {number}: {line!r} is no span; one looks like '3..9 label'")
        self.number = number
        self.line = line
