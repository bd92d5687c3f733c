"""Figures that show several runs or sweeps at once: success as tasks are done, steps, success with its interval."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from eval.analysis.arms import Arm
from eval.analysis.plots import (
    COLOURS,
    Format,
    comparison_figure,
    draw_curve,
    escape,
    finish,
    frame_curves,
    new_figure,
    overall_curve,
    picture,
)
from eval.analysis.stats import mean
from eval.analysis.tables import METRICS, counted, number, stamps

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def cumulative(arms: Sequence[Arm], form: Format) -> bytes:
    """Success rate so far against tasks done, a line for each arm: the mean over its streams."""
    beside = len(arms) > 6
    figure, axes = new_figure(4.8, 11 if beside else 7.5)
    metrics = {arm.pool.metric for arm in arms}
    for place, arm in enumerate(arms):
        by = f", {METRICS[arm.pool.metric]}" if len(metrics) > 1 else ""
        label = textwrap.fill(f"{arm.name} ({_size(arm)}{by})", 40 if beside else 70)
        draw_curve(axes, overall_curve(arm.curves), label, place=place, dash=place // len(COLOURS))
    frame_curves(figure, axes, beside=beside)
    names = ", ".join(sorted(METRICS[metric] for metric in metrics))
    _finish(figure, axes, arms, title="Success as tasks are done", caption=f"n = {_tasks(arms)}; success by {names}")
    return picture(figure, form)


def steps(arms: Sequence[Arm], form: Format) -> bytes:
    """The steps of each arm's attempts as boxes, of solved and of failed ones apart."""
    from matplotlib.ticker import MaxNLocator

    figure, axes = new_figure(1.9 + 0.75 * len(arms))
    rows = [(arm, solved) for arm in arms for solved in (True, False)]
    for row, (arm, solved) in enumerate(rows):
        values = arm.steps(solved=solved)
        if not values:
            continue
        axes.boxplot(
            [values],
            positions=[row],
            orientation="horizontal",
            widths=0.6,
            whis=(5, 95),
            showfliers=False,
            showmeans=True,
            patch_artist=True,
            boxprops={"facecolor": COLOURS[0 if solved else 1], "alpha": 0.75, "hatch": "" if solved else "//"},
            medianprops={"color": "black", "linewidth": 1.6},
            meanprops={"marker": "D", "markerfacecolor": "white", "markeredgecolor": "black", "markersize": 6},
        )
        axes.annotate(
            f"{number(mean(values))}",
            (sum(values) / len(values), row - 0.3),
            (0, 2),
            textcoords="offset points",
            ha="center",
            fontsize=7,
        )
    labels = [f"{_short(arm.name)}\n{_kind(solved)}, n = {len(arm.steps(solved=solved)):,}" for arm, solved in rows]
    axes.set_yticks(range(len(rows)), [escape(label) for label in labels], fontsize=8)
    axes.set_ylim(len(rows) - 0.4, -0.9)
    axes.set_xlim(left=0)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_xlabel("steps of an attempt (agent turns)")
    axes.grid(axis="x", alpha=0.3)
    attempts = sum(len(arm.steps(solved=solved)) for arm, solved in rows)
    caption = (
        f"n = {counted(attempts, 'attempt')} at {_tasks(arms)}; box: quartiles, line: median, whiskers: 5 to 95 %, "
        "diamond: mean; solved and failed attempts are of different tasks in each arm"
    )
    _finish(figure, axes, arms, title="Steps of solved and of failed attempts", caption=caption)
    return picture(figure, form)


def success(arms: Sequence[Arm], form: Format) -> bytes:
    """The success rate of each arm with its 95 % interval."""
    settings = {_short(arm.name): arm.setting for arm in arms}
    if len(settings) < len(arms):
        settings = {arm.name: arm.setting for arm in arms}
    return comparison_figure(
        "Success", settings, simulated=_simulated(arms), complete=_complete(arms), notes=notes(arms), form=form
    )


KINDS: dict[str, Callable[[Sequence[Arm], Format], bytes]] = {
    "cumulative": cumulative,
    "steps": steps,
    "success": success,
}


def notes(arms: Sequence[Arm]) -> list[str]:
    """What a reader must know before comparing the arms."""
    doors = sorted({door for arm in arms for door in arm.gold_doors})
    apart = ["the arms are not over the same tasks"] if len({arm.tasks for arm in arms}) > 1 else []
    return [*apart, *stamps(_simulated(arms), doors)]


def _finish(figure: Figure, axes: Axes, arms: Sequence[Arm], *, title: str, caption: str) -> None:
    finish(
        figure,
        axes,
        title=title,
        caption=caption,
        simulated=_simulated(arms),
        complete=_complete(arms),
        notes=notes(arms),
    )


def _simulated(arms: Sequence[Arm]) -> bool:
    return any(arm.simulated for arm in arms)


def _complete(arms: Sequence[Arm]) -> bool:
    return all(arm.pool.complete for arm in arms)


def _tasks(arms: Sequence[Arm]) -> str:
    return counted(sum(arm.n for arm in arms), "task") + " in all"


def _size(arm: Arm) -> str:
    streams = len([curve for curve in arm.curves if curve])
    return f"n = {arm.n:,}" if streams == 1 else f"n = {arm.n:,}, {counted(streams, 'stream')}"


def _kind(solved: bool) -> str:
    return "solved" if solved else "failed"


def _short(name: str) -> str:
    """A name on lines of a label's width."""
    return "\n".join(textwrap.wrap(name, 36)) or name
