"""`python -m eval run`: run an experiment, or go on with one that was stopped.

python -m eval run +exp=matts_parallel k=5
python -m eval run -m memory=none,reasoningbank seed=0,1,2
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from eval.commands._jobs import check_flags, joined_dirs, places, prepared, run_jobs, say_size

if TYPE_CHECKING:
    from eval.config.load import Job
    from reasoningbank.errors import SetupError

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
  --show-config      print the run's folder and every key with its value, and stop"""


def main(argv: list[str]) -> int:
    if "-h" in argv or "--help" in argv:
        from eval.commands._help import settings_help

        print(USAGE, settings_help(joined_dirs(argv)), sep="\n\n")
        return 0
    from eval.config.keys import take_env_file
    from eval.terminal.process import still_interrupted

    flags = {"-m", "--multirun", "--show-config"}
    multirun = bool({"-m", "--multirun"} & set(argv))
    overrides = joined_dirs([text for text in argv if text not in flags])
    check_flags(overrides, flags)
    take_env_file()

    try:
        return still_interrupted(lambda: run_or_show(argv, overrides, multirun=multirun))
    except KeyboardInterrupt as stop:
        stop.args = stop.args or ("no task was begun, the same command starts again",)
        raise


def run_or_show(argv: list[str], overrides: list[str], *, multirun: bool) -> int:
    from eval.config.load import expand

    if "--show-config" in argv:
        from eval.runs.replayed import as_recorded

        show([as_recorded(job) for job in expand(overrides, multirun=multirun)])
        return 0
    return run_jobs(expand(overrides, multirun=multirun, begin=say_size), argv)


def show(jobs: list[Job]) -> None:
    """Every setting, below the folder that the run would go to. SetupError where it could not be made as it is."""
    import yaml

    from eval.runs.identity import redacted

    folders, fault = folders_of(jobs)
    for job, folder in zip(jobs, folders, strict=True):
        settings = redacted(job.settings.model_dump(mode="json"))
        if not settings["sweep"]:
            del settings["sweep"]
        print(f"# {folder}")
        print(yaml.safe_dump(settings, sort_keys=False), end="")
    if fault is not None:
        raise fault


def folders_of(jobs: list[Job]) -> tuple[list[str], SetupError | None]:
    """Where each job's run goes; what its settings are called where it cannot be built, and why it cannot."""
    from reasoningbank.errors import SetupError

    try:
        _, identities = prepared(jobs, asked=False)
        return [str(folder) for folder in places(jobs, identities)[1]], None
    except SetupError as error:
        return [f"{' '.join((job.label, *job.varied))} (no folder: it cannot be run)" for job in jobs], error
