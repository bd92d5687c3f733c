"""Spreads streams over processes. Workers get a stream at a time and send events; this side draws and decides.

A worker is the same function whether it is a process or, with one worker, a thread of this process: it reads
assignments from its end of a pipe until it gets None. The main thread only ever waits on pipes, so that Ctrl-C finds
it awake whatever a worker hangs in (but for what holds the interpreter's lock: see `eval.terminal.process`).
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, MutableSequence, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Literal

from eval.config.settings import Settings
from eval.cores import cores
from eval.faults import Told, surroundings, told
from eval.journal import JournalLine, stream_folder
from eval.plan import plan_streams
from eval.runs.predictions import stream_predictions
from eval.stream import run_stream
from eval.terminal.process import killed
from eval.transport import carried, most_workers
from eval.workbench import Seat, Shared, Workbench, build_workbench
from reasoningbank.boundary import capture
from reasoningbank.errors import BudgetSpent, InfraError, SetupError
from reasoningbank.files import shortage
from reasoningbank.llm.budget import Ledger


@dataclass(frozen=True)
class Assignment:
    """One stream of one run, whose folder is there already."""

    settings: Settings
    folder: Path
    stream: str
    tasks: int


@dataclass(frozen=True)
class EpisodeBegun:
    """A task is being worked on."""

    assignment: Assignment
    task_id: str


@dataclass(frozen=True)
class EpisodeDone:
    """An episode stands in the journal; `old` when it did before this command."""

    assignment: Assignment
    task_id: str
    success: float | None
    tokens: int
    old: bool
    cost_usd: float = 0.0
    """As far as prices are known."""


@dataclass(frozen=True)
class Note:
    """Something a person should know, such as a repaired journal or a retry."""

    text: str


@dataclass(frozen=True)
class Waiting:
    """What a call waits for, such as the network; an empty text when that is over."""

    text: str


@dataclass(frozen=True)
class StreamEnd:
    """The worker is free again. `fault` is empty when the stream is finished; `code` is a mistake in some code."""

    assignment: Assignment
    fault: Literal["", "setup", "infra", "budget", "code"] = ""
    text: str = ""


Event = EpisodeBegun | EpisodeDone | Note | Waiting | StreamEnd


class Gone(Exception):
    """The other side has closed its pipe: nobody waits for this worker any more."""


class Line:
    """The worker's end of the pipe."""

    def __init__(self, pipe: Connection) -> None:
        self._pipe = pipe
        self._lock = threading.Lock()  # the attempts of an episode have threads of their own

    def receive(self) -> Assignment | None:
        """The next assignment; None when there is none, or nobody to give one."""
        try:
            given: Assignment | None = self._pipe.recv()
        except (EOFError, OSError):
            return None
        return given

    def send(self, event: Event) -> None:
        try:
            with self._lock:
                self._pipe.send(event)
        except OSError as error:
            raise Gone from error

    def tell(self, text: str) -> None:
        """What is waited for. In the midst of an attempt it is no matter that nobody is left to hear it."""
        with suppress(Gone):
            self.send(Waiting(text))


def work(pipe: Connection, benches: dict[Path, Workbench], shared: Shared) -> None:
    """Run streams until the other side sends None or goes. `benches` are runs already built in this process."""
    with pipe:
        line = Line(pipe)
        while (assignment := line.receive()) is not None:
            try:
                line.send(carry_out(assignment, line, benches, shared))
            except Gone:
                return


def carry_out(assignment: Assignment, line: Line, benches: dict[Path, Workbench], shared: Shared) -> StreamEnd:
    """Run one stream, and say how it ended, whatever was raised."""

    def carry() -> None:
        if assignment.folder not in benches:
            benches[assignment.folder] = build_workbench(assignment.settings, shared)
        run_assignment(benches[assignment.folder], assignment, line, shared.ledger)

    error = capture(carry).error
    if isinstance(error, Gone):
        raise error
    return StreamEnd(assignment) if error is None else ended(assignment, error, benches.get(assignment.folder))


def ended(assignment: Assignment, error: BaseException, bench: Workbench | None) -> StreamEnd:
    """What to tell of a stream that `error` ended: this is the one place where errors of any kind are told apart."""
    if isinstance(error, (OSError, MemoryError)) and (shortage(error) or in_folder(error, assignment.folder)):
        said = surroundings(error)
        if isinstance(said, InfraError):
            said = InfraError(f"{assignment.stream}: {said}")
        error = said
    match error:
        case SetupError():
            return StreamEnd(assignment, "setup", str(error))
        case InfraError():
            return StreamEnd(assignment, "infra", str(error))
        case BudgetSpent():
            return StreamEnd(assignment, "budget", str(error))
    return StreamEnd(assignment, "code", told(error, {} if bench is None else bench.parts))


def in_folder(error: BaseException, folder: Path) -> bool:
    """Whether it is about one of the run's own files."""
    name = getattr(error, "filename", None)
    return isinstance(name, (str, Path)) and folder.absolute() in Path(name).absolute().parents


