"""Figures that show several runs or sweeps at once: success as tasks are done, steps, success with its interval."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from eval.analysis.arms import Arm
from eval.analysis.curves import Curve, draw, line_notes, overall_curve
from eval.analysis.origin import united
from eval.analysis.plots import (
    COLOURS,
    DASHES,
    MARKERS,
    SMALL,
    TEXT,
    Format,
    empty_figure,
    escape,
    finish,
    picture,
    wrapped,
)
from eval.analysis.rates import UNLIKE, comparison_figure
from eval.analysis.stats import mean
from eval.analysis.sweep import pooled
from eval.analysis.tables import METRICS, number, stamps
from reasoningbank.text import counted

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from matplotlib.text import Text


def cumulative(arms: Sequence[Arm], form: Format) -> bytes:
    """Success rate so far against tasks done, a line for each arm: the mean over its streams."""
    common, names = shortened(arms)
    metrics = sorted({METRICS[arm.pool.metric] for arm in arms})
    curves = []
    for place, (name, arm) in enumerate(zip(names, arms, strict=True)):
        by = f", {METRICS[arm.pool.metric]}{_of_k(arm)}" if len(metrics) > 1 else ""
        setting = arm.setting
        curves.append(
            Curve(
                label=wrapped(f"{name} ({_size(arm)}{by})", 90),
                values=overall_curve(arm.curves),
                rate=setting.success_rate,
                interval=setting.interval,
                colour=COLOURS[place % len(COLOURS)],
                marker=MARKERS[place % len(MARKERS)],
                # more arms than colours: the same colours again in other dashes
                dash=DASHES[(place + place // len(COLOURS)) % len(DASHES)],
            )
        )
    caption = "; ".join([f"n = {_tasks(arms)}; success by {', '.join(metrics)}", *line_notes(curves)])
    if len(metrics) > 1:
        caption += f"; {UNLIKE}"
    write = partial(_finish, arms=arms, title=_titled("Success as tasks are done", common), caption=caption)
    return picture(draw(curves, " or ".join(metrics), write), form)


def steps(arms: Sequence[Arm], form: Format) -> bytes:
    """The steps of each arm's attempts as boxes, of solved and of failed ones apart."""
    from matplotlib.ticker import MaxNLocator

    figure = empty_figure(2.1 + 0.8 * len(arms))
    axes = figure.add_subplot()
    common, names = shortened(arms)
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
            fontsize=SMALL,
        )
    labels = []
    for name, arm in zip(names, arms, strict=True):
        counts = [f"{_kind(solved)}, n = {len(arm.steps(solved=solved)):,}" for solved in (True, False)]
        labels += [f"{wrapped(name, 36)}\n{counts[0]}", counts[1]]
    axes.set_yticks(range(len(rows)), [escape(label) for label in labels], fontsize=SMALL)
    for row in range(2, len(rows), 2):
        axes.axhline(row - 0.62, color="grey", linewidth=0.6)
    axes.set_ylim(len(rows) - 0.4, -0.9)
    axes.set_xlim(left=0)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_xlabel("steps of an attempt (agent turns)", fontsize=TEXT)
    axes.grid(axis="x", alpha=0.3)
    attempts = sum(len(arm.steps(solved=solved)) for arm, solved in rows)
    caption = (
        f"n = {counted(attempts, 'attempt')} at {_tasks(arms)}; box: quartiles, line: median, whiskers: 5 to 95 %, "
        "diamond and number: mean; solved and failed attempts are of different tasks in each arm"
    )
    _finish(figure, arms, title=_titled("Steps of solved and of failed attempts", common), caption=caption)
    return picture(figure, form)


def success(arms: Sequence[Arm], form: Format) -> bytes:
    """The success rate of each arm, and its paired difference to the first one, with 95 % intervals."""
    common, names = shortened(arms)
    settings = {name: pooled(arm.pool, arms[0].pool) for name, arm in zip(names, arms, strict=True)}
    return comparison_figure(
        _titled("Success", common),
        settings,
        simulated=united(arm.origin for arm in arms).simulated,
        complete=_complete(arms),
        notes=notes(arms),
        form=form,
    )


KINDS: dict[str, Callable[[Sequence[Arm], Format], bytes]] = {
    "cumulative": cumulative,
    "steps": steps,
    "success": success,
}


def notes(arms: Sequence[Arm]) -> list[str]:
    """What a reader must know before comparing the arms."""
    apart = ["the arms are not over the same tasks"] if len({arm.tasks for arm in arms}) > 1 else []
    return [*apart, *stamps(united(arm.origin for arm in arms))]


def shortened(arms: Sequence[Arm]) -> tuple[str, list[str]]:
    """The name of the one sweep that arms are of, and the arms' names without it."""
    names = [arm.name for arm in arms]
    sweeps = {name.partition(": ")[0] for name in names if ": " in name}
    short = [name.rpartition(": ")[2] for name in names]
    if len(sweeps) != 1 or len(set(short)) < len(names):
        return "", names
    others = "" if all(": " in name for name in names) else " and others"
    return f"{sweeps.pop()}{others}", short


def _titled(title: str, common: str) -> str:
    return f"{title}: {common}" if common else title


def _of_k(arm: Arm) -> str:
    return "" if arm.k is None else f", k = {arm.k}"


def _finish(figure: Figure, arms: Sequence[Arm], *, title: str, caption: str) -> tuple[Text, Text]:
    return finish(
        figure,
        title=title,
        caption=caption,
        simulated=united(arm.origin for arm in arms).simulated,
        complete=_complete(arms),
        notes=notes(arms),
    )


def _complete(arms: Sequence[Arm]) -> bool:
    return all(arm.pool.complete for arm in arms)


def _tasks(arms: Sequence[Arm]) -> str:
    return counted(sum(arm.n for arm in arms), "task") + " in all"


def _size(arm: Arm) -> str:
    streams = len([curve for curve in arm.curves if curve])
    return f"n = {arm.n:,}" if streams == 1 else f"n = {arm.n:,}, {counted(streams, 'stream')}"


def _kind(solved: bool) -> str:
    return "solved" if solved else "failed"
