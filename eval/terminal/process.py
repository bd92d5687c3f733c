"""What this process shares with the system: its standard streams, which may fail or be closed, and the signals that
end it.

A program runs in a child of the process that was started, which does nothing but wait (`watched`). Python looks at a
signal when it gets round to it, and never while some code holds the interpreter's lock (a regular expression that
backtracks, an extension that hangs): then the one that waits ends it. It tells, too, of a program that has ended
without saying so. This costs one fork before anything is loaded, a few milliseconds.
"""

from __future__ import annotations

import mmap
import os
import signal
import sys
import time
from collections.abc import Callable, Set
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import Any, NoReturn, TextIO, TypeVar, cast

T = TypeVar("T")

WORKS, LEAVES, LEFT = range(3)
"""What the program says to the one that watches it, in the byte they share."""

NOTICE = 0.7
"""Seconds in which the program must notice a signal that is to end it."""

LEAVE = 3.0
"""Seconds that it has for the rest once it has noticed: on a busy machine little may take long. As much as the programs
that it has started have once it has gone."""


DEATH_SIGNAL, HEIR = 1, 36
"""Options of prctl(2): what this process gets when its parent dies; whose children those become whose parent has died
(PR_SET_CHILD_SUBREAPER)."""


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


def watched(interrupted: str) -> mmap.mmap:
    """Go on in a child of this process, which ends as the child does. Returns the byte that both share, in the child.

    `interrupted`: what to say where the child had to be killed.
    """
    said = mmap.mmap(-1, 1)
    if not hasattr(signal, "sigtimedwait"):  # macOS lacks it: there a program goes unwatched
        return said
    # a background job of a shell is not to hear of Ctrl-C
    ending = {number for number in (signal.SIGINT, signal.SIGTERM) if signal.getsignal(number) != signal.SIG_IGN}
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    watcher = os.getpid()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {*ending, signal.SIGCHLD})
    prctl(HEIR, 1)  # before there is a child, which does not inherit it and may be quick
    try:
        child = os.fork()
    except OSError:  # the system grants no more processes: it goes unwatched
        prctl(HEIR, 0)
        child = 0
    else:
        if child:
            watch(child, said, ending, interrupted)
        prctl(DEATH_SIGNAL, signal.SIGKILL)
        if os.getppid() != watcher:
            os._exit(1)
    signal.pthread_sigmask(signal.SIG_SETMASK, before)
    return said


def prctl(option: int, value: int) -> None:
    """Ask the system for a thing that Linux alone has."""
    import ctypes

    if (call := getattr(ctypes.CDLL(None), "prctl", None)) is not None:
        call(option, value)


def watch(child: int, said: mmap.mmap, ending: Set[signal.Signals], interrupted: str) -> NoReturn:
    """Wait for the child, hand on the first signal that is to end it, and see that it does, and what it has started."""
    asked: int | None = None
    until, noticed = 0.0, False
    while True:
        wanted = {*ending, signal.SIGCHLD}
        left = None if asked is None else max(0.0, until - time.monotonic())
        got = signal.sigwaitinfo(wanted) if left is None else signal.sigtimedwait(wanted, left)
        first = got.si_signo if asked is None and got is not None and got.si_signo in ending else None
        if first is not None:
            asked, until = first, time.monotonic() + NOTICE
        # the terminal's Ctrl-C goes to both: the child may have ended of it before this one looks
        if (status := reaped().get(child)) is not None:
            code = exit_code(status, asked, said[0], interrupted)
            if asked is not None or said[0] != LEFT:
                end_heirs()
            os._exit(code)
        if first is not None:
            os.kill(child, first)
        elif asked is not None and time.monotonic() >= until:
            if said[0] != WORKS and not noticed:
                until, noticed = time.monotonic() + LEAVE, True
            else:
                os.kill(child, signal.SIGKILL)
                until = time.monotonic() + LEAVE


def reaped() -> dict[int, int]:
    """The children of this process that have ended since it last looked, and how they did."""
    ended = {}
    with suppress(ChildProcessError):
        while (found := os.waitpid(-1, os.WNOHANG))[0]:
            ended[found[0]] = found[1]
    return ended


