"""`python -m eval validate-suite`: does this model on this suite leave room to measure memory?

python -m eval validate-suite llm=NAME suite=NAME

Runs the arms none, oracle and adversarial as one sweep, on the suite's pocket subset where it has one. The same command
continues a sweep that was stopped. Exit code 0: memory can be measured here; 1: it cannot.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from eval.commands._jobs import check_flags, joined_dirs, run_jobs, say_size

WRITTEN = ("summary.json", "table.txt", "comparison.png", "validation.json")

if TYPE_CHECKING:
    from eval.config.load import Job

HELP = "run none, oracle and adversarial, and say whether memory can be measured here"

USAGE = """\
usage: python -m eval validate-suite [--lessons=DIR] [--config-dir=DIR] [KEY=VALUE ...]

Runs the suite without memory, with the true lessons (memory=oracle) and with wrong ones (memory=adversarial), as one
sweep below one folder; the same command line continues it. Then it says whether memory can be measured here: without
memory 30 to 65 % of the tasks are solved, true lessons add 15 points or more, wrong ones cost 5 or more. The verdict is
kept in validation.json, the whole comparison in table.txt. The suite's pocket subset is used where it has one and
suite.subset is not set.

  --lessons=DIR      lessons for a suite of your own: DIR/oracle/GROUP.md and DIR/adversarial/GROUP.md for every group

exit codes: 0 memory can be measured here, 1 it cannot, 2 wrong settings, 3 stopped early

Whether the known patches of a suite of code solve its tasks on this machine: python -m eval validate.

examples:
  python -m eval validate-suite                                    the offline model on webarena_mini
  python -m eval validate-suite llm=NAME                           a model of your own choice
  python -m eval validate-suite suite=mine plugins=[mine.py] --config-dir=DIR --lessons=DIR2   a suite of your own
  python -m eval validate-suite 'suite.sites=[shopping_admin]'     another site
  python -m eval validate-suite suite.subset=null suite.seed=0,1,2   all tasks, three worlds"""


def main(argv: list[str]) -> int:
    if "-h" in argv or "--help" in argv:
        print(USAGE)
        return 0
    from eval.analysis.validation import write_validation
    from eval.config.keys import take_env_file

    take_env_file()
    lessons = next((text.partition("=")[2] for text in argv if text.startswith("--lessons=")), None)
    overrides = joined_dirs([text for text in argv if not text.startswith("--lessons=")])
    check_flags(overrides, {"--lessons=DIR"})
    overrides += pocket(overrides)
    jobs = arms(overrides, lessons)
    say_size(jobs[0].settings, len(jobs))
    folders: list[Path] = []
    label = f"validate-{jobs[0].settings.suite['type']}"
    # the arms as `run` lists them, by which reports know their order
    code = run_jobs(
        jobs, ["-m", *overrides, "memory=none,oracle,adversarial"], label=label, found=folders.append, table=False
    )
    if code:
        return code
    validation = write_validation(folders[0])
    print(validation.table(), f"written to {folders[0]}: {', '.join(sorted(WRITTEN))}", sep="\n")
    return 0 if validation.can_measure_memory else 1


def pocket(overrides: list[str]) -> list[str]:
    """The setting that makes the suite small, where it can be and nothing is said of it."""
    from eval.analysis.validation import ARMS
    from eval.config.load import compose, split_config_dirs
    from eval.config.overrides import split_sweeps
    from reasoningbank.errors import SetupError

    keys = {text.lstrip("+~").partition("=")[0] for text in overrides}
    if taken := sorted(key for key in keys if key.partition(".")[0] == "memory"):
        raise SetupError(f"{taken[0]}: validate-suite chooses the memory itself ({', '.join(ARMS)}); leave it out")
    folders, plain = split_config_dirs(overrides)
    single, _ = split_sweeps(plain, folders)
    suite = compose([*(f"--config-dir={folder}" for folder in folders), *single])[0]["suite"]
    return ["suite.subset=pocket"] if "subset" in suite and "suite.subset" not in keys else []


def arms(overrides: list[str], lessons: str | None) -> list[Job]:
    """The jobs of all arms."""
    from dataclasses import replace

    from eval.analysis.validation import ARMS
    from eval.config.load import expand

    jobs = []
    for arm in ARMS:
        given = [] if lessons is None or arm == "none" else [f"memory.lessons={as_text(Path(lessons) / arm)}"]
        made = expand([*overrides, f"memory={arm}", *given], multirun=True)
        jobs += [replace(job, varied=(f"memory={arm}", *job.varied)) for job in made]
    return jobs


def as_text(folder: Path) -> str:
    """A path as an override holds it."""
    from eval.config.overrides import as_override

    return as_override(str(folder.absolute()))
