"""Figures of runs. matplotlib is used through its objects, without pyplot: no window, no global state."""

from __future__ import annotations

import io
import textwrap
from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Literal, get_args

from eval.analysis.records import RunRecord
from eval.analysis.summary import Summary
from eval.analysis.sweep import Setting
from eval.analysis.tables import METRICS, counted, percent, stamps

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Format = Literal["png", "svg"]
FORMATS: tuple[Format, ...] = get_args(Format)

# Okabe and Ito's palette, which colour-blind readers can tell apart. Groups differ in colour and marker, trials in dash
COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442")
DASHES = ("-", "--", "-.", ":")
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
CAPTION_WIDTH = 115


def cumulative_figure(run: RunRecord, summary: Summary) -> bytes:
    """Success rate so far against tasks done, a line for each stream and one for all, as PNG."""
    metric = summary.overall.success_metric
    streams = [
        (stream, [line.result.success(metric) for line in stream.lines if line.result.counted])
        for stream in run.streams
    ]
    figure, axes = new_figure(4.8)
    trials: dict[str, int] = {}
    for stream, values in streams:
        trial = trials[stream.group] = trials.get(stream.group, -1) + 1
        group = list(trials).index(stream.group)
        draw_curve(axes, running_mean(values), f"{stream.name} (n = {len(values)})", place=group, dash=trial)
    if len(streams) > 1:
        overall = overall_curve([values for _, values in streams])
        axes.plot(
            range(1, len(overall) + 1),
            [100 * value for value in overall],
            color="black",
            linewidth=2.4,
            label=f"overall (n = {summary.overall.n})",
        )
    frame_curves(figure, axes, beside=len(streams) > 6)
    caption = f"n = {summary.overall.n} tasks, k = {summary.overall.k}; success by {METRICS[metric]}"
    finish(
        figure,
        axes,
        title=summary.run,
        caption=caption,
        simulated=summary.simulated,
        complete=summary.complete,
        notes=stamps(summary.simulated, summary.gold_doors),
    )
    return picture(figure, "png")


def comparison_figure(
    title: str,
    settings: Mapping[str, Setting],
    *,
    simulated: bool,
    complete: bool,
    notes: Sequence[str],
    form: Format = "png",
) -> bytes:
    """Success of each setting with its 95 % interval. `notes` end the caption."""
    figure, axes = new_figure(1.6 + 0.5 * len(settings))
    for row, setting in enumerate(settings.values()):
        if setting.success_rate is None:
            continue
        value, interval = 100 * setting.success_rate, setting.interval
        ends = (value, value) if interval is None else (100 * interval.low, 100 * interval.high)
        axes.errorbar(
            [value],
            [row],
            xerr=[[value - ends[0]], [ends[1] - value]],
            color=COLOURS[row % len(COLOURS)],
            marker=MARKERS[row % len(MARKERS)],
            markersize=7,
            capsize=4,
            linewidth=1.8,
        )
        axes.annotate(percent(setting.success_rate), (value, row), (0, 8), textcoords="offset points", ha="center")
    names = [f"{name}\n{counted(each.streams, 'stream')}, n = {each.n}" for name, each in settings.items()]
    axes.set_yticks(range(len(settings)), [escape(name) for name in names], fontsize=8)
    axes.set_ylim(len(settings) - 0.4, -0.8)
    axes.set_xlim(0, 100)
    axes.set_xlabel("success rate (%) with 95 % interval")
    axes.grid(axis="x", alpha=0.3)
    n = sum(each.n for each in settings.values())
    metrics = ", ".join(sorted({METRICS[each.success_metric] for each in settings.values()}))
    caption = f"n = {n:,} tasks in all; success by {metrics}"
    finish(figure, axes, title=title, caption=caption, simulated=simulated, complete=complete, notes=notes)
    return picture(figure, form)


def new_figure(height: float, width: float = 7.5) -> tuple[Figure, Axes]:
    """An empty one, in inches."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), dpi=140, layout="constrained")
    FigureCanvasAgg(figure)
    return figure, figure.add_subplot()


def draw_curve(axes: Axes, curve: Sequence[float], label: str, *, place: int, dash: int) -> None:
    """A success rate so far. `place` gives it colour and marker."""
    axes.plot(
        range(1, len(curve) + 1),
        [100 * value for value in curve],
        color=COLOURS[place % len(COLOURS)],
        linestyle=DASHES[dash % len(DASHES)],
        marker=MARKERS[place % len(MARKERS)],
        markersize=4,
        markevery=max(1, len(curve) // 12),
        linewidth=1.6,
        label=escape(label),
    )


def frame_curves(figure: Figure, axes: Axes, *, beside: bool) -> None:
    """Axes and legend of success rates so far. `beside`: more names than the plot itself has room for."""
    axes.set_xlabel("tasks done in each stream (count)")
    axes.set_ylabel("success rate so far (%)")
    axes.set_ylim(0, 100)
    axes.set_xlim(left=0)
    axes.grid(alpha=0.3)
    if beside:
        figure.legend(loc="outside right upper", fontsize=8)
    elif axes.lines:
        axes.legend(loc="best", fontsize=8)


def finish(
    figure: Figure,
    axes: Axes,
    *,
    title: str,
    caption: str,
    simulated: bool,
    complete: bool,
    notes: Sequence[str],
) -> None:
    """Title and caption, with what a reader must know."""
    marks = [*(["SIMULATED MODEL"] if simulated else []), *([] if complete else ["incomplete"])]
    axes.set_title(escape(" - ".join([title, *marks])), fontsize=10)
    figure.supxlabel(escape(textwrap.fill("; ".join([caption, *notes]), CAPTION_WIDTH)), fontsize=8)


def picture(figure: Figure, form: Format) -> bytes:
    """The figure as a file's content: equal figures give equal bytes. The text of an SVG stays text."""
    from matplotlib import rc_context

    buffer = io.BytesIO()
    with rc_context({"svg.hashsalt": "reasoningbank", "svg.fonttype": "none"}):
        figure.savefig(buffer, format=form, metadata={"Software": None} if form == "png" else {"Date": None})
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


def escape(text: str) -> str:
    """With `$` as itself, not as the beginning of a formula."""
    return text.replace("$", r"\$")
