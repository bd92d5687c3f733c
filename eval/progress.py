"""How a run tells of itself: a live display on a terminal, plain lines elsewhere, or nothing."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Literal

from eval.journal import stream_folder
from eval.runner import Assignment, EpisodeBegun, EpisodeDone, Event, Note, StreamEnd, Waiting
from reasoningbank.text import counted

if TYPE_CHECKING:
    from rich.progress import Progress as RichProgress
    from rich.progress import TaskID

PLAIN_SECONDS = 3.0
"""Plain lines come at most this often."""
WAITING_SECONDS = 30.0
"""And what is waited for at most this often."""
ETA_AFTER = 3
"""Tasks this command must have done before it says when it will end."""
BAR = 12
"""Columns of the bar on a terminal: what is cut on a narrow one is the name of the task."""


class Progress:
    """Counts what the events tell and shows it. A context manager."""

    def __init__(self, assignments: Sequence[Assignment], *, mode: Literal["auto", "plain", "quiet"]) -> None:
        self.total = sum(assignment.tasks for assignment in assignments)
        self.streams = len(assignments)
        self.runs = len({assignment.folder for assignment in assignments})
        self.before = sum(lines_there(assignment) for assignment in assignments)
        self.done = self.old = self.counted = self.tokens = 0
        self.successes = self.cost = 0.0
        self.current = ""
        self.quiet = mode == "quiet"
        self.started = time.monotonic()
        self.waiting = ""
        self._next_line = self._next_waiting = 0.0
        self._rich: RichProgress | None = None
        self._bar: TaskID | None = None
        if mode == "auto" and sys.stdout.isatty():
            self._rich = rich_display()

    def __enter__(self) -> Progress:
        first = f"{counted(self.runs, 'run')}, {counted(self.streams, 'stream')}, {counted(self.total, 'task')}"
        if self.before >= self.total:
            first += "; already finished"
        elif self.before:
            first += f"; continues at {self.before} of {self.total}"
        if self._rich is not None:
            self._say(first)
            self._rich.start()
            self._bar = self._rich.add_task("starting", total=self.total, completed=self.before, state="")
        else:
            self._say(first)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._rich is not None:
            self._rich.stop()

    def event(self, event: Event) -> None:
        if isinstance(event, Note):
            self._say(f"note: {event.text}")
        elif isinstance(event, EpisodeBegun):
            self._show(event.assignment, event.task_id)
        elif isinstance(event, EpisodeDone):
            self._episode(event)
        elif isinstance(event, Waiting):
            self._wait(event.text)
        elif isinstance(event, StreamEnd) and event.fault == "infra":
            self._say(f"stopped: {event.text}")

    def _wait(self, text: str) -> None:
        self.waiting = text
        self._draw()
        now = time.monotonic()
        if text and self._rich is None and now >= self._next_waiting:
            self._next_waiting = now + WAITING_SECONDS
            self._say(f"[{self.done}/{self.total}] {text}")

    def _episode(self, event: EpisodeDone) -> None:
        self.done += 1
        self.old += event.old
        self.tokens += event.tokens
        self.cost += event.cost_usd
        if event.success is not None:
            self.counted += 1
            self.successes += event.success
        if event.old:
            return
        self._show(event.assignment, event.task_id)
        now = time.monotonic()
        if self._rich is None and (now >= self._next_line or self.done == self.total):
            self._next_line = now + PLAIN_SECONDS
            self._say(f"[{self.done}/{self.total}] {self.current}  {self.state()}")

    def _show(self, assignment: Assignment, task_id: str) -> None:
        """Name the task that is worked on; on a terminal draw it with what is known so far."""
        where = f"{assignment.folder.name} {assignment.stream}" if self.runs > 1 else assignment.stream
        self.current = f"{where} task {task_id}"
        self._draw()

    def _draw(self) -> None:
        if self._rich is not None and self._bar is not None:
            state, done = self.state(), max(self.done, self.before)
            taken = BAR + len(f"{done}/{self.total}") + len(state) + 3
            room = self._rich.console.width - taken
            name = beginning(self.waiting, room) if self.waiting else shortened(self.current, room)
            self._rich.update(self._bar, completed=done, description=name, state=state)

    def state(self) -> str:
        """Success so far (of several runs there is no one figure), tokens, US dollars, and when it may end."""
        success = ""
        if self.counted and self.runs == 1:
            success = f"success {100 * self.successes / self.counted:.1f} %"
        cost = f"$ {self.cost:,.2f}" if self.cost else ""
        return "  ".join(filter(None, (success, f"tokens {self.tokens:,}", cost, self.eta())))

    def eta(self) -> str:
        """The time left if the rest goes like what this command has done; empty while that is too little."""
        fresh = self.done - self.old
        if fresh < ETA_AFTER or self.done >= self.total:
            return ""
        left = round((time.monotonic() - self.started) / fresh * (self.total - max(self.done, self.before)))
        hours, minutes, seconds = left // 3600, left // 60 % 60, left % 60
        return f"ETA {hours}:{minutes:02}:{seconds:02}" if hours else f"ETA {minutes}:{seconds:02}"

    def _say(self, text: str) -> None:
        if self._rich is not None:
            self._rich.console.print(text, highlight=False, markup=False)
        elif not self.quiet:
            print(text, flush=True)


def rich_display() -> RichProgress:
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn
    from rich.progress import Progress as RichProgress

    return RichProgress(
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=BAR),
        MofNCompleteColumn(),
        TextColumn("{task.fields[state]}", markup=False),
    )


def lines_there(assignment: Assignment) -> int:
    """How many tasks of a stream stand in its journal already, but for those that were skipped: they are done again."""
    try:
        journal = (stream_folder(assignment.folder, assignment.stream) / "journal.jsonl").read_bytes()
    except FileNotFoundError:
        return 0
    if b'"exit":"infra_error"' not in journal:
        return min(journal.count(b"\n"), assignment.tasks)
    done: dict[int, bool] = {}
    for line in journal.splitlines():
        try:
            result = json.loads(line)["result"]
            done[result["position"]] = any(each["exit"] != "infra_error" for each in result["attempts"])
        except (ValueError, KeyError, TypeError):
            continue  # what is wrong with it is said when the stream begins
    return sum(done.values())


def shortened(text: str, room: int) -> str:
    """The end of a text, where the task is named, as far as there is room."""
    return text if len(text) <= room else f"…{text[1 - room :]}" if room > 1 else ""


def beginning(text: str, room: int) -> str:
    """The beginning of a text, where what is waited for is named, as far as there is room."""
    return text if len(text) <= room else f"{text[: room - 1]}…" if room > 1 else ""
