"""`python -m eval plot RUN... --kind cumulative|steps|success`: several runs or sweeps in one figure."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from eval.terminal.program import Arguments
from reasoningbank.errors import SetupError

if TYPE_CHECKING:
    from eval.analysis.plots import Format

HELP = "draw runs and sweeps in one figure: success so far, steps, or success with its interval"

EXAMPLES = """examples:
  python -m eval plot RUN                               success as tasks are done, one line
  python -m eval plot RUN RUN --kind steps              two runs: steps of solved and of failed attempts
  python -m eval plot SWEEP --kind success --out fig    each setting of a sweep with its interval, in fig/
  python -m eval plot RUN --format svg                  the SVG alone
"""


def main(argv: list[str]) -> int:
    parser = Arguments(
        prog="python -m eval plot",
        description=f"{HELP}. A run is one line or row; a sweep has one for each setting, over its seeds and worlds.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "runs", metavar="RUN", nargs="+", help="a run's or a sweep's folder, or its name under the results folder"
    )
    parser.add_argument(
        "--kind", metavar="KIND", default="cumulative", help="cumulative, steps or success (default: cumulative)"
    )
    parser.add_argument(
        "--out", type=Path, metavar="FOLDER", help="where KIND.png and KIND.svg go (default: RESULTS/figures)"
    )
    parser.add_argument("--format", default="png,svg", metavar="LIST", help="png, svg, or both (default: png,svg)")
    parser.add_argument("--results", type=Path, default=Path("results"), help="where names are looked up")
    options = parser.parse_args(argv)
    formats = read_formats(options.format)

    from eval.analysis.arm_plots import KINDS
    from eval.analysis.arms import find_arms
    from eval.names import nearest
    from reasoningbank.files import write_atomic

    if options.kind not in KINDS:
        raise SetupError(f"--kind {options.kind}: no such kind; {nearest(options.kind, KINDS)}")
    arms = find_arms(options.runs, options.results)
    folder = options.out or options.results / "figures"
    for form in formats:
        content = KINDS[options.kind](arms, form)
        path = folder / f"{options.kind}.{form}"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            write_atomic(path, content)
        except OSError as error:
            raise SetupError(f"cannot write {path}: {error.strerror}; name another folder with --out") from error
        print(f"written: {path}")
    return 0


def read_formats(text: str) -> list[Format]:
    """The formats of a list with commas, each once."""
    from eval.analysis.plots import FORMATS
    from eval.names import nearest

    names = {name.strip().lower() for name in text.split(",") if name.strip()}
    for name in sorted(names - set(FORMATS)):
        raise SetupError(f"--format {name}: no such format; {nearest(name, FORMATS)}")
    if not names:
        raise SetupError(f"--format is empty; there are: {', '.join(FORMATS)}")
    return [form for form in FORMATS if form in names]
