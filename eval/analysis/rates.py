"""The success of several settings, and what each differs by from the first one on the tasks that both did."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from eval.analysis.plots import (
    COLOURS,
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
from eval.analysis.summary import IntervalValue
from eval.analysis.sweep import Setting
from eval.analysis.tables import METRICS, percent
from reasoningbank.text import counted

if TYPE_CHECKING:
    from matplotlib.axes import Axes

UNLIKE = "best-of-N chooses one of k attempts where Pass@1 has each of them count: not like for like"
"""To be said where arms have different metrics."""


def comparison_figure(
    title: str,
    settings: Mapping[str, Setting],
    *,
    simulated: bool,
    complete: bool,
    notes: Sequence[str],
    form: Format = "png",
) -> bytes:
    """Success of each setting with its 95 % interval and, of several, the paired difference to the first one with
    its own. `notes` end the caption."""
    several = len(settings) > 1
    figure = empty_figure(2.1 + 0.58 * len(settings))
    panels = figure.subplots(1, 2 if several else 1, sharey=True, squeeze=False, width_ratios=(1, 1)[: 1 + several])[0]
    metrics = sorted({METRICS[each.success_metric] for each in settings.values()})
    names = []
    for row, (name, setting) in enumerate(settings.items()):
        by = f", {METRICS[setting.success_metric]}" if len(metrics) > 1 else ""
        names.append(escape(f"{wrapped(name, 30)}\n{counted(setting.streams, 'stream')}, n = {setting.n:,}{by}"))
        if setting.success_rate is not None:
            _bar(panels[0], row, setting.success_rate, setting.interval, percent(setting.success_rate))
        if several:
            _difference(panels[1], row, setting)
    panels[0].set_yticks(range(len(settings)), names, fontsize=SMALL)
    panels[0].set_ylim(len(settings) - 0.5, -0.7)
    panels[0].set_xlim(0, 100)
    panels[0].set_xlabel(f"success, {' or '.join(metrics)} (%)", fontsize=TEXT)
    if several:
        panels[1].axvline(0, color="black", linewidth=1)
        panels[1].set_xlim(*_symmetric(settings))
        panels[1].set_xlabel(f"difference to {wrapped(escape(next(iter(settings))), 40)}\n(points)", fontsize=TEXT)
        panels[1].tick_params(left=False)
    for panel in panels:
        panel.grid(axis="x", alpha=0.3)
    n = counted(sum(each.n for each in settings.values()), "task")
    caption = f"n = {n} in all; bars: 95 % intervals; success by {', '.join(metrics)}"
    if several:
        caption += "; difference: over pairs, the tasks that both did in the same world, with the same seed and trial"
    if len(metrics) > 1:
        caption += f"; {UNLIKE}"
    finish(figure, title=title, caption=caption, simulated=simulated, complete=complete, notes=notes)
    return picture(figure, form)


def _difference(axes: Axes, row: int, setting: Setting) -> None:
    found = setting.difference
    if found is not None and found.success_rate is not None:
        text = f"{100 * found.success_rate:+.1f} ({counted(found.n, 'pair')})"
        _bar(axes, row, found.success_rate, found.interval, text)
        return
    said = "reference" if row == 0 else "no task in common"
    axes.annotate(said, (0, row), (6, 0), textcoords="offset points", va="center", fontsize=SMALL)


def _bar(axes: Axes, row: int, value: float, interval: IntervalValue | None, text: str) -> None:
    low, high = (value, value) if interval is None else (interval.low, interval.high)
    axes.errorbar(
        [100 * value],
        [row],
        xerr=[[100 * (value - low)], [100 * (high - value)]],
        color=COLOURS[row % len(COLOURS)],
        marker=MARKERS[row % len(MARKERS)],
        markersize=7,
        capsize=4,
        linewidth=1.8,
    )
    axes.annotate(
        text,
        (100 * value, row),
        (0, 8),
        textcoords="offset points",
        ha="center",
        fontsize=SMALL,
        bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.85, "pad": 0.5},
    )


def _symmetric(settings: Mapping[str, Setting]) -> tuple[float, float]:
    """Room for all differences, as much on one side of none as on the other."""
    found = [each.difference for each in settings.values() if each.difference is not None]
    ends = [abs(end) for each in found if each.interval for end in (each.interval.low, each.interval.high)]
    most = 100 * max([*ends, *(abs(each.success_rate or 0) for each in found), 0.05]) * 1.25
    return -most, most
