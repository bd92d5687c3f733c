"""The only broad excepts of the project: at the edges where somebody else's code meets ours.

`attempt_edge(call, source="agent" | "environment" | "model")` runs a piece of an attempt and lets out only what the
runner can act on; `capture(call)` carries an exception out of a thread; `guard(call)` keeps a failing `learn` from
taking down the agent that called it. Everything is classified and kept (`__cause__`, `traceback_text`), nothing is
hidden.
"""

from __future__ import annotations

import logging
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, Literal, TypeVar

from reasoningbank.errors import AgentError, InfraError, LimitReached, SetupError

T = TypeVar("T")

_log = logging.getLogger("reasoningbank")


def attempt_edge(call: Callable[[], T], *, source: Literal["agent", "environment", "model"]) -> T:
    """`call()`. Raises SetupError, InfraError, AgentError or LimitReached, and what is no Exception (Ctrl-C).

    Whatever else goes wrong becomes AgentError where the agent is the source and InfraError where the environment or
    the model is; want of memory, files or network is InfraError always. The message is one line without addresses, so
    that equal faults read equal; the original is the `__cause__`.
    """
    try:
        return call()
    except (SetupError, InfraError, AgentError, LimitReached):
        raise
    except (MemoryError, OSError) as error:
        raise InfraError(f"{source}: {one_line(error)}") from error
    except Exception as error:
        kind = AgentError if source == "agent" else InfraError
        raise kind(f"{source}: {one_line(error)}") from error


@dataclass(frozen=True)
class Guarded(Generic[T]):
    """What a guarded call came to: its value, or the error that it raised."""

    value: T | None = None
    error: BaseException | None = None

    def unwrap(self) -> T:
        """The value; raises the error where there is one."""
        if self.error is not None:
            raise self.error
        return self.value  # type: ignore[return-value]  # None is a value of T here


def capture(call: Callable[[], T]) -> Guarded[T]:
    """`call()` in a thread: whatever it raises is handed to whoever waits for the thread."""
    try:
        return Guarded(value=call())
    except BaseException as error:
        return Guarded(error=error)


def guard(call: Callable[[], T], *, doing: str) -> Guarded[T]:
    """`call()` inside somebody's agent: an error is returned instead of raised, and logged on one line.

    At the level DEBUG the log has its traceback too.

    SetupError passes: the caller has to change something, and would not notice otherwise. So does Ctrl-C.
    """
    try:
        return Guarded(value=call())
    except SetupError:
        raise
    except Exception as error:
        _log.error(
            "%s failed; nothing was stored: %s", doing, one_line(error), exc_info=_log.isEnabledFor(logging.DEBUG)
        )
        return Guarded(error=error)


def one_line(error: BaseException) -> str:
    """An error's type, message and place, on one line."""
    place = ""
    frames = traceback.extract_tb(error.__traceback__)
    if frames:
        place = f" ({Path(frames[-1].filename).name}:{frames[-1].lineno} in {frames[-1].name})"
    message = " ".join(str(error).split())
    return f"{type(error).__name__}{': ' if message else ''}{message}{place}"


def traceback_text(error: BaseException) -> str:
    """The whole traceback of an error and its causes, for a log."""
    return "".join(traceback.format_exception(error))
