"""One stream: its tasks in order over one bank, every episode committed before the next begins."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from types import TracebackType

from eval.episode import EpisodeRun
from eval.journal import JournalLine, episode_id
from eval.plan import StreamPlan
from eval.runs.first_banks import bank_notes, scope_of, starting_experiences
from eval.runs.journal_file import JournalFile
from eval.runs.predictions import StreamPredictions
from eval.suites.base import BeginsStreams, EndsStreams, HealthChecked, Suite
from eval.workbench import Workbench
from reasoningbank.bank.bank import Bank
from reasoningbank.boundary import attempt_edge, capture
from reasoningbank.errors import InfraError, Outage, SetupError
from reasoningbank.failpoints import failpoint
from reasoningbank.types import Experience, Task

_log = logging.getLogger("reasoningbank")

Report = Callable[[JournalLine, bool], None]
"""Gets each line, and whether it was there before."""


def run_stream(
    bench: Workbench,
    plan: StreamPlan,
    folder: Path,
    *,
    report: Report,
    note: Callable[[str], None],
    begin: Callable[[Task], None] = lambda task: None,
    sleep: Callable[[float], None] = time.sleep,
    predictions: StreamPredictions | None = None,
) -> None:
    """Run what the journal in `folder` lacks. `report` gets every line, those that were there too; `begin`
    each task before it runs. `predictions` follow the journal, line by line.

    InfraError where an episode failed in all its tries: what stands in the journal stays, and a later call goes on.
    """
    bench.embedder.waiting = bench.transport.waiting

    def committed(line: JournalLine) -> None:
        if predictions is not None:
            predictions.add(line)
        report(line, False)

    journal = JournalFile(folder / "journal.jsonl")
    with StreamEnd(bench.suite, plan.name), closing(journal):
        if journal.repaired:
            note(journal.repaired)
        check_tasks(journal, plan)
        key, scope = bench.retrieval.key, scope_of(bench.suite)
        notes = bank_notes(bench, folder.parent.parent, plan.name)
        with Bank.open(folder / "bank.sqlite", bench.embedder, key=key, scope=scope, notes=notes) as bank:
            ahead = catch_up(bank, journal, bench, plan, folder)
            if predictions is not None and (said := predictions.begin(journal.lines)):
                note(said)
            for line in journal.lines:
                if line.result.skipped:
                    done = redo(bench, plan, line, folder, bank, begin=begin, note=note, sleep=sleep)
                    if done is not line:
                        journal.append(done)
                        committed(done)
                        continue
                report(line, True)
            journal.lines.clear()
            learns = not bench.settings.bank.frozen
            begin_stream(bench.suite, plan, journal.count)
            for position in range(journal.count, len(plan.tasks)):
                begin(plan.tasks[position])
                line = run_episode(bench, plan, position, folder, bank, learns=learns, note=note, sleep=sleep)
                check_same_lessons(line, ahead, folder)
                journal.append(line)
                failpoint("journal.bank")
                for experience in line.result.learnt:
                    bank.add(experience)
                committed(line)


class StreamEnd:
    """Tells a suite that wants to know it that a stream has ended. A suite that fails in that hides no error which
    ended the stream: its own is told then, and raised where there is no other."""

    def __init__(self, suite: Suite, name: str) -> None:
        self._suite = suite
        self._name = name

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, kind: type[BaseException] | None, ended: BaseException | None, trace: TracebackType | None
    ) -> None:
        suite = self._suite
        if not isinstance(suite, EndsStreams):
            return
        fault = capture(lambda: attempt_edge(suite.end_stream, source="environment")).error
        if fault is None:
            return
        if ended is None or not isinstance(fault, Exception):
            raise fault
        _log.warning("%s: what its suite kept for the stream could not be put away", self._name, exc_info=fault)


def catch_up(bank: Bank, journal: JournalFile, bench: Workbench, plan: StreamPlan, folder: Path) -> list[Experience]:
    """Add to the bank what the journal has and it lacks. Returns what it has of the episode that comes next."""
    ahead = entries_ahead(bank, plan, journal.count)
    learnt = [each for line in journal.lines for each in line.result.learnt]
    given = starting_experiences(bench, folder.parent.parent, plan.name)
    for experience in bank.pending([*given, *learnt, *ahead]):
        bank.add(experience)
    return ahead


def redo(
    bench: Workbench,
    plan: StreamPlan,
    skipped: JournalLine,
    folder: Path,
    bank: Bank,
    *,
    begin: Callable[[Task], None],
    note: Callable[[str], None],
    sleep: Callable[[float], None],
) -> JournalLine:
    """The line of an episode that an earlier run of the command skipped, or the old one where it fails again.

    It sees the bank as it was at its position. What came after it has done without its lessons, so it teaches none.
    """
    position = skipped.result.position
    begin(plan.tasks[position])
    line = run_episode(bench, plan, position, folder, bank, learns=False, note=note, sleep=sleep)
    return skipped if line.result.skipped else line


def entries_ahead(bank: Bank, plan: StreamPlan, position: int) -> list[Experience]:
    """What the bank has of the episode that comes next: its line was in the journal, and was torn off later.

    The episode runs again, sees nothing of its own lessons, and must learn the same.
    """
    if position >= len(plan.tasks):
        return []
    mine = f"{episode_id(plan.name, position, plan.tasks[position].id)}#"
    return [bank.get(name) for at, name in bank.ids() if at == position and name.startswith(mine)]


def check_same_lessons(line: JournalLine, ahead: Sequence[Experience], folder: Path) -> None:
    for experience in ahead:
        if experience.position == line.result.position and experience not in line.result.learnt:
            raise SetupError(
                f"{folder / 'bank.sqlite'} holds {experience.id}, whose journal line is lost, and its task has now "
                "taught something else: restore the journal from a copy, or start over with fresh=true"
            )


def check_tasks(journal: JournalFile, plan: StreamPlan) -> None:
    for number, line in enumerate(journal.lines, 1):
        wanted = plan.tasks[number - 1].id if number <= len(plan.tasks) else "none"
        if line.result.task_id != wanted or line.result.stream != plan.name:
            raise SetupError(
                f"{journal.path}, line {number} is of task {line.result.task_id} in stream {line.result.stream}, "
                f"expected task {wanted} in {plan.name}: the journal belongs to another run; start over with fresh=true"
            )


def run_episode(
    bench: Workbench,
    plan: StreamPlan,
    position: int,
    folder: Path,
    bank: Bank,
    *,
    learns: bool = True,
    note: Callable[[str], None],
    sleep: Callable[[float], None],
) -> JournalLine:
    """One episode's line, retried where something around it failed. Finished attempts are kept between the tries, and
    a suite that can be down is looked at before another."""
    settings = bench.settings
    run = EpisodeRun(
        bench, stream=plan.name, trial=plan.trial, position=position, task=plan.tasks[position], folder=folder
    )
    for failures in range(settings.retries + 1):
        try:
            if failures:
                check_health(bench.suite)
            return run.run(bank.snapshot(position), learns=learns)
        except InfraError as error:
            waited_out = isinstance(error, Outage) and settings.calls.outage_wait > 0
            if failures < settings.retries and not waited_out:
                note(f"{run.id}: {error}; try {failures + 2} of {settings.retries + 1}")
                sleep(settings.retry_wait * 2**failures)
                continue
            if settings.on_infra_error == "skip":
                note(f"{run.id}: {error}; skipped")
                return run.given_up()
            raise InfraError(f"{run.id}: {error}") from error
    raise AssertionError("unreachable")


def begin_stream(suite: Suite, plan: StreamPlan, done: int) -> None:
    """Tells a suite that wants to know it that a stream's tasks begin, but for those that are done."""
    rest = plan.tasks[done:]
    if rest and isinstance(suite, BeginsStreams):
        attempt_edge(lambda: suite.begin_stream(rest, fresh=not done), source="environment")


def check_health(suite: Suite) -> None:
    """InfraError where the suite's environments stand on something that is down."""
    if isinstance(suite, HealthChecked):
        attempt_edge(suite.check_health, source="environment")
