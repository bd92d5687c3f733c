"""How outcomes that were computed again, or elsewhere, are printed beside those of their run."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from eval.grading.rescoring import Figure, Numbers, Rescored


def show(found: Rescored, path: Path, graded: str) -> None:
    """A table of the streams, and what is to be said of it. `graded`: by whom."""
    from eval.analysis.tables import METRICS, interval_legend, notes, run_title
    from eval.terminal.rows import new_console, print_rows, remark
    from reasoningbank.text import counted

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
    remark(console, graded)
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
