"""`python -m eval show RUN [TASK] [--attempt I] [--full]`: a run's episodes, or one of them as a person reads it.

Without TASK: one row an episode; into a pipe or a file one line each, with tabs between. With it: what was recalled,
the literal prompts with the injected memory, every step, the verdict with its reasons beside the outcome, and the
items learnt.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from eval.terminal.program import Arguments
from reasoningbank.errors import SetupError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import Console

    from eval.analysis.records import RunRecord, StreamRecord

HELP = "print a run's episodes, or one of them in full"

EXAMPLES = """examples:
  python -m eval show RUN                               one row a task; into a pipe one line, with tabs
  python -m eval show RUN 3                             task 3: prompts, steps, verdicts, lessons
  python -m eval show RUN 3 --attempt 0 --full          one attempt, with the message of every step as it was sent
  python -m eval show RUN agenda-104                    of a run at code: mini__agenda-104, by how its id ends
"""

COLUMNS = ("pos.", "task", "outcomes", "verdicts", "recalled", "learnt", "intent")
LEGEND = (
    "outcomes: + solved, - unsolved, ? open, ! infra_error, [ ] selected",
    "verdicts: s success, f failure, ? unread, . none",
    "recalled: the tasks whose experience went into the prompt, each with its similarity to this one; learnt: items",
)


def main(argv: list[str]) -> int:
    parser = Arguments(
        prog="python -m eval show",
        description=HELP,
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("run", metavar="RUN", help="a run's folder, or its name under the results folder")
    parser.add_argument(
        "task", metavar="TASK", nargs="?", help="a task id or its end, or an episode id such as shopping.t0/0003/3"
    )
    parser.add_argument("--attempt", type=int, metavar="I", help="this attempt only (from 0)")
    parser.add_argument(
        "--full", action="store_true", help="observations whole, and each step's message (else the first one's)"
    )
    parser.add_argument("--no-pager", action="store_true", help="on a terminal: print all at once, not by pages")
    parser.add_argument("--results", type=Path, default=Path("results"), help="where names are looked up")
    options = parser.parse_args(argv)
    if options.attempt is not None and options.task is None:
        raise SetupError("--attempt needs a TASK before it")

    from eval.analysis.records import find_run, load_run
    from eval.commands._episode import EpisodePrinter, matching
    from eval.commands._sent import sent_messages
    from eval.terminal.rows import by_pages

    run = load_run(find_run(options.run, options.results))
    episodes = [] if options.task is None else matching(run, options.task)
    with by_pages(wanted=not options.no_pager) as console:
        if options.task is None:
            overview(run, console)
            return 0
        printer = EpisodePrinter(run, console, sent_messages(run), options.full)
        for episode in episodes:
            printer.episode(episode, only=options.attempt)
    return 0


def overview(run: RunRecord, console: Console) -> None:
    """A table for a terminal, lines with tabs for anything else."""
    from eval.analysis.tables import run_title
    from eval.terminal.rows import print_rows, remark

    for stream in run.streams:
        title = f"{run_title(f'{run.name} / {stream.name}', run.simulated, stream.complete)}: {done(stream)}"
        print_rows(console, COLUMNS, rows(run, stream), title=title, wide="intent")
    for line in (*LEGEND, *([f"bank: {run.bank}"] if run.bank else [])):
        remark(console, line)


def done(stream: StreamRecord) -> str:
    """`60 tasks`, or `17 of 60 tasks`."""
    from reasoningbank.text import counted

    if stream.complete or stream.planned is None:
        return counted(len(stream.lines), "task")
    return f"{len(stream.lines)} of {counted(stream.planned, 'task')}"


def rows(run: RunRecord, stream: StreamRecord) -> Iterator[list[str]]:
    """The cells of every episode, as in COLUMNS."""
    from eval.commands._episode import intent, outcomes, verdicts
    from reasoningbank.text import counted

    for episode in (line.result for line in stream.lines):
        recalled = ", ".join(f"{each.task_id} ({each.score:.2f})" for each in episode.recalled)
        items = counted(sum(len(experience.items) for experience in episode.learnt), "item")
        yield [
            *(str(episode.position), episode.task_id, outcomes(episode), verdicts(episode)),
            *(recalled or "-", items, intent(run, episode)),
        ]