def end_heirs() -> None:
    """Tell what was started by the one that works, and is still there without it, to end: SIGTERM, once each.

    A worker may have begun another program after the terminal's Ctrl-C, and SIGTERM reached no program at all. Those
    that took a session of their own were meant to stay.
    """
    told: set[int] = set()
    until, unseen = time.monotonic() + LEAVE, 0
    # the system's list may lack some while others come or go: it is asked several times before it is believed
    while has_children() and unseen < 5 and time.monotonic() < until:
        left = heirs()
        for pid in left - told:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGTERM)
        told |= left
        changed = signal.sigtimedwait({signal.SIGCHLD}, 0.05) is not None
        unseen = 0 if left or changed else unseen + 1
        reaped()


def has_children() -> bool:
    with suppress(ChildProcessError):
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        return True
    return False


def heirs() -> set[int]:
    """The children of this process in its session."""
    mine = os.getpid()
    found = set()
    with suppress(OSError):
        for pid in map(int, Path(f"/proc/{mine}/task/{mine}/children").read_text().split()):
            with suppress(ProcessLookupError):
                if os.getsid(pid) == os.getsid(0):
                    found.add(pid)
    return found


def exit_code(status: int, asked: int | None, said: int, interrupted: str) -> int:
    """How the one that watches ends, and what it says where its child has not said it. `asked`: the signal it sent."""
    code = os.waitstatus_to_exitcode(status)
    if asked is not None and code < 0:
        tell(f"{interrupted}; it hung and was killed; what is finished is kept, the same command continues")
        return 128 + asked
    if code < 0:
        tell(f"stopped: its process was {killed(-code)}; what is finished is kept, the same command continues")
        return 3
    if said == WORKS and asked is None:
        tell(
            f"stopped: its process ended by itself (exit code {code}): some code has called os._exit; what is finished "
            "is kept, the same command continues"
        )
        return 3
    return code


def killed(number: int) -> str:
    """How to tell of a process that died of a signal."""
    why = "; out of memory, perhaps: try concurrency.workers=1" if number == signal.SIGKILL else ""
    return f"killed ({signal.Signals(number).name}{why})"


def tell(text: str) -> None:
    print(f"\n{text}", file=sys.stderr, flush=True)


def take_signals(said: mmap.mmap) -> None:
    """Let the first Ctrl-C raise KeyboardInterrupt, and the first SIGTERM Terminated, in the main thread.

    Later ones must not break into what that sets off, and the same may come twice: from the terminal and handed on.
    """

    def hear(number: int, frame: FrameType | None) -> None:
        if said[0] == WORKS:
            said[0] = LEAVES
            end(number, frame)

    def end(number: int, frame: FrameType | None) -> None:
        if said[0] == LEFT:
            return
        if importing(frame):  # many a library makes an error of its own of what breaks into its loading
            signal.signal(signal.SIGALRM, lambda _, later: end(number, later))
            signal.setitimer(signal.ITIMER_REAL, 0.01)
            return
        _raised.append(Terminated() if number == signal.SIGTERM else KeyboardInterrupt())
        raise _raised[0]

    signal.signal(signal.SIGTERM, hear)
    if signal.getsignal(signal.SIGINT) != signal.SIG_IGN:
        signal.signal(signal.SIGINT, hear)


_raised: list[KeyboardInterrupt] = []
"""What a signal has set off in this process: one at most."""


def still_interrupted(call: Callable[[], T]) -> T:
    """`call()`, of which Ctrl-C and SIGTERM come as what they were, where code that is compiled has made another error
    of them."""
    from reasoningbank.boundary import capture  # later than the fork, which is to cost nothing

    done = capture(call)
    if _raised and done.error is not None and done.error is not _raised[0]:
        raise _raised[0] from done.error
    return done.unwrap()


def importing(frame: FrameType | None) -> bool:
    """Whether this code runs because a module is being loaded."""
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False
