"""`python -m eval run`: run an experiment, or go on with one that was stopped.

python -m eval run +exp=matts_parallel k=5
python -m eval run -m memory=none,reasoningbank seed=0,1,2
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from eval.config import Job, Settings

HELP = "run an experiment, or go on with one that was stopped"

USAGE = """\
usage: python -m eval run [-m] [--config-dir=DIR] [--show-config] [+exp=NAME] [KEY=VALUE ...]

The same command line again continues a run that was stopped.

examples:
  python -m eval run                                    reasoningbank on webarena_mini, offline
  python -m eval run +exp=matts_parallel k=5            an experiment of configs/exp, one key changed
  python -m eval run memory=awm limit=10 run_name=try   another method, ten tasks a stream, results/try
  python -m eval run -m memory=none,awm seed=0,1,2      a sweep: six runs below one folder
  python -m eval run +llm@roles.judge=NAME              another model for one role
  python -m eval run memory=mine plugins=[mine.py] --config-dir=DIR   a method of your own, DIR/memory/mine.yaml

  -m, --multirun     values with commas are a sweep
  --config-dir=DIR   more configuration files, in folders named as the groups
  --show-config      print every key with its value, and stop"""


def main(argv: list[str]) -> int:
    if "-h" in argv or "--help" in argv:
        from eval.commands._help import settings_help

        print(USAGE, settings_help(), sep="\n\n")
        return 0
    flags = {"-m", "--multirun", "--show-config"}
    multirun = bool({"-m", "--multirun"} & set(argv))
    overrides = joined_dirs([text for text in argv if text not in flags])
    check_flags(overrides, flags)

    try:
        from eval.config import expand

        if "--show-config" in argv:
            show(expand(overrides, multirun=multirun))
            return 0
        return run_jobs(expand(overrides, multirun=multirun, begin=say_size), argv)
    except KeyboardInterrupt as stop:
        stop.args = stop.args or ("no task was begun, the same command starts again",)
        raise


def say_size(settings: Settings, runs: int) -> None:
    """The first line of a sweep, since a large one takes its time to prepare."""
    if settings.progress != "quiet":
        print(f"a sweep of {runs} run{'' if runs == 1 else 's'}: preparing", flush=True)


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
            raise SetupError(f"no option {text!r}: {nearest(text, known)}; settings are KEY=VALUE")


def show(jobs: list[Job]) -> None:
    import yaml

    for job in jobs:
        print(f"# {job.label} {' '.join(job.varied)}".rstrip())
        print(yaml.safe_dump(job.settings.model_dump(mode="json"), sort_keys=False), end="")


def run_jobs(jobs: list[Job], argv: list[str]) -> int:
    """Build, prepare the folders, run every stream, report."""
    from contextlib import ExitStack

    from eval.faults import surroundings
    from eval.folders import check_folders, default_name, job_folders, open_run, sweep_name
    from eval.identity import identity
    from eval.plan import plan_streams
    from eval.progress import Progress
    from eval.runner import Assignment, run_all, worker_count
    from eval.workbench import Shared, build_workbench
    from reasoningbank.errors import InfraError, SetupError

    first = jobs[0].settings
    root = Path(first.results_dir)
    sweep = bool(jobs[0].varied)
    shared = Shared()
    built = [build_workbench(job.settings, shared) for job in jobs]
    identities = [identity(bench) for bench in built]
    check_different(jobs, identities)
    name = first.run_name or (sweep_name(jobs, identities) if sweep else default_name(jobs[0], identities[0]))
    folders = [root / name / each for each in job_folders(jobs)] if sweep else [root / name]
    check_folders(root / name, dict(zip(folders, jobs, strict=True)), identities)

    assignments: list[Assignment] = []
    benches = dict(zip(folders, built, strict=True))
    with ExitStack() as locks:
        for folder, job, data in zip(folders, jobs, identities, strict=True):
            bench = benches[folder]
            plans = plan_streams(job.settings, bench.suite)
            lock = open_run(folder, job, bench, data, {plan.name: len(plan.tasks) for plan in plans}, argv)
            locks.callback(lock.release)
            assignments += [Assignment(job.settings, folder, plan.name, len(plan.tasks)) for plan in plans]
        workers = worker_count(first, len(assignments))
        stopped: list[str] = []
        try:
            with Progress(assignments, mode=first.progress) as progress:
                stopped = run_all(assignments, workers=workers, benches=benches, on_event=progress.event)
            report(root / name, sweep=sweep, quiet=first.progress == "quiet", folders=list(benches))
        except KeyboardInterrupt as stop:
            said = f"{root / name} keeps all that is finished, the same command continues"
            stop.args = (said, f"`python -m eval report {root / name}` reports so far")
            raise
        except (OSError, MemoryError) as error:
            # of a stream its worker tells such things: this is the report, or a worker that could not be started
            if isinstance(cause := surroundings(error), SetupError):
                raise cause from error
            stopped.append(str(cause))
    if stopped:
        raise InfraError(f"{'; '.join(stopped)}; the same command continues")
    return 0


def check_different(jobs: list[Job], identities: list[dict[str, Any]]) -> None:
    """SetupError where two jobs of a sweep are one run."""
    from reasoningbank.errors import SetupError

    for number, data in enumerate(identities):
        if (other := identities.index(data)) < number:
            one, two = (" ".join(jobs[each].varied) for each in (other, number))
            raise SetupError(f"{one} and {two} are the same settings: leave one of them out of the sweep")


def report(folder: Path, *, sweep: bool, quiet: bool, folders: list[Path]) -> None:
    from rich.console import Console

    from eval.analysis.report import write_report, write_sweep_report

    # a file or a pipe has no width of its own
    console = Console(quiet=quiet, width=None if sys.stdout.isatty() else 160)
    for each in folders:
        result = write_report(each)
        if not sweep:
            result.render(console)
    if sweep:
        write_sweep_report(folder).render(console)
