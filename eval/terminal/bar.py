"""How far a command has come with things of a known number: a bar on a terminal, a line now and then elsewhere."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

PLAIN_SECONDS = 5.0
"""Plain lines come at most this often."""


class Bar:
    """A context manager, on standard error: what a command found goes to standard output."""

    def __init__(self, what: str, total: int) -> None:
        self.what = what
        self.total = total
        self.done = 0
        self._next_line = time.monotonic() + PLAIN_SECONDS
        self._said = False
        self._unsaid = ""
        """The newest state while it is on no line."""
        self._rich: Progress | None = None
        self._task: TaskID | None = None

    def __enter__(self) -> Bar:
        if sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

            columns = (TextColumn("{task.description}"), BarColumn(bar_width=24), MofNCompleteColumn())
            state = TextColumn("{task.fields[state]}", markup=False)
            self._rich = Progress(*columns, state, TimeElapsedColumn(), console=Console(stderr=True))
            self._rich.start()
            self._task = self._rich.add_task(self.what, total=self.total, state="")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._rich is not None:
            self._rich.stop()
        elif self._said and self._unsaid:
            print(self._unsaid, file=sys.stderr, flush=True)

    def show(self, done: int, state: str = "") -> None:
        """So many are done; `state` says more in a few words."""
        self.done = done
        now = time.monotonic()
        if self._rich is not None and self._task is not None:
            self._rich.update(self._task, completed=done, state=state)
            return
        self._unsaid = f"[{done}/{self.total}] {self.what}  {state}".rstrip()
        if now >= self._next_line:
            print(self._unsaid, file=sys.stderr, flush=True)
            self._next_line = now + PLAIN_SECONDS
            self._said, self._unsaid = True, ""

    def say(self, text: str) -> None:
        """A line above it."""
        if self._rich is not None:
            self._rich.console.print(text, highlight=False, markup=False)
        else:
            print(text, file=sys.stderr, flush=True)

    def step(self, state: str = "") -> None:
        """One more is done."""
        self.show(self.done + 1, state)
