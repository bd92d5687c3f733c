"""`python -m eval validate`: do the known patches of a suite's tasks solve them on this machine, and do no others?"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from eval.terminal.program import Arguments, count

if TYPE_CHECKING:
    from eval.journal import Outcome
    from eval.suites.base import Suite
    from reasoningbank.types import Task

HELP = "evaluate the known patches of a suite of code here, and list the instances that fail"

EXAMPLES = """examples:
  python -m eval validate suite=swebench_mini                                    the embedded suite of repairs
  python -m eval validate suite=swebench_folder suite.folder=FOLDER              one that make_swe_suite.py has made
  python -m eval validate suite=swebench suite.subset=lite --write failing.txt   in docker; ids that fail, with reasons
  python -m eval run suite=swebench suite.subset=lite suite.exclude=failing.txt  and a run without them
  python -m eval validate suite=swebench suite.subset=lite --exclude failing.txt the others are well

Three patches of each task are evaluated: the gold one, which has to solve it, the empty one, and an idle one, which
adds a file that nobody reads, so that the tests are run without any fix; these two must not. No model is asked.

exit codes: 0 every instance can be used here, 1 some cannot, 2 wrong settings, or docker is missing, 3 it went down

Whether a model's runs on a suite leave room to measure memory is another question: python -m eval validate-suite.
"""
IDLE = """\
diff --git a/idle.txt b/idle.txt
new file mode 100644
--- /dev/null
+++ b/idle.txt
@@ -0,0 +1 @@
+Nothing is changed by this.
"""


@dataclass(frozen=True)
class Patch:
    """One of the patches of every task, and whether it has to solve it."""

    name: str
    solves: bool


PATCHES = (Patch("gold", True), Patch("empty", False), Patch("idle", False))


@dataclass(frozen=True)
class Found:
    """What came of a task's patches, by their names: solved or not. `why` is empty where all is as it has to be."""

    task: Task
    solved: dict[str, bool]
    why: str


def main(argv: list[str]) -> int:
    """Arguments with dashes are the command's own, the others settings as `run` takes them."""
    parser = Arguments(
        prog="python -m eval validate",
        description="Evaluate the known patch of each task of a suite of code on this machine.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "settings", nargs="*", metavar="KEY=VALUE", help="settings as for `run`: suite=…, suite.repos=…"
    )
    parser.add_argument("--config-dir", action="append", default=[], metavar="DIR", help="as for `run`: more settings")
    parser.add_argument("--exclude", metavar="FILE", help="ids to leave out; the same as suite.exclude=FILE")
    parser.add_argument("--write", type=Path, metavar="FILE", help="where the ids that fail go, for suite.exclude=FILE")
    parser.add_argument("--workers", type=count, metavar="N", help="tasks at a time (default: one a core)")
    given = parser.parse_intermixed_args(argv)

    from eval.build import build_suite
    from eval.config.load import load_config
    from eval.config.overrides import as_override
    from eval.cores import cores, threads
    from eval.new_files import check_new, write_new
    from eval.plan import plan_streams
    from eval.suites.base import EvaluatedElsewhere, KnowsPatches
    from eval.suites.code.excluded import excluded_text
    from eval.terminal.bar import Bar
    from reasoningbank.errors import SetupError
    from reasoningbank.interfaces import ChecksSetup

    workers = cores() if given.workers is None else given.workers
    if given.write is not None:
        check_new(given.write)
    words = [*(f"--config-dir={folder}" for folder in given.config_dir), *given.settings]
    if given.exclude is not None:
        words.append(f"suite.exclude={as_override(given.exclude)}")
    settings = load_config(words)
    suite = build_suite(settings)
    if not isinstance(suite, KnowsPatches):
        raise SetupError(no_patches(suite))
    if isinstance(suite, EvaluatedElsewhere) and suite.elsewhere:
        raise SetupError(f"nothing is evaluated here: {suite.elsewhere}")
    if isinstance(suite, ChecksSetup):
        suite.check()
    tasks = list({task.id: task for plan in plan_streams(settings, suite) for task in plan.tasks}.values())
    found: list[Found] = []
    try:
        with Bar("instances", len(tasks)) as bar, threads(workers) as pool:
            for each in pool.map(lambda task: validated(suite, task), tasks):
                found.append(each)
                bar.step(f"{sum(bool(one.why) for one in found)} fail")
    finally:  # what breaks it off takes nothing of what was found
        show(suite, found, len(tasks))
    why = {each.task.id: each.why for each in found if each.why}
    if given.write is not None:
        write_new(given.write, excluded_text(why))
        print(f"{len(why)} ids written to {given.write}; leave them out by suite.exclude={given.write}")
    return 1 if why else 0


def no_patches(suite: Suite) -> str:
    """What to do instead."""
    from eval.suites.base import Profiled

    instead = f"; its known solutions are run by `python -m eval tasks suite={suite.id} --profile`"
    return f"suite={suite.id} has no patches to evaluate{instead if isinstance(suite, Profiled) else ''}"


def validated(suite: Suite, task: Task) -> Found:
    """All patches of a task."""
    from eval.suites.base import HealthChecked, KnowsPatches
    from reasoningbank.errors import InfraError, SetupError

    assert isinstance(suite, KnowsPatches)
    texts = {"gold": suite.known_patch(task), "empty": "", "idle": IDLE}
    solved: dict[str, bool] = {}
    why = []
    for patch in PATCHES:
        try:
            evidence = suite.load_evidence({"answer": None, "patch": texts[patch.name]})
            outcome = suite.evaluate(task, evidence, never)
        except InfraError as error:
            if isinstance(suite, HealthChecked):
                suite.check_health()  # what is down says nothing of a task
            why.append(f"{patch.name}: not evaluated ({error})")
            continue
        except SetupError as error:  # what the instance itself has wrong
            why.append(f"{patch.name}: cannot be evaluated ({error})")
            continue
        solved[patch.name] = outcome.status == "solved"
        if solved[patch.name] != patch.solves:
            why.append(f"{patch.name}: {told(outcome)}")
    return Found(task, solved, "; ".join(why))


def told(outcome: Outcome) -> str:
    """An outcome's ending, and of the lists of tests the shares that pass."""
    from eval.analysis.tables import percent

    endings = [name for name in outcome.checks if name.islower() and name != "tests_left_out"]
    shares = [f"{percent(outcome.checks[name])} of {name}" for name in outcome.checks if name.isupper()]
    return ", ".join([*endings, *shares]) or outcome.status


def never(question: str, reference: str, answer: str) -> bool:
    """A grader that tests have no use for."""
    raise AssertionError("tests of patches ask no grader")


def show(suite: Suite, found: Sequence[Found], of: int) -> None:
    """A table of the patches, and one of the tasks that fail."""
    from eval.terminal.rows import new_console, print_rows

    console = new_console()
    rows = []
    for patch in PATCHES:
        solved = sum(each.solved.get(patch.name, False) for each in found)
        rows.append((patch.name, f"{solved}/{len(found)}", f"{len(found) if patch.solves else 0}/{len(found)}"))
    title = f"{suite.id}: {len(found)} {f'of {of} ' * (len(found) < of)}instances"
    print_rows(console, ("patch", "solved", "has to be"), rows, title=title, right=("solved", "has to be"))
    failing = [(each.task.id, each.why) for each in found if each.why]
    if failing:
        print_rows(console, ("fails here", "why"), failing, wide="why")
