"""Figures of runs. matplotlib is used through its objects, without pyplot: no window, no global state."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING

from eval.analysis.records import RunRecord
from eval.analysis.summary import Summary
from eval.analysis.sweep import Setting
from eval.analysis.tables import METRICS, counted, percent

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Okabe and Ito's palette, which colour-blind readers can tell apart. Groups differ in colour and marker, trials in dash
_COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442")
_DASHES = ("-", "--", "-.", ":")
_MARKERS = ("o", "s", "^", "D", "v", "P", "X")


def cumulative_figure(run: RunRecord, summary: Summary) -> bytes:
    """Success rate so far against tasks done, a line for each stream and one for all, as PNG."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    metric = summary.overall.success_metric
    streams = [
        (stream, [line.result.success(metric) for line in stream.lines if line.result.counted])
        for stream in run.streams
    ]
    figure = Figure(figsize=(7.5, 4.8), dpi=140, layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    trials: dict[str, int] = {}
    for stream, values in streams:
        trial = trials[stream.group] = trials.get(stream.group, -1) + 1
        group = list(trials).index(stream.group)
        axes.plot(
            range(1, len(values) + 1),
            [100 * value for value in running_mean(values)],
            color=_COLOURS[group % len(_COLOURS)],
            linestyle=_DASHES[trial % len(_DASHES)],
            marker=_MARKERS[group % len(_MARKERS)],
            markersize=4,
            markevery=max(1, len(values) // 12),
            linewidth=1.6,
            label=f"{stream.name} (n = {len(values)})",
        )
    if len(streams) > 1:
        overall = overall_curve([values for _, values in streams])
        axes.plot(
            range(1, len(overall) + 1),
            [100 * value for value in overall],
            color="black",
            linewidth=2.4,
            label=f"overall (n = {summary.overall.n})",
        )
    axes.set_xlabel("tasks done in each stream (count)")
    axes.set_ylabel("success rate so far (%)")
    axes.set_ylim(0, 100)
    axes.set_xlim(left=0)
    axes.grid(alpha=0.3)
    if len(streams) > 6:
        figure.legend(loc="outside right upper", fontsize=7)
    elif streams:
        axes.legend(loc="best", fontsize=8)
    marks = [*(["SIMULATED MODEL"] if summary.simulated else []), *([] if summary.complete else ["incomplete"])]
    axes.set_title(" - ".join([_escape(summary.run), *marks]), fontsize=10)
    caption = f"n = {summary.overall.n} tasks, k = {summary.overall.k}; success by {metric}"
    if summary.simulated:
        caption += "; simulated: cannot show whether memory helps"
    figure.supxlabel(_escape(caption), fontsize=8)
    return _png(figure)


def comparison_figure(title: str, settings: Mapping[str, Setting], *, simulated: bool) -> bytes:
    """Success of each setting of a sweep with its 95 % interval, as PNG."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.5, 1.6 + 0.5 * len(settings)), dpi=140, layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    for row, setting in enumerate(settings.values()):
        if setting.success_rate is None:
            continue
        value, interval = 100 * setting.success_rate, setting.interval
        ends = (value, value) if interval is None else (100 * interval.low, 100 * interval.high)
        axes.errorbar(
            [value],
            [row],
            xerr=[[value - ends[0]], [ends[1] - value]],
            color=_COLOURS[row % len(_COLOURS)],
            marker=_MARKERS[row % len(_MARKERS)],
            markersize=7,
            capsize=4,
            linewidth=1.8,
        )
        axes.annotate(percent(setting.success_rate), (value, row), (0, 8), textcoords="offset points", ha="center")
    names = [f"{name}\n{counted(each.streams, 'stream')}, n = {each.n}" for name, each in settings.items()]
    axes.set_yticks(range(len(settings)), [_escape(name) for name in names], fontsize=8)
    axes.set_ylim(len(settings) - 0.4, -0.8)
    axes.set_xlim(0, 100)
    axes.set_xlabel("success rate (%) with 95 % interval")
    axes.grid(axis="x", alpha=0.3)
    axes.set_title(_escape(title) + (" - SIMULATED MODEL" if simulated else ""), fontsize=10)
    caption = "success by " + ", ".join(sorted({METRICS[each.success_metric] for each in settings.values()}))
    if simulated:
        caption += "; simulated: cannot show whether memory helps"
    figure.supxlabel(_escape(caption), fontsize=8)
    return _png(figure)


def _png(figure: Figure) -> bytes:
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", metadata={"Software": None})
    return buffer.getvalue()


def running_mean(values: Sequence[float]) -> list[float]:
    """Mean of the first 1, 2, ... values."""
    return [total / count for count, total in enumerate(accumulate(values), 1)]


def overall_curve(streams: Sequence[Sequence[float]]) -> list[float]:
    """Mean over the first x tasks of every stream; a stream that has ended stays in with what it has."""
    longest = max(map(len, streams), default=0)
    curve = []
    for x in range(1, longest + 1):
        so_far = [value for values in streams for value in values[:x]]
        curve.append(sum(so_far) / len(so_far))
    return curve


def _escape(text: str) -> str:
    return text.replace("$", r"\$")
