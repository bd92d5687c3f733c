"""Make a suite of repairs from a package's source distribution, if it ships tests.

python scripts/make_swe_suite.py --sdist toolz==1.2.0 --n 50
python -m eval run suite=swebench_folder suite.folder=results/.suites/sdist/toolz-1.2.0
"""

from __future__ import annotations

import argparse
import shlex
import sys
from pathlib import Path

from eval.__main__ import guarded, run_program
from eval.terminal.program import Arguments

EXAMPLES = """examples:
  python scripts/make_swe_suite.py --sdist toolz==1.2.0 --n 50                to results/.suites/sdist/toolz-1.2.0
  python scripts/make_swe_suite.py --sdist toolz==1.2.0 --seed 1 --out mine   other defects, in another folder
  python scripts/make_swe_suite.py --sdist ./toolz-1.2.0.tar.gz               an archive that you have already
  python scripts/make_swe_suite.py --sdist more-itertools==11.2.1 --tests tests/test_recipes.py   where all take long

Its tests are run in the sandbox (bubblewrap, without network), with pytest and what else of this Python's packages
they need. pip fetches NAME==VERSION and, as in any installation from source, runs the distribution's own build steps
for it; of a local archive nothing is run outside of the sandbox. Defects are made by the operators of
suite=swebench_mini, one a function at most; each is found by at least one test, which the agent does not see, and is
told by an example. A run that is stopped leaves no folder; the same line makes the same instances. All of them are
defects of one library, so what an attempt reads of it may hold the fix of another: compare methods by streams, and
choose no package that Python or pytest has taken in (tomli, packaging).

then: python -m eval validate suite=swebench_folder suite.folder=FOLDER
      python -m eval run -m suite=swebench_folder suite.folder=FOLDER memory=none,reasoningbank
"""


def main(argv: list[str]) -> int:
    parser = Arguments(
        prog="python scripts/make_swe_suite.py",
        description="Make instances in SWE-bench's schema from a source distribution that ships tests.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--sdist", required=True, metavar="NAME==VERSION|FILE", help="for pip, or a local .tar.gz")
    parser.add_argument(
        "--tests", nargs="+", default=[], metavar="PATH", help="files or folders of its tests (default: all of them)"
    )
    parser.add_argument(
        "--n", type=int, default=50, metavar="N", help="instances that are wanted, or all there are (default: 50)"
    )
    parser.add_argument("--out", type=Path, metavar="FOLDER", help="default: results/.suites/sdist/NAME-VERSION")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="which defects (default: 0)")
    given = parser.parse_args(argv)

    from eval.config.overrides import as_override
    from eval.suites.swebench_folder.make import make
    from eval.terminal.bar import Bar
    from eval.terminal.rows import new_console, print_rows

    with Bar("instances", given.n) as bar:
        folder, made = make(
            given.sdist, tests=given.tests, number=given.n, seed=given.seed, out=given.out, say=bar.say, show=bar.show
        )
    console = new_console()
    rows = [(reason, str(count)) for reason, count in sorted(made.fell.items(), key=lambda each: -each[1])]
    title = f"{made.package} {made.version}: {made.kept} of {made.tried} candidates make an instance"
    print_rows(console, ("why the others do not", "candidates"), rows, title=title, right=("candidates",))
    if made.kept < given.n:
        print(f"{given.n} were wanted: there are no more candidates")
    word = shlex.quote(f"suite.folder={as_override(str(folder))}")
    print(f"written to {folder}; python -m eval run suite=swebench_folder {word}")
    return 0


if __name__ == "__main__":
    run_program(lambda: guarded(lambda: main(sys.argv[1:])))
