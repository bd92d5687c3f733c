"""What this process shares with the system: its standard streams, which may fail or be closed, and the signals that
end it."""

from __future__ import annotations

import os
import signal
import sys
from types import FrameType
from typing import Any, TextIO, cast


class OutputLost(Exception):
    """Standard output takes nothing more. `reader_gone`: it was a pipe (`| head`), which is no fault at all."""

    def __init__(self, error: OSError) -> None:
        super().__init__(f"standard output cannot be written: {error.strerror}")
        self.reader_gone = isinstance(error, BrokenPipeError)


class Terminated(KeyboardInterrupt):
    """SIGTERM: the same as Ctrl-C, but for the exit code."""


class Output:
    """Standard output whose failures cannot be taken for those of any other file or pipe."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        try:
            return self._stream.write(text)
        except OSError as error:
            raise OutputLost(error) from error

    def flush(self) -> None:
        try:
            self._stream.flush()
        except OSError as error:
            raise OutputLost(error) from error

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


class Errors(Output):
    """Standard error: where it cannot be written, there is nobody left to tell."""

    def write(self, text: str) -> int:
        try:
            return super().write(text)
        except OutputLost:
            return len(text)

    def flush(self) -> None:
        try:
            super().flush()
        except OutputLost:
            return


def take_streams() -> None:
    """Put Output and Errors in place. A stream that was closed is opened on nothing, before a file gets its number."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # the lowest free number, which is this one
            os.set_inheritable(number, True)
    sys.stdout = cast(TextIO, Output(sys.stdout or open(1, "w", closefd=False)))  # noqa: SIM115  # for good
    sys.stderr = cast(TextIO, Errors(sys.stderr or open(2, "w", closefd=False)))  # noqa: SIM115


def take_signals() -> None:
    """Let SIGTERM raise Terminated in the main thread."""

    def terminate(number: int, frame: FrameType | None) -> None:
        raise Terminated

    signal.signal(signal.SIGTERM, terminate)


def ignore_signals() -> None:
    """From here on the process ends anyway, and a second Ctrl-C must not break into that."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
