"""The only broad excepts of the project: at the edges where somebody else's code meets ours.

`attempt_edge(call, source="agent" | "environment" | "model")` runs a piece of an attempt and lets out only what the
runner can act on; `expect(value, kind, maker, method)` looks at what such code returned; `capture(call)` carries an
exception out of a thread; `guard(call)` keeps a failing `learn` from taking down the agent that called it. Everything
is classified and kept (`__cause__`, `traceback_text`), nothing is hidden.
"""

from __future__ import annotations

import logging
import sys
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, Literal, TypeVar

from reasoningbank.errors import AgentError, BudgetSpent, CodeError, InfraError, LimitReached, SetupError

T = TypeVar("T")

MISTAKES = (TypeError, AttributeError, NameError, ImportError, NotImplementedError)
"""What says something of the code that raised it, whatever it was given. A KeyError or a ValueError does not: so fails
a client, too, whose server sends something else than it should."""

_log = logging.getLogger("reasoningbank")


def attempt_edge(call: Callable[[], T], *, source: Literal["agent", "environment", "model", "embedder"]) -> T:
    """`call()`. Raises SetupError, InfraError, AgentError, LimitReached, BudgetSpent or CodeError, or what is no
    Exception (Ctrl-C).

    Whatever else goes wrong is by its source: of an agent it is AgentError, an outcome. Of the others it is CodeError
    where it is one of MISTAKES and was raised in somebody's own file, which a retry only repeats, and InfraError for
    the rest: so also for what a library raises, whose connection may be lost. Want of memory, files or network is
    InfraError always. The message is one line without addresses, so that equal faults read equal; the original is the
    `__cause__`.
    """
    try:
        return call()
    except (SetupError, InfraError, AgentError, LimitReached, BudgetSpent, CodeError):
        raise
    except MemoryError as error:
        raise InfraError(f"{source}: out of memory: {one_line(error)}") from error
    except OSError as error:
        raise InfraError(f"{source}: {one_line(error)}") from error
    except Exception as error:
        kind: type[Exception] = AgentError if source == "agent" else InfraError
        if source != "agent" and isinstance(error, MISTAKES) and not _in_library(error):
            kind = CodeError
        raise kind(f"{source}: {one_line(error)}") from error


def expect(value: T, kind: type[T], maker: object, method: str) -> T:
    """The value that a part's method returned. CodeError where it is not of the kind that was asked for, or was made
    without a check of its fields (`model_copy`, `model_construct`) and would not pass it."""
    if not isinstance(value, kind):
        raise CodeError(
            f"{type(maker).__name__}.{method} returned {type(value).__name__}, not {kind.__name__}: {at_fault(maker)}"
        )
    from pydantic import BaseModel, ValidationError  # every program imports this module, and most need no pydantic

    if isinstance(value, BaseModel) and type(value) is kind:
        try:
            return kind.model_validate(dict(value))  # type: ignore[attr-defined,no-any-return]
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(str(part) for part in first["loc"])
            raise CodeError(
                f"{type(maker).__name__}.{method} returned {kind.__name__} with {where}: {first['msg']}: "
                f"{at_fault(maker)}"
            ) from None
    return value


def at_fault(part: object) -> str:
    """What ends the message of a CodeError that is no exception of the part's."""
    return f"{file_of(part)} is at fault: mend it there, and run again"


def file_of(part: object) -> str | None:
    """The file in which a part's class stands."""
    module = sys.modules.get(type(part).__module__)
    return getattr(module, "__file__", None)


def foreign(filename: str) -> bool:
    """Whether it is a file of Python's or of an installed library, and nobody's own."""
    installed = "site-packages" in Path(filename).parts
    return filename.startswith("<") or installed or filename.startswith(str(Path(traceback.__file__).parent))


def _in_library(error: BaseException) -> bool:
    frames = traceback.extract_tb(error.__traceback__)
    return bool(frames) and foreign(frames[-1].filename)


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
