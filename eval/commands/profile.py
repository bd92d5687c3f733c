"""`python -m eval profile`: the profiles there are, what one sets, and in which keys two differ.

python -m eval profile --diff paper official_code
"""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING

from eval.terminal.program import Arguments

if TYPE_CHECKING:
    from collections.abc import Sequence

    from eval.config.profiles import ProfileKey

HELP = "the profiles there are, what one sets, and where two differ"

EXAMPLES = """examples:
  python -m eval profile                                the profiles there are
  python -m eval profile paper                          every key that it sets
  python -m eval profile --diff paper official_code     the keys in which two differ
  python -m eval profile ours memory=awm k=5 --json     with other settings, for programs

A key that holds with one choice only (a method, a judge ...) has it beside it. A run takes one by profile=NAME.
"""


def main(argv: list[str]) -> int:
    parser = Arguments(
        prog="python -m eval profile",
        description="The profiles there are, what one sets, and where two differ.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("words", nargs="*", metavar="PROFILE|KEY=VALUE", help="a profile, and settings as for `run`")
    parser.add_argument("--diff", nargs=2, metavar=("ONE", "OTHER"), help="the keys in which two differ")
    parser.add_argument("--config-dir", action="append", default=[], metavar="DIR", help="as for `run`: more settings")
    parser.add_argument("--json", action="store_true", help="JSON instead of a table")
    given = parser.parse_intermixed_args(argv)

    from eval.config.files import CONFIGS, group_names
    from eval.config.load import split_config_dirs
    from eval.config.profiles import GROUP, about, differences, profile_keys
    from reasoningbank.errors import SetupError

    names = [word for word in given.words if "=" not in word]
    overrides = [word for word in given.words if "=" in word]
    overrides += [f"--config-dir={folder}" for folder in given.config_dir]
    if any(word.partition("=")[0] == GROUP for word in overrides):
        raise SetupError("profile=: name it without the key, as in `python -m eval profile paper`")
    if given.diff and names:
        raise SetupError(f"--diff compares two profiles: leave out {names[0]}")
    if given.diff or names:
        rows = differences(given.diff[0], given.diff[1], overrides) if given.diff else profile_keys(names, overrides)
        show_keys(rows, given.diff or names, as_json=given.json)
        return 0
    folders = [CONFIGS, *split_config_dirs(overrides)[0]]
    told = {name: about(name, folders) for name in group_names(GROUP, folders)}
    if given.json:
        print(json.dumps(told, indent=2, ensure_ascii=False))
    else:
        width = max(map(len, told))
        print(*(f"{name:<{width}}  {said}".rstrip() for name, said in told.items()), sep="\n")
    return 0


def show_keys(rows: Sequence[ProfileKey], names: Sequence[str], *, as_json: bool) -> None:
    if as_json:
        print(json.dumps([row.model_dump(mode="json") for row in rows], indent=2, ensure_ascii=False))
        return
    if not rows:
        print("no key: they are the same settings")
        return
    cells = [["key", "with", *names]]
    cells += [[row.key, row.choice, *(text(row.values[name]) for name in names)] for row in rows]
    widths = [max(len(row[place]) for row in cells) for place in range(len(cells[0]))]
    for row in cells:
        print("  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip())


def text(value: object) -> str:
    """A value as it is written in YAML, on one line."""
    return value if isinstance(value, str) and value and "\n" not in value else json.dumps(value, ensure_ascii=False)
