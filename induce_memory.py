"""Distil a run's stored attempts again into a new bank, without an agent.

python induce_memory.py RUN --stream shopping.t0
python induce_memory.py RUN --stream shopping.t0 --judge llm memory=awm
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from eval.__main__ import guarded, run_program
from eval.terminal.program import Arguments

if TYPE_CHECKING:
    from eval.analysis.records import RunRecord
    from eval.banks.induce import Induction
    from eval.banks.induced import Induced

EXAMPLES = """examples:
  python induce_memory.py RUN --stream shopping.t0      the run's method and verdicts again: the run's own bank
  python induce_memory.py RUN --stream shopping.t0 --memory awm   another method, from the same attempts and verdicts
  python induce_memory.py RUN --stream shopping.t0 --judge llm --out judged.sqlite   judged again, by the run's judge
  python induce_memory.py RUN --stream shopping.t0 --out small.sqlite memory.max_items=1   a key of the method
  python induce_memory.py RUN --stream shopping.t0 --out each.sqlite scaling.aggregate=false   each attempt by itself
  python induce_memory.py RUN --stream shopping.t0 --out new.sqlite +llm@roles.extractor=NAME embedder=hashing

--stream is for runs that have several. Settings that are not named are the run's own. A command that was stopped goes
on where it was, by the same line.
"""

SECONDS = 3.0
"""Lines of progress come at most this often."""


def main(argv: list[str]) -> int:
    parser = Arguments(
        prog="python induce_memory.py",
        description="Distil a run's stored attempts again into a new bank, without an agent.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("run", metavar="RUN", help="a run's folder, or its name under the results folder")
    parser.add_argument(
        "overrides", metavar="KEY=VALUE", nargs="*", help="settings to differ, as for `python -m eval run`"
    )
    parser.add_argument("--memory", metavar="NAME", help="short for memory=NAME")
    parser.add_argument(
        "--judge", choices=("stored", "llm"), default="stored", help="the run's verdicts (default), or ask a judge anew"
    )
    parser.add_argument("--stream", metavar="NAME", help="which stream, where the run has several")
    parser.add_argument(
        "--out", type=Path, metavar="BANK", help="the new bank's file (default: RESULTS/banks/RUN-STREAM-MEMORY.sqlite)"
    )
    parser.add_argument("--config-dir", metavar="DIR", action="append", default=[], help="more configuration files")
    parser.add_argument("--results", type=Path, default=Path("results"), help="where names are looked up")
    parser.add_argument("--quiet", action="store_true", help="no progress")
    options = parser.parse_intermixed_args(argv)

    from eval.analysis.records import find_run, load_run
    from eval.banks.induce import Induction, induction_settings
    from eval.banks.opened import choose_stream
    from eval.config.keys import take_env_file
    from eval.runs.replayed import check_models, located
    from eval.workbench import build_workbench, check_calls
    from reasoningbank.errors import SetupError

    take_env_file()
    for text in options.overrides:
        if "=" not in text:
            raise SetupError(f"{text!r} is not a setting: write KEY=VALUE; `python induce_memory.py --help` says more")
    overrides = [*(f"--config-dir={folder}" for folder in options.config_dir), *options.overrides]
    overrides += [f"memory={options.memory}"] if options.memory else []
    run = load_run(find_run(options.run, options.results))
    stream = choose_stream(run, options.stream)
    settings = induction_settings(run, overrides, judge=options.judge)
    settings = located(settings, options.results)
    check_models(settings)
    out = options.out or default_out(run, stream.name, settings.memory["type"], options.results)
    bench = build_workbench(settings, asked=False)
    induction = Induction(run=run, stream=stream, bench=bench, judge=options.judge, out=out)
    check_calls(bench, induction.roles)
    progress = Tally(induction, quiet=options.quiet)
    induction.make(progress.episode, progress.waiting)
    progress.end()
    return 0


def default_out(run: RunRecord, stream: str, memory: str, root: Path) -> Path:
    import re

    from reasoningbank.files import path_name

    name = re.sub(r"[^A-Za-z0-9._-]+", "-", f"{run.name}-{stream}-{memory}")
    return root / "banks" / f"{path_name(name)}.sqlite"


class Tally:
    """Counts the episodes and tells of them."""

    def __init__(self, induction: Induction, *, quiet: bool) -> None:
        self.induction = induction
        self.quiet = quiet
        self.total = len(induction.episodes())
        self.done = self.kept = self.experiences = self.items = self.refused = self.calls = self.tokens = 0
        self._next = 0.0

    def episode(self, induced: Induced, old: bool) -> None:
        self.done += 1
        self.kept += old
        self.experiences += len(induced.learnt)
        self.items += sum(len(experience.items) for experience in induced.learnt)
        self.refused += induced.refused
        self.calls += induced.calls
        self.tokens += induced.tokens
        from reasoningbank.text import counted

        now = time.monotonic()
        if not self.quiet and not old and (now >= self._next or self.done == self.total):
            self._next = now + SECONDS
            state = f"{counted(self.items, 'item')}  tokens {self.tokens:,}"
            print(f"[{self.done}/{self.total}] {induced.episode_id}  {state}", flush=True)

    def waiting(self, text: str) -> None:
        if text and not self.quiet:
            print(text, flush=True)

    def end(self) -> None:
        from eval.analysis.tables import stamps
        from reasoningbank.text import counted

        induction = self.induction
        kept = f" ({self.kept} kept from before)" if self.kept else ""
        print(
            f"written: {induction.out}: {counted(self.experiences, 'experience')}, {counted(self.items, 'item')}, from "
            f"{counted(self.total, 'task')}{kept}; {counted(self.calls, 'call')}, {counted(self.tokens, 'token')}, "
            f"{counted(self.refused, 'reply refused', 'replies refused')}"
        )
        if induction.redone:
            print(f"! left out, since they were done again after others had begun: {counted(induction.redone, 'task')}")
        if left_out := len(induction.stream.lines) - self.total - induction.redone:
            print(f"! left out for an infra_error: {counted(left_out, 'task')}")
        if not induction.stream.complete:
            print("! the run is incomplete: so is the bank")
        for stamp in stamps(induction.origin):
            print(f"! {stamp}")


if __name__ == "__main__":
    run_program(
        lambda: guarded(lambda: main(sys.argv[1:]), sys.argv[1:]),
        interrupted="interrupted; what is distilled is kept, the same command continues",
    )
