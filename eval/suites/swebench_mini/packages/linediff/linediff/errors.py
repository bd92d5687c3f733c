"""The errors of this library; `DiffError` is the base of all."""


class DiffError(ValueError):
    """Something is wrong with a diff or with what is asked of it."""


class ParseError(DiffError):
    """A text that is no unified diff."""

    def __init__(self, number: int, line: str, reason: str) -> None:
        super().__init__(f"line {number}: {line!r} {reason}")
        self.number = number
        self.line = line


class ApplyError(DiffError):
    """A hunk that does not fit the text."""

    def __init__(self, start: int, line: str) -> None:
        super().__init__(f"the hunk for line {start} does not fit: {line!r} is not there")
        self.start = start
        self.line = line


class FormatError(DiffError):
    """A format that there is not, or a setting of it that cannot be."""
