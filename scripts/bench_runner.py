"""What an episode costs beside its model, by part, and whether the 10,000th costs what the 100th does.

    python scripts/bench_runner.py                                # 100, 1,000 and 10,000 episodes of one stream
    python scripts/bench_runner.py --folder /dev/shm              # without a disk: what is left is computing
    python scripts/bench_runner.py --sizes 100 1000 --json out.json

The runner's own code runs a suite of small pages in memory with a model that recites, a default bank, the journal and
the progress display. Milliseconds an episode, the median of the last ones before each size; a part does not contain
the parts that it calls. The last column is a part's growth over the model's, whose work is always the same: on a busy
machine all parts grow. The floors do the same work bare, in the same run: a loop over environment and model, a synced
append of the same journal lines, and an exact search among as many vectors. Then what a run of each size takes to
start again and to report, and its memory.
"""

from __future__ import annotations

import argparse
import functools
import json
import multiprocessing
import os
import statistics
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from bench_shelves import STEPS, Reciter, Shelves, Walk

from eval import episode as episode_module
from eval.analysis.records import load_run
from eval.analysis.report import write_report
from eval.analysis.summary import summarize
from eval.config.load import load_job
from eval.progress import Progress
from eval.runner import Assignment, EpisodeBegun, EpisodeDone, Event, Line, run_assignment
from eval.runs.folders import describe
from eval.runs.journal_file import JournalFile
from eval.workbench import Workbench, build_workbench
from reasoningbank.bank.bank import Bank
from reasoningbank.types import Message, Task

WINDOW = 100
"""Episodes that a median is over, at most half of a size."""
DIMS = 256
"""Of the default embedder's vectors."""
STREAM = "shelves.t0"
PARTS = (
    *("environment, evaluation", "agent: prompts, parsing", "model", "judge", "learning", "recall", "embedding"),
    *("bank: add", "attempt files", "journal: append, fsync", "progress, pipe", "all else"),
)


class Meter:
    """Seconds of each part in each episode, and all of each episode."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self.rows: list[dict[str, float]] = []
        self.clock = clock
        self._row: dict[str, float] = defaultdict(float)
        self._inside = 0.0
        self._since = 0.0

    def watch(self, undo: ExitStack, owner: Any, name: str, part: str) -> None:
        """Count what `owner.name` takes, without what watched parts inside it take."""
        inner = vars(owner)[name]

        @functools.wraps(inner)
        def timed(*given: Any, **named: Any) -> Any:
            outside, self._inside, began = self._inside, 0.0, self.clock()
            try:
                return inner(*given, **named)
            finally:
                spent = self.clock() - began
                self._row[part] += spent - self._inside
                self._inside = outside + spent

        setattr(owner, name, timed)
        undo.callback(setattr, owner, name, inner)

    def begin(self) -> None:
        self._row.clear()
        self._since = self.clock()

    def end(self) -> None:
        total = self.clock() - self._since
        row = {part: self._row[part] for part in PARTS[:-1]}
        self.rows.append({**row, PARTS[-1]: total - sum(row.values()), "total": total})


class Shown(Line):
    """The worker's end of a pipe whose other end is read, and shown, at once and in the same thread."""

    def __init__(self, progress: Progress, meter: Meter) -> None:
        self._other, here = multiprocessing.Pipe(duplex=False)
        super().__init__(here)
        self._progress = progress
        self._meter = meter
        self.first: float | None = None
        """When the first task began that was not there before."""

    def send(self, event: Event) -> None:
        if isinstance(event, EpisodeBegun):
            self.first = self.first or time.perf_counter()
            self._meter.begin()
        self.show(event)
        if isinstance(event, EpisodeDone) and not event.old:
            self._meter.end()

    def show(self, event: Event) -> None:
        super().send(event)
        self._progress.event(self._other.recv())


class Again(NamedTuple):
    """What a run of some size takes to be started when it is finished, summarised, and reported; and its memory."""

    start: float
    summary: float
    report: float
    rss_mb: float
    journal_mb: float
    bank_mb: float


