"""Make packs of prompts from your own clone of the official repository.

python scripts/import_prompts.py CLONE
python -m eval run profile=official_code prompts.pack=packs/official_after

The texts are theirs: packs stay on your machine (git leaves `packs/` out). Nothing of the clone is executed or changed.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from eval.__main__ import guarded, run_program
from eval.terminal.program import Arguments

EXAMPLES = """examples:
  python scripts/import_prompts.py ../reasoning-bank                 packs/official_before and packs/official_after
  python scripts/import_prompts.py ../reasoning-bank --at after      one of them
  python scripts/import_prompts.py ../reasoning-bank --at HEAD --out packs/newest
  python scripts/import_prompts.py ../reasoning-bank --part swe      the texts of its SWE-bench code

then: python -m eval run profile=official_code prompts.pack=packs/official_after
"""


def main(argv: list[str]) -> int:
    parser = Arguments(
        prog="python scripts/import_prompts.py",
        description="Make packs of prompts from your own clone of the official repository.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("clone", metavar="CLONE", type=Path, help="the clone's folder")
    parser.add_argument("--at", metavar="before|after|REVISION", help="default: both before and after the commit")
    parser.add_argument("--commit", metavar="SHA", help="the commit that `before` and `after` mean (default: 95a3fbb)")
    parser.add_argument("--part", choices=("web", "swe"), default="web", help="which benchmark's texts (default: web)")
    parser.add_argument("--out", metavar="FOLDER", type=Path, help="the pack's folder (default: packs/official_AT)")
    parser.add_argument(
        "--with-examples", action="store_true", help="also the examples for workflows: tasks of the benchmark, answered"
    )
    given = parser.parse_args(argv)

    from eval.official.packs import CHANGE, REPLACED, imported, resolved, sources, write_pack
    from reasoningbank.errors import SetupError

    wanted = [given.at] if given.at else ["before", "after"]
    if given.out is not None and len(wanted) > 1:
        raise SetupError("--out names one folder: say which pack with --at")
    for at in wanted:
        commit = resolved(given.clone, at, given.commit or CHANGE)
        prompts = imported(sources(given.clone, commit, given.part), examples=given.with_examples)
        name = f"official_{at}" + ("" if given.part == "web" else f"_{given.part}")
        folder = given.out or Path("packs") / name.replace("/", "_")
        digest = write_pack(folder, prompts, {"at": at, "commit": commit, "part": given.part})
        print(f"{folder}: {len(prompts)} prompts of {commit[:12]}, pack {digest[:16]}")
        for made in prompts:
            print(f"  {made.name:<16} {made.source}" + "".join(f"\n  {'':<16} ours: {each}" for each in made.ours))
        if missing := sorted(REPLACED - {made.name for made in prompts}):
            print(f"  not found, ours is used: {', '.join(missing)}")
    return 0


if __name__ == "__main__":
    import sys

    run_program(lambda: guarded(lambda: main(sys.argv[1:])))
