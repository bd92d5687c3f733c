"""Jobs carried out for a person: from built objects through folders and streams to the report, with what is said."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.console import Console

    from eval.config.load import Job
    from eval.config.settings import Settings
    from eval.runner import Assignment
    from eval.workbench import Workbench


WRITING = "writing tables and figures"


def say_size(settings: Settings, runs: int) -> None:
    """The first line of a sweep, since a large one takes its time to prepare."""
    from reasoningbank.text import counted

    if settings.progress != "quiet":
        print(f"a sweep of {counted(runs, 'run')}: preparing", flush=True)


def joined_dirs(argv: list[str]) -> list[str]:
    """`--config-dir DIR` as `--config-dir=DIR`."""
    joined: list[str] = []
    for text in argv:
        if joined and joined[-1] == "--config-dir":
            joined[-1] = f"--config-dir={text}"
        else:
            joined.append(text)
    return joined


def check_flags(overrides: list[str], flags: set[str]) -> None:
    from eval.names import nearest
    from reasoningbank.errors import SetupError

    for text in overrides:
        if text.startswith("-") and not text.startswith("--config-dir="):
            known = {*flags, "--config-dir=DIR", "--help"}
            name = text.partition("=")[0].split()[0]  # the value may be a secret
            raise SetupError(f"no option {name!r}: {nearest(name, known)}; settings are KEY=VALUE")


def run_jobs(
    jobs: list[Job],
    argv: list[str],
    *,
    label: str | None = None,
    found: Callable[[Path], None] = lambda folder: None,
    table: bool = True,
) -> int:
    """Build, prepare the folders, run every stream, report. `label` begins a sweep's default name; `found` gets the
    folder as soon as it is known; without `table` the report is written and not printed. Returns 1 where a replay came
    to another end than what it answers from, else 0."""
    from eval.faults import surroundings
    from eval.progress import Progress
    from eval.runner import StreamEnd, run_all, worker_count
    from eval.runs.folders import check_folders, check_writable
    from eval.runs.replayed import as_recorded
    from eval.runs.spending import check_budget, open_cells, spent_words
    from eval.terminal.process import still_interrupted
    from reasoningbank.errors import InfraError, SetupError

    jobs = [as_recorded(job) for job in jobs]
    first = jobs[0].settings
    quiet, sweep = first.progress == "quiet", bool(jobs[0].varied)
    check_writable(Path(first.results_dir))  # before what takes its time
    built, identities = prepared(jobs)
    check_different(jobs, identities)
    place, folders = places(jobs, identities, label)
    found(place)
    check_folders(place, dict(zip(folders, jobs, strict=True)), identities)
    check_budget(first, built)
    say_notes(built, quiet=quiet)

    benches = dict(zip(folders, built, strict=True))
    with ExitStack() as locks:
        assignments = [
            each
            for folder, job, data in zip(folders, jobs, identities, strict=True)
            for each in assigned(folder, job, benches[folder], data, argv, locks)
        ]
        workers = min(worker_count(job.settings, len(assignments)) for job in jobs)
        cells = open_cells(first, folders, len(assignments))
        stopped: list[StreamEnd] = []
        fault = ""
        equal = True
        try:
            with Progress(assignments, mode=first.progress) as progress:
                stopped = still_interrupted(
                    lambda: run_all(assignments, workers=workers, benches=benches, on_event=progress.event, cells=cells)
                )
            report(place, sweep=sweep, quiet=quiet, folders=list(benches), table=table, figure=first.figure)
            if cells is not None and not quiet:
                print(f"spent since the command was first begun: {spent_words(cells)}", flush=True)
            equal = say_replayed(benches, quiet=quiet)
        except KeyboardInterrupt as stop:
            said = f"{place} keeps all that is finished, the same command continues"
            stop.args = (said, f"`python -m eval report {place}` reports so far")
            raise
        except (OSError, MemoryError) as error:
            # of a stream its worker tells such things: this is the report, or a worker that could not be started
            if isinstance(cause := surroundings(error), SetupError):
                raise cause from error
            fault = str(cause)
    faults = [*(each.text for each in stopped if each.fault == "infra"), *([fault] if fault else [])]
    spent = [each.text for each in stopped if each.fault == "budget"]  # which says by itself what continues
    if faults or spent:
        raise InfraError("; ".join([*faults, *(["the same command continues"] if faults else []), *spent]))
    return 0 if equal else 1


def assigned(
    folder: Path, job: Job, bench: Workbench, data: dict[str, Any], argv: list[str], locks: ExitStack
) -> list[Assignment]:
    """The streams of a run, whose folder is opened and stays locked with `locks`."""
    from eval.journal import stream_folder
    from eval.plan import plan_streams
    from eval.runner import Assignment
    from eval.runs.folders import open_run
    from eval.runs.journal_file import check_journal

    plans = plan_streams(job.settings, bench.suite)
    lock = open_run(folder, job, bench, data, {plan.name: len(plan.tasks) for plan in plans}, argv)
    locks.callback(lock.release)
    for plan in plans:
        check_journal(stream_folder(folder, plan.name) / "journal.jsonl")
    return [Assignment(job.settings, folder, plan.name, len(plan.tasks)) for plan in plans]


def prepared(jobs: list[Job], *, asked: bool = True) -> tuple[list[Workbench], list[dict[str, Any]]]:
    """What each job is built from, and what makes it the run it is. `asked`: models are going to be."""
    from eval.runs.identity import identity
    from eval.workbench import Shared, build_workbench

    shared = Shared()
    built = [build_workbench(job.settings, shared, asked=asked) for job in jobs]
    return built, [identity(bench) for bench in built]


def places(jobs: list[Job], identities: list[dict[str, Any]], label: str | None = None) -> tuple[Path, list[Path]]:
    """The folder of a run or a sweep, and that of each job."""
    from eval.runs.folders import default_name, job_folders, sweep_name

    first = jobs[0].settings
    root = Path(first.results_dir)
    if not jobs[0].varied:
        place = root / (first.run_name or default_name(jobs[0], identities[0]))
        return place, [place]
    place = root / (first.run_name or sweep_name(jobs, identities, label))
    return place, [place / each for each in job_folders(jobs)]


def say_notes(benches: list[Workbench], *, quiet: bool) -> None:
    """What a user may not have meant."""
    from reasoningbank.memory.base import LearningMethod

    said = {
        f"note: retrieval.k=0: nothing is recalled, and memory={bench.settings.memory['type']} pays for judge and "
        "extractor all the same; memory=none pays for neither"
        for bench in benches
        if bench.retrieval.k == 0 and isinstance(bench.memory, LearningMethod) and not bench.settings.bank.frozen
    }
    from eval.runs.spending import unbilled, unpriced
    from eval.suites.base import EvaluatedElsewhere

    said |= {
        f"note: {bench.suite.elsewhere}"
        for bench in benches
        if isinstance(bench.suite, EvaluatedElsewhere) and bench.suite.elsewhere
    }

    said |= {f"note: {each}" for bench in benches if bench.settings.budget.given for each in unbilled(bench)}
    said |= {
        f"note: no price is known for {model}: its cost is not told; give it in a file, prices=FILE"
        for bench in benches
        for model in unpriced(bench)
    }
    if not quiet and said:
        print(*sorted(said), sep="\n", flush=True)


def say_replayed(benches: dict[Path, Workbench], *, quiet: bool) -> bool:
    """Whether runs that records answered came to what was recorded; true for others."""
    from eval.runs.replayed import compared

    equal = True
    for folder, bench in benches.items():
        source = bench.settings.calls.replay
        if source is not None:
            found = compared(folder, Path(source))
            equal = equal and found.equal
            if not quiet:
                print(found.said, flush=True)
    return equal


def check_different(jobs: list[Job], identities: list[dict[str, Any]]) -> None:
    """SetupError where two jobs of a sweep are one run."""
    from reasoningbank.errors import SetupError

    for number, data in enumerate(identities):
        if (other := identities.index(data)) < number:
            one, two = (" ".join(jobs[each].varied) for each in (other, number))
            raise SetupError(f"{one} and {two} are the same settings: leave one of them out of the sweep")


def report(folder: Path, *, sweep: bool, quiet: bool, folders: list[Path], table: bool, figure: bool) -> None:
    """Write and print the report; of what is reported already only the table is printed again."""
    from rich.console import Console

    from eval.commands import _reported as reported

    # a file or a pipe has no width of its own
    console = Console(quiet=quiet or not table, width=None if sys.stdout.isatty() else 160)
    told = quiet
    of_run, of_sweep = (reported.RUN, reported.SWEEP) if figure else (reported.TEXTS, reported.TEXTS)
    for each in folders:
        made_from = reported.sources([each])
        old = reported.up_to_date(each, made_from, of_run)
        if not old:
            if not told:
                print(WRITING, flush=True)
                told = True
            from eval.analysis.report import write_report

            result = write_report(each, figure=figure)
            reported.note(each, made_from, of_run)
            if not sweep:
                result.render(console)
        elif not sweep:
            print_again(each, console, of_run)
    if not sweep:
        return
    from eval.analysis.records import runs_below

    made_from = reported.sources(runs_below(folder))
    if reported.up_to_date(folder, made_from, of_sweep):
        print_again(folder, console, of_sweep)
        return
    if not told:
        print(WRITING, flush=True)
    from eval.analysis.report import write_sweep_report

    write_sweep_report(folder, figure=figure).render(console)
    reported.note(folder, made_from, of_sweep)


def print_again(folder: Path, console: Console, files: tuple[str, ...]) -> None:
    # a terminal that is too narrow breaks the lines: better than columns that are cut off
    text = (folder / "table.txt").read_text(encoding="utf-8")
    console.print(text, soft_wrap=True, markup=False, highlight=False, end="")
    console.print(f"up to date in {folder}: {', '.join(files)}", highlight=False)