def watch_all(meter: Meter, undo: ExitStack, bench: Workbench) -> None:
    environment, agent, model, judge, learning, recall, embedding, add, files, journal, progress, _ = PARTS
    for name in ("reset", "step", "finish", "close"):
        meter.watch(undo, Walk, name, environment)
    for name in ("environment", "evaluate", "load_evidence"):
        meter.watch(undo, Shelves, name, environment)
    for owner, name, part in (
        (type(bench.agent), "run", agent),
        (Reciter, "complete", model),
        (type(bench.judge), "judge", judge),
        (defining(type(bench.memory), "distill"), "distill", learning),
        (defining(type(bench.memory), "recall"), "recall", recall),
        (type(bench.embedder), "embed", embedding),
        (Bank, "add", add),
        (episode_module, "save_attempt", files),
        (episode_module, "load_attempt", files),
        (JournalFile, "append", journal),
        (Shown, "show", progress),
    ):
        meter.watch(undo, owner, name, part)


def defining(cls: type, name: str) -> type:
    return next(each for each in cls.__mro__ if name in vars(each))


def measure(folder: Path, sizes: Sequence[int], clock: Callable[[], float]) -> tuple[Meter, list[Again], float]:
    """Run one stream up to each size; the last value is milliseconds of the bare loop an episode."""
    job = load_job(["memory=reasoningbank", "judge=llm", f"results_dir={folder.parent}", "progress=plain"])
    made = build_workbench(job.settings)
    bench = replace(made, suite=Shelves(max(sizes)), llms={role: Reciter(role) for role in made.llms})
    (folder / "streams" / STREAM).mkdir(parents=True)
    meter, found = Meter(clock), []
    bare = bare_loop(bench, clock)
    for size in sizes:
        settings = job.settings.model_copy(update={"limit": size})
        assignment = Assignment(settings, folder, STREAM, size)
        meta = describe(folder, job, bench, {}, {STREAM: size}, ["(a benchmark)"])
        (folder / "meta.json").write_text(json.dumps(meta))
        with ExitStack() as undo, Progress([assignment], mode="quiet") as progress:
            watch_all(meter, undo, bench)
            run_assignment(bench, assignment, Shown(progress, meter))
        found.append(again(bench, assignment, meter))
    return meter, found, bare


def again(bench: Workbench, assignment: Assignment, meter: Meter) -> Again:
    folder = assignment.folder
    rss = int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6
    began = time.perf_counter()
    with Progress([assignment], mode="quiet") as progress:
        run_assignment(bench, assignment, Shown(progress, meter))
    started = time.perf_counter()
    summarize(load_run(folder))
    summarized = time.perf_counter()
    write_report(folder)
    reported = time.perf_counter()
    stream = folder / "streams" / STREAM
    journal, bank = ((stream / name).stat().st_size / 1e6 for name in ("journal.jsonl", "bank.sqlite"))
    return Again(started - began, summarized - started, reported - summarized, rss, journal, bank)


def bare_loop(bench: Workbench, clock: Callable[[], float]) -> float:
    """Milliseconds an episode of environment and model alone."""

    def one(task: Task) -> None:
        env = bench.suite.environment(task)
        seen = env.reset(task, 0)
        for _ in range(STEPS):
            prompt = [Message(role="user", content=f"{task.intent}\n{seen.text}")]
            seen = env.step(bench.llms["agent"].complete(prompt, temperature=0, seed=0, max_tokens=9).text)
        env.close()

    return median_ms(one, bench.suite.tasks()[:WINDOW], clock)


def bare_append(folder: Path, clock: Callable[[], float]) -> float:
    """Milliseconds of writing the journal's last lines to another file, each synced."""
    lines = (folder / "streams" / STREAM / "journal.jsonl").read_bytes().splitlines(keepends=True)[-WINDOW:]
    with (folder / "bare.jsonl").open("ab", buffering=0) as file:

        def one(line: bytes) -> None:
            file.write(line)
            os.fsync(file.fileno())

        return median_ms(one, lines, clock)


