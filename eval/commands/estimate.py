"""`python -m eval estimate`: what a run is going to take, before it runs.

python -m eval estimate +exp=pocket llm=gemini_flash
"""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING

from eval.terminal.program import Arguments

if TYPE_CHECKING:
    from eval.estimates.estimate import Estimate

HELP = "calls, tokens, dollars and the smallest detectable difference of a run, before it runs"

EXAMPLES = """examples:
  python -m eval estimate +exp=pocket llm=gemini_flash  what `python -m eval run` would be given
  python -m eval estimate -m memory=none,awm seed=0,1   a sweep
  python -m eval estimate llm=openai --from RUN         by what an earlier run, or the runs of a sweep, took
  python -m eval estimate llm=gemini_pro --json         for other programs

It spends nothing and needs no key. Without --from some tasks of every stream are carried out with the offline model.
"""


def main(argv: list[str]) -> int:
    parser = Arguments(
        prog="python -m eval estimate",
        description="What a command is going to take. No real model is asked, and nothing is written.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("settings", nargs="*", metavar="KEY=VALUE", help="settings as for `run`")
    parser.add_argument("-m", "--multirun", action="store_true", help="values with commas are a sweep")
    parser.add_argument("--config-dir", action="append", default=[], metavar="DIR", help="as for `run`: more settings")
    parser.add_argument("--from", dest="source", metavar="RUN", help="an earlier run or sweep, by its folder or name")
    parser.add_argument("--json", action="store_true", help="JSON instead of a table")
    given = parser.parse_intermixed_args(argv)

    from eval.config.load import expand
    from eval.estimates.estimate import estimate

    jobs = expand(
        [*(f"--config-dir={folder}" for folder in given.config_dir), *given.settings], multirun=given.multirun
    )
    found = estimate(jobs, given.source)
    if given.json:
        print(json.dumps(found.model_dump(mode="json"), indent=2, ensure_ascii=False))
        return 0
    show(found, jobs[0].settings.budget.usd)
    return 0


def show(found: Estimate, budget: float | None) -> None:
    from rich.console import Console
    from rich.table import Table

    from eval.analysis.tables import LOOK, percent
    from reasoningbank.text import counted

    console = Console(highlight=False)
    size = f"{counted(found.runs, 'run')}, {counted(found.episodes, 'episode')}, {counted(found.attempts, 'attempt')}"
    console.print(size)
    table = Table(**LOOK)
    table.add_column("role")
    table.add_column("model")
    for head in ("calls", "tokens in", "tokens out", "US$"):
        table.add_column(head, justify="right", no_wrap=True)
    for role, each in found.roles.items():
        amounts = [f"{round(value):,}" for value in (each.calls, each.input_tokens, each.output_tokens)]
        table.add_row(role, each.model, *amounts, money(each.cost_usd))
    console.print(table)
    paid = found.cost_usd is not None
    cost = f"US$ {money(found.cost_usd)} ({money(found.cost_low)} to {money(found.cost_high)})" if paid else "-"
    console.print(f"tokens: {round(found.tokens):,}; cost: {cost}")
    if found.seconds is not None:
        console.print(f"time: {found.seconds / 3600:.1f} h")
    least = "none" if found.detectable is None else percent(found.detectable)
    console.print(
        f"smallest detectable difference of two arms: {least} of the tasks ({counted(found.pairs, 'pair')}, 80 % "
        f"power, 5 %, a pair's variance {found.variance:.2f}; more where the tasks of a stream hang together)",
        soft_wrap=True,
    )
    for note in found.notes:
        console.print(f"note: {note}", soft_wrap=True)
    if budget is not None and (found.cost_high or 0.0) > budget:
        sure = found.cost_usd is not None and found.cost_usd > budget
        console.print(f"note: budget.usd={budget:g} {'would' if sure else 'may'} stop it before its end")


def money(value: float | None) -> str:
    if value is None:
        return "unknown"
    return "-" if value == 0 else f"{value:,.2f}"
