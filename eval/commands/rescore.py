"""`python -m eval rescore RUN`: outcomes computed again from stored evidence, and the numbers before and after.

python -m eval rescore RUN suite.task_file=FILE --grader NAME
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from eval.terminal import Arguments

if TYPE_CHECKING:
    from collections.abc import Sequence

    from eval.analysis.records import RunRecord
    from eval.rescoring import Figure, Numbers, Rescored
    from eval.settings import Settings

HELP = "outcomes again from stored evidence, by another evaluator, task file or grader"

EXAMPLES = """examples:
  python -m eval rescore RUN                            with the evaluators as they are now
  python -m eval rescore RUN --grader offline           graded by a comparison; or a model, by a name of llm=NAME
  python -m eval rescore RUN temperature.grader=0.5 --json   other settings; all that is written, for other programs

Of WebArena: suite.task_file=FILE for another file of tasks, suite.evaluate=each_step for BrowserGym's way. Sites and
browsers are not needed. The journal stays as it is: what is found is written beside it, to RUN/rescored.
"""
KEYS = ("suite.", "roles.grader.", "temperature.grader", "max_tokens.grader", "prompts.pack", "prices")
"""What may be set: all that an evaluation depends on."""


def main(argv: list[str]) -> int:
    parser = Arguments(
        prog="python -m eval rescore",
        description="Compute a run's outcomes again from the evidence that its attempts have left.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("run", metavar="RUN", help="a run's folder, or its name under the results folder")
    parser.add_argument("settings", nargs="*", metavar="KEY=VALUE", help="other settings than the run's")
    parser.add_argument("--grader", metavar="NAME", help="who grades: a name of llm=NAME")
    parser.add_argument("--config-dir", action="append", default=[], metavar="DIR", help="as for `run`: more settings")
    parser.add_argument("--results", type=Path, default=Path("results"), help="where names are looked up")
    parser.add_argument("--json", action="store_true", help="JSON instead of a table")
    given = parser.parse_intermixed_args(argv)

    from eval.analysis.records import find_run, load_run
    from eval.keys import take_env_file
    from eval.rescoring import read_rescored, rescore

    take_env_file()
    run = load_run(find_run(given.run, given.results))
    folders = [f"--config-dir={folder}" for folder in given.config_dir]
    settings, changed = settings_of(run, given.settings, given.grader, folders)
    path = rescore(run, settings, changed)
    if given.json:
        print(path.read_text(encoding="utf-8"), end="")
    else:
        show(read_rescored(path), path)
    return 0


def settings_of(
    run: RunRecord, overrides: Sequence[str], grader: str | None, folders: Sequence[str]
) -> tuple[Settings, dict[str, Any]]:
    """The run's settings with some others, and those. SetupError for what has no say in an evaluation."""
    from eval.config import load_config
    from eval.overrides import parsed
    from eval.settings import validate
    from reasoningbank.errors import SetupError
    from reasoningbank.providers.secrets import hidden

    data = run.meta.get("settings")
    if not isinstance(data, dict):
        raise SetupError(f"{run.folder / 'meta.json'} has no settings: the run cannot be evaluated again")
    changed: dict[str, Any] = {}
    if grader is not None:
        part = load_config([*folders, f"+llm@roles.grader={grader}"]).roles["grader"]
        data = {**data, "roles": {**data["roles"], "grader": part}}
        changed["grader"] = grader
    for text in overrides:
        override = parsed(text)
        key = str(override.key_or_group)
        if not key.startswith(KEYS) or override.is_delete() or override.is_sweep_override():
            raise SetupError(f"{text}: only what evaluates can be set here: {', '.join(KEYS)}")
        if key == "suite.seed":
            raise SetupError(f"{text}: evidence of one world says nothing of the tasks of another")
        changed[key] = override.value()
        data = with_key(data, key.split("."), changed[key])
    return validate(data), cast("dict[str, Any]", hidden(changed))


def with_key(data: dict[str, Any], keys: Sequence[str], value: Any) -> dict[str, Any]:
    """A copy in which one key, of whatever depth, has another value."""
    first, *rest = keys
    if not rest:
        return {**data, first: value}
    inner = data.get(first)
    return {**data, first: with_key(inner if isinstance(inner, dict) else {}, rest, value)}


def show(found: Rescored, path: Path) -> None:
    from eval.analysis.tables import METRICS, counted, interval_legend, notes, run_title
    from eval.rows import new_console, print_rows, remark

    console = new_console()
    title = f"{run_title(found.run, found.simulated, True)}: success ({METRICS[found.success_metric]}), old and new"
    blocks = {**found.streams, "overall": found.overall}
    if len(found.streams) == 1:
        blocks = {f"{name} = overall": numbers for name, numbers in found.streams.items()}
    rows = [cells(name, numbers) for name, numbers in blocks.items()]
    heads = ("stream", "n", "old", "95 %", "new", "95 %", "left out")
    print_rows(console, heads, rows, title=title, right=heads[1:])
    up = sum(change.new.reward > change.old.reward for change in found.changes)
    down = sum(change.new.reward < change.old.reward for change in found.changes)
    other = len(found.changes) - up - down
    same = f", {other} with other scores on the way to the same" if other else ""
    remark(console, f"{counted(len(found.changes), 'attempt')} changed: {up} better, {down} worse{same}")
    remark(
        console,
        f"fuzzy answers graded by {found.grading}" + (f", {found.ungraded} not graded" if found.ungraded else ""),
    )
    for key, value in found.changed_settings.items():
        remark(console, f"set: {key}={value}")
    for reason, number in found.not_rescored.items():
        remark(console, f"{counted(number, 'task')} left out of both: {reason}")
    shown = [numbers.new.interval for numbers in blocks.values()]
    for line in (*interval_legend(shown), *map(str, notes(found.origin))):
        remark(console, line)
    for role, spent in found.spent.items():
        cost = "at a price that is not known" if spent.cost_usd is None else f"${spent.cost_usd:.4f}"
        remark(console, f"{role}: {spent.usage.input_tokens:,} tokens in, {spent.usage.output_tokens:,} out, {cost}")
    remark(console, f"written: {path}")


def cells(name: str, numbers: Numbers) -> list[str]:
    return [name, str(numbers.new.n), *rate(numbers.old), *rate(numbers.new), str(numbers.left_out)]


def rate(figure: Figure) -> tuple[str, str]:
    from eval.analysis.tables import interval, percent

    return percent(figure.success_rate), interval(figure.interval)
