"""How many browsers work at a time on one machine, whichever processes have asked them to.

    with machine_turns().turn():
        ...  # others wait, as they do for a model

A turn is a lock on a file, which the operating system takes back from a process that ends.
"""

from __future__ import annotations

import fcntl
import os
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from eval.cores import cores
from reasoningbank.errors import InfraError

LOOK = 0.01
"""Seconds between two looks for a turn that another process has given back."""
LONGEST = 60.0
"""Seconds that anybody waits: one who holds a turn may have been stopped, and the machine has time to spare then."""


class Turns:
    """As many turns as `most`, shared by all who name the same folder, which only they need to be able to write to."""

    def __init__(self, folder: Path, most: int, *, longest: float = LONGEST) -> None:
        self._folder = folder
        self._most = most
        self._longest = longest
        self._here = threading.BoundedSemaphore(most)

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Waits for a turn and holds it. InfraError where the folder cannot be used."""
        until = time.monotonic() + self._longest
        first = self._here.acquire(timeout=self._longest)
        try:
            with self._lock(until):
                yield
        finally:
            if first:
                self._here.release()

    @contextmanager
    def _lock(self, until: float) -> Iterator[None]:
        handles: list[int] = []
        try:
            try:
                self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
                for number in range(self._most):
                    handles.append(os.open(self._folder / f"turn-{number}", os.O_RDWR | os.O_CREAT, 0o600))
            except OSError as error:
                raise InfraError(f"the browsers' turns in {self._folder} cannot be taken: {error.strerror}") from error
            while not any(map(_free, handles)) and time.monotonic() < until:
                time.sleep(LOOK)
            yield
        finally:
            for handle in handles:
                os.close(handle)


def _free(handle: int) -> bool:
    """Whether nobody holds it; it is held from then on."""
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


@cache
def machine_turns() -> Turns:
    """One for each core, and two at least: more browsers at work only get into each other's way. Those of other users
    of the machine are not known."""
    folder = Path(tempfile.gettempdir()) / f"reasoningbank-browsers-{os.getuid()}"
    return Turns(folder, max(2, cores()))
