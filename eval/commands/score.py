"""`python -m eval score RUN`: a run's predictions, evaluated by SWE-bench's own programs, and what they say beside it.

python -m eval score RUN --report FILE
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from eval.terminal.program import Arguments, count
from reasoningbank.errors import SetupError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from eval.analysis.records import RunRecord
    from eval.runs.predictions import PredictionSet
    from eval.suites.swebench.harness import Job
    from eval.suites.swebench.reports import Report

HELP = "a code run's patches as SWE-bench's predictions, and its evaluation of them"

EXAMPLES = """examples:
  python -m eval score RUN                              by the package swebench and docker, if both are here
  python -m eval score RUN --by nobody                  writes RUN/preds.json alone, which a run keeps too
  python -m eval score RUN --report FILE                takes in the report of an evaluation that was made elsewhere
  python -m eval score RUN --by sb-cli                  sends the patches to SWE-bench's servers

FILE is a run's report, an instance's report.json, or a folder of those. A run of several trials, or whose success rate
is a mean over attempts, has several sets of predictions: preds.json is that of trial 0 and attempt 0, and others are
preds.t1.json or preds.a1.json. Give --report t1=FILE, or a1=FILE, for each (t0 or a0 for the first). An attempt in
which something around it failed is in none. The journal stays as it is: what the evaluation says is written beside it,
to RUN/rescored.
"""


def main(argv: list[str]) -> int:
    parser = Arguments(
        prog="python -m eval score",
        description="Write a run's patches as SWE-bench's predictions, have them evaluated, and take in the report.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("run", metavar="RUN", help="a run's folder, or its name under the results folder")
    parser.add_argument("--by", choices=("swebench", "sb-cli", "nobody"), default="swebench", help="who evaluates")
    parser.add_argument(
        "--report", action="append", default=[], metavar="[SET=]FILE", help="a report that there is already"
    )
    parser.add_argument("--python", default=sys.executable, metavar="FILE", help="the interpreter that has swebench")
    parser.add_argument("--workers", type=count, default=4, metavar="N", help="instances that are evaluated at a time")
    parser.add_argument("--timeout", type=count, default=1800, metavar="SECONDS", help="of an instance's tests")
    parser.add_argument("--results", type=Path, default=Path("results"), help="where names are looked up")
    given = parser.parse_args(argv)

    from eval.analysis.records import find_run, load_run
    from eval.commands._rescored import show
    from eval.config.keys import take_env_file
    from eval.grading.rescoring import read_rescored
    from eval.grading.scoring import merge
    from eval.runs.predictions import write_sets
    from eval.suites.swebench.harness import filled
    from eval.terminal.rows import new_console, remark
    from reasoningbank.text import counted

    folder = find_run(given.run, given.results)
    if not given.report and given.by != "nobody":
        check_suite(load_run(folder))
    run, sets = write_sets(folder)
    console = new_console()
    for each in sets.values():
        path = run.folder / each.file
        number = len(each.predictions)
        empty = number - filled(list(each.predictions.values()))
        told_empty = f", {empty} of them empty," * bool(empty)
        remark(console, f"{counted(number, 'prediction')}{told_empty} written: {path}")
        for reason, tasks in each.without.items():
            remark(console, f"{tasks} without a prediction: {reason}")
    if given.report:
        reports = read_reports(given.report, sets)
    elif given.by == "nobody":
        return 0
    else:
        take_env_file()
        reports = evaluated(run, sets, given.by, given.python, given.workers, given.timeout)
    path = merge(run, sets, reports)
    show(read_rescored(path), path, told(reports))
    return 0


def check_suite(run: RunRecord) -> None:
    """SetupError where SWE-bench's programs cannot evaluate the run's tasks."""
    from eval.runs.predictions import prediction_sets

    suite = _suite(run)
    if suite.get("type") != "swebench":
        prediction_sets(run)  # refuses a run that leaves no patches at all
        raise SetupError(
            f"{run.folder} is a run of suite={suite.get('type')}, whose tasks are none of SWE-bench's: its programs "
            "cannot evaluate them. --by nobody writes the predictions alone; --report FILE takes in a report that was "
            "made elsewhere"
        )
    if suite.get("revision") is not None:
        raise SetupError(
            f"{run.folder} is of suite.revision={suite['revision']}, and evaluators take the newest one: write the "
            "predictions by --by nobody, evaluate them by the rows of that revision in a file (suite.subset=FILE), and "
            "give --report FILE"
        )


def _suite(run: RunRecord) -> dict[str, Any]:
    return (run.meta.get("settings") or {}).get("suite") or {}


def read_reports(words: Sequence[str], sets: Mapping[str, PredictionSet]) -> dict[str, Report]:
    """By the names of the sets that they are of."""
    from eval.names import nearest
    from eval.suites.swebench.reports import read_report

    found: dict[str, Report] = {}
    for word in words:
        name, mark, file = word.partition("=")
        if not mark or Path(word).exists():
            name, file = "", word
        if name not in sets:
            which = f"of {name}" if name else "of which set"
            raise SetupError(f"--report {word}: {which}? Write SET=FILE; {nearest(name, sorted(filter(None, sets)))}")
        if name in found:
            raise SetupError(f"--report {word}: there is another report of these predictions; give one")
        found[name] = read_report(Path(file))
    return found


def evaluated(
    run: RunRecord,
    sets: Mapping[str, PredictionSet],
    by: str,
    python: str,
    workers: int,
    seconds: int,
) -> dict[str, Report]:
    """What comes of the sets' evaluation, one after the other. SetupError in one line for what is missing."""
    from eval.grading.scoring import SCORED
    from eval.suites.swebench import harness
    from eval.suites.swebench.reports import read_report

    suite = _suite(run)
    subset = str(suite.get("subset"))
    folder = (run.folder / SCORED).resolve()
    jobs = {
        name: harness.Job(
            predictions=run.folder.resolve() / each.file,
            model=each.model,
            subset=subset,
            split=str(suite.get("split", "test")),
            run_id=harness.run_id_of(run.name, name, each.sha256),
            folder=folder,
        )
        for name, each in sets.items()
        if each.predictions
    }
    check_by(by, python, jobs)
    return {
        name: read_report(
            harness.run_sb_cli(job)
            if by == "sb-cli"
            else harness.run_swebench(job, python=python, workers=workers, seconds=seconds)
        )
        for name, job in jobs.items()
    }


def check_by(by: str, python: str, jobs: Mapping[str, Job]) -> None:
    """SetupError that names what is missing, and the other ways."""
    from eval.suites.swebench import harness

    try:
        if by == "swebench":
            harness.check_swebench(python)
        else:
            for job in jobs.values():
                harness.check_sb_cli(job)
    except SetupError as error:
        raise SetupError(
            f"--by {by} cannot evaluate here: {error}. The predictions are written; evaluate them elsewhere and give "
            f"the report by --report FILE{', or send them away by --by sb-cli' * (by == 'swebench')}"
        ) from None


def told(reports: Mapping[str, Report]) -> str:
    """By whom the outcomes are, and which of them are no test's."""
    failed = sum(each.ending(name) == "evaluation_error" for each in reports.values() for name in each.outcomes)
    said = f"; {failed} not resolved because their evaluation broke off" if failed else ""
    return f"evaluated by SWE-bench's own programs{said}"
