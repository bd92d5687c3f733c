"""The errors of this library; `AgendaError` is the base of all."""


class AgendaError(ValueError):
    """Something that cannot be put into an agenda."""


class EventError(AgendaError):
    """An event that cannot be."""


class RuleError(AgendaError):
    """A text that is no rule for what comes again."""

    def __init__(self, text: str, reason: str) -> None:
        super().__init__(f"{text!r} is no rule: {reason}")
        self.text = text
