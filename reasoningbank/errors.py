"""What can go wrong, by what is done about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reasoningbank.types import Usage


class ReasoningBankError(Exception):
    """Base of the project's own errors."""

    status: int | None = None
    """The HTTP status, where a server has answered with one."""

    usage: Usage | None = None
    """The tokens that a server has counted for a call of which nothing came: it is paid for all the same."""


class SetupError(ReasoningBankError):
    """The user can mend it: bad settings, a missing file, a run made by other settings. The message says how."""


class PromptTooLong(SetupError):
    """A prompt beyond the model's context. An agent whose conversation grew so far has come to a limit."""


class BankError(SetupError):
    """A bank that cannot be used as it is: unreadable, of another embedder or schema. The file is left untouched."""


class InfraError(ReasoningBankError):
    """Something around the attempt failed (network, server, crash). It is retried and never counts as an outcome."""


class RateLimited(InfraError):
    """A provider asks for fewer calls. `retry_after` are the seconds it wants, None where it names none."""

    def __init__(self, message: str, *, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class Outage(InfraError):
    """Nothing was reached: no name, no route, a refused connection."""


class AgentError(ReasoningBankError):
    """The agent itself failed. It is an outcome like any other: unsolved."""


class LimitReached(ReasoningBankError):
    """The attempt used up its steps, its time or its budget."""


class BudgetSpent(ReasoningBankError):
    """The command has spent what it may. Nothing has failed: with a larger budget it goes on where it was."""


class CodeError(ReasoningBankError):
    """A mistake in some code, a plugin's or this program's: no setting and no retry mends it, and it ends the command.

    The message is all there is to say; where the code raised something, that is the `__cause__`.
    """


class UnusableReply(ReasoningBankError):
    """A model's reply that does not follow the asked format. Carries the text, for inspection."""

    def __init__(self, reason: str, text: str) -> None:
        super().__init__(reason)
        self.reason = reason
        self.text = text
