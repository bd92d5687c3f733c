"""`python -m eval run`: run an experiment, or go on with one that was stopped.

python -m eval run +exp=matts_parallel k=5
python -m eval run -m memory=none,reasoningbank seed=0,1,2
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from eval.config import Job

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

    from eval.config import expand

    jobs = expand(overrides, multirun=multirun)
    if "--show-config" in argv:
        show(jobs)
        return 0
    return run_jobs(jobs)


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


def run_jobs(jobs: list[Job]) -> int:
    """Build, prepare the folders, run every stream, report."""
    from contextlib import ExitStack

    from eval.__main__ import leave
    from eval.faults import Fault
    from eval.identity import default_name, identity, job_folder, open_run, sweep_name
    from eval.progress import Progress
    from eval.runner import Assignment, run_all, worker_count
    from eval.stream import plan_streams
    from eval.workbench import Workbench, build_workbench
    from reasoningbank.errors import InfraError
    from reasoningbank.interfaces import Embedder

    embedders: dict[str, Embedder] = {}
    built = [(job, build_workbench(job.settings, embedders)) for job in jobs]
    identities = [identity(bench) for _, bench in built]
    first = jobs[0].settings
    root = Path(first.results_dir)
    sweep = bool(jobs[0].varied)
    name = first.run_name or (sweep_name(jobs, identities) if sweep else default_name(jobs[0], identities[0]))

    assignments: list[Assignment] = []
    benches: dict[Path, Workbench] = {}
    with ExitStack() as locks:
        for (job, bench), data in zip(built, identities, strict=True):
            folder = root / name / job_folder(job.varied) if sweep else root / name
            plans = plan_streams(job.settings, bench.suite.id, bench.suite.tasks())
            lock = open_run(folder, job, bench, data, {plan.name: len(plan.tasks) for plan in plans})
            locks.callback(lock.release)
            benches[folder] = bench
            assignments += [Assignment(job.settings, folder, plan.name, len(plan.tasks)) for plan in plans]
        workers = worker_count(first, len(assignments))
        try:
            with Progress(assignments, mode=first.progress) as progress:
                stopped = run_all(assignments, workers=workers, benches=benches, on_event=progress.event)
        except KeyboardInterrupt:
            said = f"\ninterrupted; {root / name} keeps all that is finished, the same command continues"
            print(f"{said}; `python -m eval report {root / name}` reports so far", file=sys.stderr)
            leave(130)
        except Fault as fault:
            print(fault, file=sys.stderr)
            return 1
        report(root / name, sweep=sweep, quiet=first.progress == "quiet", folders=list(benches))
    if stopped:
        raise InfraError(f"{'; '.join(stopped)}; the same command continues there")
    return 0


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
