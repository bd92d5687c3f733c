"""What can be wrong with an expression; `CalcError` is the base of all."""


class CalcError(Exception):
    """An expression that cannot be evaluated."""


class SyntaxFault(CalcError):
    """A text that is no expression."""

    def __init__(self, text: str, position: int, expected: str) -> None:
        found = repr(text[position : position + 10]) if position < len(text) else "the end"
        super().__init__(f"{expected} was expected at {position}, not {found}")
        self.text = text
        self.position = position


class NameFault(CalcError):
    """A name that means nothing."""

    def __init__(self, name: str) -> None:
        super().__init__(f"{name!r} is not known")
        self.name = name


class ArityFault(CalcError):
    """A function with too few or too many arguments."""

    def __init__(self, name: str, given: int, wanted: str) -> None:
        super().__init__(f"{name} takes {wanted}, not {given}")
        self.name = name
        self.given = given


class MathFault(CalcError):
    """An operation that has no result for these values."""

    def __init__(self, operation: str, *values: float) -> None:
        super().__init__(f"{operation} has no result for {', '.join(f'{value:g}' for value in values)}")
        self.operation = operation
        self.values = values