def bare_search(size: int, dims: int, clock: Callable[[], float]) -> float:
    """Milliseconds of FAISS alone among so many vectors: exact search reads every one of them."""
    import faiss
    import numpy as np

    rows = np.random.default_rng(0).standard_normal((size, dims), dtype=np.float32)
    index = faiss.IndexFlatIP(dims)
    index.add(rows)
    faiss.omp_set_num_threads(1)
    return median_ms(lambda row: index.search(row[np.newaxis], 9), list(rows[:WINDOW]), clock)


def median_ms(call: Callable[[Any], object], inputs: Sequence[object], clock: Callable[[], float]) -> float:
    times = []
    for each in inputs:
        began = clock()
        call(each)
        times.append(clock() - began)
    return 1000 * statistics.median(times)


def columns(meter: Meter, sizes: Sequence[int]) -> dict[str, list[float]]:
    """Milliseconds of each part, and of all, in the last episodes before each size."""
    windows = [meter.rows[size - min(WINDOW, max(1, size // 2)) : size] for size in sizes]
    return {part: [1000 * statistics.median(row[part] for row in rows) for rows in windows] for part in meter.rows[0]}


def line(name: str, values: Sequence[float], digits: int, after: str = "") -> str:
    return f"{name:<38}{''.join(f'{value:>12.{digits}f}' for value in values)}   {after}".rstrip()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=[100, 1_000, 10_000], help="episodes, ascending")
    parser.add_argument("--folder", type=Path, help="where the run is made and removed (default: a temporary one)")
    parser.add_argument("--cpu", action="store_true", help="CPU time instead of the clock's: for a busy machine")
    parser.add_argument("--json", type=Path, help="also write the figures to this file")
    arguments = parser.parse_args()
    if min(arguments.sizes) < 2 or arguments.sizes != sorted(set(arguments.sizes)):
        parser.error("--sizes: ascending numbers from 2 are needed")
    clock = time.process_time if arguments.cpu else time.perf_counter
    with tempfile.TemporaryDirectory(dir=arguments.folder) as root:
        folder = Path(root) / "run"
        meter, found, bare = measure(folder, arguments.sizes, clock)
        floors = {
            "environment, model: bare loop": [bare],
            "journal: bare synced append": [bare_append(folder, clock)],
            "recall: bare exact search": [bare_search(size, DIMS, clock) for size in arguments.sizes],
        }
    table = columns(meter, arguments.sizes)
    slower = table["model"][-1] / table["model"][0]
    print(f"{'ms an episode, at':<38}{''.join(f'{size:>12,}' for size in arguments.sizes)}   last / first, of model")
    for part, values in table.items():
        print(line(part, values, 3, f"{values[-1] / values[0]:>12.2f}{values[-1] / values[0] / slower:>10.2f}"))
    print(line(f"a step ({STEPS} an episode)", [value / STEPS for value in table["total"]], 3))
    for name, values in floors.items():
        print(line(f"floor {name}", values, 3))
    print("\nthe run so far: seconds, and megabytes")
    for name in Again._fields:
        print(line(name.replace("_mb", ", MB"), [getattr(each, name) for each in found], 2))
    if len(found) > 1:
        gained = (found[-1].rss_mb - found[-2].rss_mb) / (arguments.sizes[-1] - arguments.sizes[-2])
        print(line("rss an episode at the end, KB", [1000 * gained], 2))
    if arguments.json:
        data = {"sizes": arguments.sizes, "clock": "cpu" if arguments.cpu else "wall", "steps": STEPS}
        runs = [each._asdict() for each in found]
        arguments.json.write_text(json.dumps({**data, "ms": table, "floors": floors, "runs": runs}, indent=2) + "\n")


if __name__ == "__main__":
    main()
