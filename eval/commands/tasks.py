"""`python -m eval tasks`: the tasks of a suite as a table or JSON, without gold; or their measured profile."""

from __future__ import annotations

import argparse
import json
import sys
from typing import TYPE_CHECKING

from eval.terminal import Arguments

if TYPE_CHECKING:
    from rich.table import Table

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
    from eval.checks import tasks_of
    from eval.config import load_config
    from eval.names import nearest
    from reasoningbank.errors import SetupError

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
        _table(tasks, f"{suite.id}, world {suite.seed}: {len(tasks)} tasks")
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
    from rich.table import Table

    table = Table()
    table.add_column("id", justify="right")
    for name in ("site", "template", "kind"):
        table.add_column(name, no_wrap=True)
    table.add_column("intent", overflow="fold")
    for task in tasks:
        table.add_row(task.id, task.group, task.template_id, task.kind, task.intent)
    print(title)
    _print(table)


def _print(table: Table) -> None:
    from rich.console import Console

    from eval.analysis.tables import plain

    # without a terminal there is no width to keep to
    print(plain(table, Console().width if sys.stdout.isatty() else 200), end="")


def _profile(suite: Suite, as_json: bool) -> int:
    from eval.suites.base import Profiled
    from reasoningbank.errors import SetupError

    if not isinstance(suite, Profiled):
        raise SetupError(f"--profile: suite {suite.id} has no known solutions to measure; leave --profile out")
    profile = suite.profile()
    if as_json:
        print(json.dumps(profile.model_dump(mode="json"), indent=2, ensure_ascii=False))
    else:
        _print_profile(profile, f"{suite.id}, world {suite.seed}")
    return 0


def _print_profile(profile: SuiteProfile, title: str) -> None:
    from rich.table import Table

    print(
        f"{title}: {profile.tasks} tasks of {profile.templates} templates; known solutions solve {profile.solved:.0%}"
    )
    spread = Table("measure", "lowest", "25 %", "median", "75 %", "highest")
    for name, row in profile.measures.items():
        spread.add_row(name, *(f"{value:,.0f}" for value in (row.lowest, row.q25, row.median, row.q75, row.highest)))
    _print(spread)
    if profile.actions:
        actions = Table("action", "known solutions", "real episodes")
        for name in {**profile.actions, **profile.real_actions}:
            actions.add_row(name, f"{profile.actions.get(name, 0):.0%}", f"{profile.real_actions.get(name, 0):.0%}")
        _print(actions)
    if profile.real_source:
        print(f"real episodes: {profile.real_source}")
    if profile.note:
        print(profile.note)
    if profile.shares:
        shares = Table("tasks", "share")
        for name, value in profile.shares.items():
            shares.add_row(name, f"{value:.0%}")
        _print(shares)
    if profile.conventions:
        needed = Table("convention", "what it says", "templates that need it")
        for code, convention in profile.conventions.items():
            needed.add_row(code, convention.says, str(convention.templates))
        _print(needed)
