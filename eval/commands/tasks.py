"""`python -m eval tasks`: the tasks of a suite as a table or JSON, without gold; or their measured profile."""

from __future__ import annotations

import argparse
import json
import sys
from typing import TYPE_CHECKING

from eval.terminal.program import Arguments

if TYPE_CHECKING:
    from eval.suites.base import Suite
    from eval.suites.profile import SuiteProfile
    from reasoningbank.types import Task

HELP = "list the tasks of a suite, or print their measured profile"

EXAMPLES = """examples:
  python -m eval tasks                                  all tasks of the default suite
  python -m eval tasks suite.seed=1 --kind change       tasks that change something, in another world
  python -m eval tasks --site shopping --json           for other programs
  python -m eval tasks suite=mine plugins=[mine.py] --config-dir=DIR   a suite of your own, DIR/suite/mine.yaml
  python -m eval tasks --profile                        lengths of known solutions, sizes of pages, shares
"""


def main(argv: list[str]) -> int:
    """Arguments with dashes are the command's own, the others settings as `run` takes them."""
    parser = Arguments(
        prog="python -m eval tasks",
        description="List the tasks of a suite. References and other gold are never printed.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("settings", nargs="*", metavar="KEY=VALUE", help="settings as for `run`: suite=…, suite.seed=…")
    parser.add_argument("--config-dir", action="append", default=[], metavar="DIR", help="as for `run`: more settings")
    parser.add_argument("--json", action="store_true", help="JSON instead of a table")
    parser.add_argument("--profile", action="store_true", help="run the known solutions and print what they measure")
    parser.add_argument("--site", help="only tasks of this site (`multi` for several)")
    parser.add_argument("--kind", choices=("information", "navigation", "change"), help="only tasks of this kind")
    # options may stand between settings
    given = parser.parse_intermixed_args(argv)

    from eval.build import build_suite
    from eval.config.load import load_config
    from eval.names import nearest
    from eval.returned import tasks_of
    from reasoningbank.errors import SetupError
    from reasoningbank.text import counted

    folders = [f"--config-dir={folder}" for folder in given.config_dir]
    suite = build_suite(load_config([*folders, *given.settings]))
    if given.profile:
        return _profile(suite, given.json)
    everything = tasks_of(suite)
    sites = sorted({task.group for task in everything})
    if given.site is not None and given.site not in sites:
        raise SetupError(f"--site {given.site}: {suite.id} has no tasks of it; {nearest(given.site, sites)}")
    tasks = [task for task in everything if given.site in (None, task.group) and given.kind in (None, task.kind)]
    if given.json:
        print(json.dumps([_row(task) for task in tasks], indent=2, ensure_ascii=False))
    else:
        _table(tasks, f"{suite.id}, world {suite.seed}: {counted(len(tasks), 'task')}")
    return 0


def _row(task: Task) -> dict[str, str]:
    """What is shown of a task."""
    return {
        "id": task.id,
        "site": task.group,
        "template": task.template_id,
        "kind": task.kind,
        "intent": task.intent,
        "start": task.start,
    }


def _table(tasks: list[Task], title: str) -> None:
    from eval.terminal.rows import new_console, print_rows

    heads = ("id", "site", "template", "kind", "intent")
    rows = [(task.id, task.group, task.template_id, task.kind, task.intent) for task in tasks]
    print_rows(new_console(), heads, rows, title=title, right=("id",), wide="intent")


def _profile(suite: Suite, as_json: bool) -> int:
    from eval.returned import tasks_of
    from eval.suites.base import Profiled
    from reasoningbank.errors import SetupError
    from reasoningbank.text import counted

    if not isinstance(suite, Profiled):
        raise SetupError(f"--profile: suite {suite.id} has no known solutions to measure; leave --profile out")
    count = counted(len(tasks_of(suite)), "task")
    print(f"carrying out the known solutions of {count}, which takes a while", file=sys.stderr, flush=True)
    profile = suite.profile()
    if as_json:
        print(json.dumps(profile.model_dump(mode="json"), indent=2, ensure_ascii=False))
    else:
        _print_profile(profile, f"{suite.id}, world {suite.seed}", "library" if suite.agent == "code" else "site")
    return 0


def _print_profile(profile: SuiteProfile, title: str, group: str) -> None:
    """`group`: what a convention is one of."""
    from eval.analysis.tables import percent
    from eval.terminal.rows import new_console, print_rows, remark
    from reasoningbank.text import counted

    console = new_console()
    solved = percent(profile.solved)
    remark(
        console,
        f"{title}: {counted(profile.tasks, 'task')} of {counted(profile.templates, 'template')}; known solutions solve "
        f"{solved}\n",
    )
    numbers = ("lowest", "25 %", "median", "75 %", "highest")
    spread = [
        (name, *(f"{value:,.0f}" for value in (row.lowest, row.q25, row.median, row.q75, row.highest)))
        for name, row in profile.measures.items()
    ]
    print_rows(console, ("measure", *numbers), spread, right=numbers)
    if profile.actions:
        found, real = profile.actions, profile.real_actions
        shares = [(name, percent(found.get(name, 0)), percent(real.get(name, 0))) for name in {**found, **real}]
        heads = ("action", "known solutions", "real episodes")[: 3 if real else 2]
        print_rows(console, heads, [row[: len(heads)] for row in shares], right=heads[1:])
    if profile.real_source:
        remark(console, f"real episodes: {profile.real_source}")
    if profile.note:
        remark(console, f"{profile.note}\n")
    if profile.evaluations:
        found, real = profile.evaluations, profile.real_evaluations
        listed = [(name, percent(found.get(name, 0)), percent(real.get(name, 0))) for name in {**found, **real}]
        heads = ("evaluation", "tasks", profile.real_tasks)[: 3 if real else 2]
        print_rows(console, heads, [row[: len(heads)] for row in listed], right=heads[1:])
    if profile.shares:
        rows = [(name, percent(value)) for name, value in profile.shares.items()]
        print_rows(console, ("tasks", "share"), rows, right=("share",))
    if profile.conventions:
        heads = (f"what a {group} does without saying so", "templates that need it")
        needed = [(each.says, str(each.templates)) for each in profile.conventions.values()]
        print_rows(console, heads, needed, right=heads[1:])
