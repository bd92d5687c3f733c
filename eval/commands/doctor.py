"""`python -m eval doctor`: whether a command's configuration can be run, before anything is spent.

python -m eval doctor llm=gemini_flash embedder=gemini
"""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING

from eval.terminal.program import Arguments

if TYPE_CHECKING:
    from collections.abc import Sequence

    from eval.doctor.checks import Check

HELP = "check a configuration without spending: keys, servers, embedder, prompts, disk"

EXAMPLES = """examples:
  python -m eval doctor                                 the default configuration
  python -m eval doctor +exp=pocket llm=gemini_flash    what `python -m eval run` would be given
  python -m eval doctor llm=openai llm.base_url=http://localhost:8000/v1 llm.model=NAME
  python -m eval doctor embedder=openai --call          also ask a remote embedder for one text
  python -m eval doctor --json                          for other programs

states: ok; warning: it runs, look whether it is meant; fails: it does not run; skipped: not needed, or not known yet
exit codes: 0 nothing fails, 2 something does
"""
COLOURS = {"ok": "green", "warning": "yellow", "fails": "bold red", "skipped": "dim"}


def main(argv: list[str]) -> int:
    parser = Arguments(
        prog="python -m eval doctor",
        description="Check a configuration. No model is asked, and nothing is written.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("settings", nargs="*", metavar="KEY=VALUE", help="settings as for `run`")
    parser.add_argument("--config-dir", action="append", default=[], metavar="DIR", help="as for `run`: more settings")
    parser.add_argument(
        "--call", action="store_true", help="ask a remote embedder for one text, which costs next to nothing"
    )
    parser.add_argument("--json", action="store_true", help="JSON instead of a table")
    given = parser.parse_intermixed_args(argv)

    from eval.doctor.configuration import examine

    checks = examine([*(f"--config-dir={folder}" for folder in given.config_dir), *given.settings], call=given.call)
    good = not any(check.state == "fails" for check in checks)
    if given.json:
        print(
            json.dumps({"ok": good, "checks": [check.model_dump() for check in checks]}, indent=2, ensure_ascii=False)
        )
    else:
        show(checks)
    return 0 if good else 2


def show(checks: Sequence[Check]) -> None:
    """A row each; what is to be done stands below what was found."""
    from rich.console import Console
    from rich.text import Text

    from eval.terminal.program import safe

    console = Console(highlight=False, soft_wrap=True)
    width = max(len(check.name) for check in checks)
    for check in checks:
        head = Text(f"{check.state:<8}", style=COLOURS[check.state])
        console.print(head + Text(f" {check.name:<{width}}  {safe(check.found)}"))
        if check.todo:
            console.print(Text(f"{'':<{width + 9}}  -> {safe(check.todo)}"))
    count = {state: sum(check.state == state for check in checks) for state in COLOURS}
    console.print(", ".join(f"{number} {state}" for state, number in count.items() if number))
