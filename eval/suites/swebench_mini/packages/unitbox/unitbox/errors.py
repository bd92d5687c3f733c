"""The errors of this library. All of them are a `UnitError`, so one `except` is enough."""


class UnitError(ValueError):
    """Base of all errors of unitbox."""


class UnknownUnitError(UnitError):
    """A unit that is not in the table."""

    def __init__(self, unit: str) -> None:
        super().__init__(f"unknown unit {unit!r}")
        self.unit = unit


class DimensionError(UnitError):
    """Two units that do not measure the same thing."""

    def __init__(self, one: str, other: str) -> None:
        super().__init__(f"{one!r} and {other!r} measure different things")
        self.one = one
        self.other = other


class ParseError(UnitError):
    """A text that is no quantity."""

    def __init__(self, text: str, reason: str) -> None:
        super().__init__(f"cannot read {text!r}: {reason}")
        self.text = text