def run_assignment(bench: Workbench, assignment: Assignment, line: Line, ledger: Ledger | None = None) -> None:
    plans = plan_streams(assignment.settings, bench.suite)
    plan = next(plan for plan in plans if plan.name == assignment.stream)

    def report(entry: JournalLine, old: bool) -> None:
        tokens = sum(role.total for role in entry.result.tokens.values())
        success = entry.result.success(bench.scaling.success_metric) if entry.result.counted else None
        cost = sum(spent.cost_usd or 0.0 for spent in entry.telemetry.spent.values())
        line.send(EpisodeDone(assignment, entry.result.task_id, success, tokens, old, cost))

    folder = stream_folder(assignment.folder, assignment.stream)
    run_stream(
        replace(bench, transport=carried(bench.transport, assignment.settings, line.tell, ledger)),
        plan,
        folder,
        report=report,
        note=lambda text: line.send(Note(text)),
        begin=lambda task: line.send(EpisodeBegun(assignment, task.id)),
        predictions=stream_predictions(bench.suite, assignment.folder, plan.name, [task.id for task in plan.tasks]),
    )


def process_main(pipe: Connection, parent: int, seat: Seat) -> None:
    """A worker process: it does not outlive the process that started it.

    Ctrl-C is that process's to handle; but programs that a plugin starts here must not inherit that they are deaf to
    it. A handler of Python's is not inherited.
    """
    signal.signal(signal.SIGINT, lambda number, frame: None)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(0.2)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
    work(pipe, {}, Shared.at(seat))


class Worker:
    """One worker and our end of its pipe. A single one is a thread."""

    def __init__(self, seat: Seat, benches: dict[Path, Workbench]) -> None:
        self.seat = seat
        self.pipe, other = multiprocessing.Pipe()
        self.assignment: Assignment | None = None
        self.dead = False
        self.process: multiprocessing.process.BaseProcess | None = None
        if seat.workers == 1:
            threading.Thread(target=work, args=(other, benches, Shared.at(seat)), daemon=True).start()
            return
        context = multiprocessing.get_context("spawn")
        self.process = context.Process(target=process_main, args=(other, os.getpid(), seat), daemon=True)
        # blocked until the worker has a handler of its own
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        self.process.start()
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        other.close()

    def give(self, assignment: Assignment | None) -> None:
        """Its next stream, or None: it may go. That a worker is dead shows when something is received from it."""
        self.assignment = assignment
        with suppress(OSError):
            self.pipe.send(assignment)

    def receive(self) -> Event:
        """The worker's next event; of a worker that has died, the end of its stream."""
        try:
            event: Event = self.pipe.recv()
        except (EOFError, OSError):
            assert self.assignment is not None
            self.dead = True
            return StreamEnd(self.assignment, "infra", f"{self.assignment.stream}: {self.obituary()}")
        return event

    def obituary(self) -> str:
        if self.process is not None:
            self.process.join(1.0)
            if (code := self.process.exitcode) is not None and code < 0:
                return f"its process was {killed(-code)}"
            return f"its process ended by itself (exit code {code})"
        return "its thread ended by itself"

    def kill(self) -> None:
        if self.process is not None:
            self.process.kill()


def run_all(
    assignments: Sequence[Assignment],
    *,
    workers: int,
    benches: dict[Path, Workbench],
    on_event: Callable[[Event], None],
    cells: MutableSequence[float] | None = None,
) -> list[StreamEnd]:
    """Run every stream; the ends of those that stopped early, each message once. SetupError and Told end all at once.

    A worker that dies stops its stream alone: another takes its place. `cells`, where there is a budget: what has been
    spent, two cells for what was before and two for each worker, of which there may be as many as streams. Where it is
    spent, no stream begins any more, and those that run stop by themselves.
    """
    waiting = list(assignments)
    count = min(workers, len(waiting))
    crew: list[Worker] = []
    busy: dict[Connection, Worker] = {}
    stopped: dict[str, StreamEnd] = {}

    def employ(number: int) -> None:
        worker = Worker(Seat(number, count, cells, place=1 + len(crew)), benches)
        crew.append(worker)
        busy[worker.pipe] = worker
        worker.give(waiting.pop(0))

    try:
        for number in range(count):
            employ(number)
        while busy:
            for pipe in wait(list(busy), timeout=1.0):
                assert isinstance(pipe, Connection)
                worker = busy[pipe]
                event = worker.receive()
                on_event(event)
                if not isinstance(event, StreamEnd):
                    continue
                if event.fault == "setup":
                    raise SetupError(event.text)
                if event.fault == "code":
                    raise Told(event.text)
                if event.fault in ("infra", "budget"):
                    stopped.setdefault(event.text, event)
                if event.fault == "budget":
                    waiting.clear()
                if waiting and not worker.dead:
                    worker.give(waiting.pop(0))
                    continue
                worker.give(None)
                del busy[pipe]
                if waiting:
                    employ(worker.seat.number)
    finally:
        for worker in crew:
            worker.kill()
    return list(stopped.values())


def worker_count(settings: Settings, streams: int) -> int:
    """Processes to use: as set, else one a core; at most one a stream, and no more than a provider's limits can be
    divided among."""
    most = most_workers(settings) or streams
    return min(settings.concurrency.workers or cores(), streams, most)
