"""Success as tasks are done: a line an arm or a stream, and beside the lines where each ends, with its interval."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import accumulate
from typing import TYPE_CHECKING

from eval.analysis.plots import (
    BLACK,
    COLOURS,
    DASHES,
    MARKERS,
    SMALL,
    TEXT,
    TITLE,
    Dash,
    empty_figure,
    escape,
    finish,
    picture,
)
from eval.analysis.records import RunRecord
from eval.analysis.summary import IntervalValue, Summary
from eval.analysis.tables import METRICS, stamps
from reasoningbank.text import counted

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.legend import Legend
    from matplotlib.lines import Line2D
    from matplotlib.text import Text

BEGIN = 5
"""Lines begin here: the mean of the first few tasks jumps between 0 and 100 % and says nothing."""
CURVES = 3.1
"""Height of the curves, in inches."""
ROW = 0.17
"""Height of a row of names, in inches."""
MOST_ENDS = 8
"""Of so many lines the ends have room side by side."""
STREAM_COLOURS = tuple(colour for colour in COLOURS if colour != BLACK)
"""Black is for the whole."""


@dataclass(frozen=True)
class Curve:
    """One line: success so far after each task, and the rate that is reported at its end."""

    label: str
    values: Sequence[float]
    rate: float | None
    interval: IntervalValue | None
    colour: str
    marker: str
    dash: Dash
    width: float = 1.8

    @property
    def first(self) -> int:
        """The task at which the line begins; a short one is drawn whole."""
        return BEGIN if len(self.values) >= 2 * BEGIN else 1


def cumulative_figure(run: RunRecord, summary: Summary) -> bytes:
    """Success rate so far against tasks done, a line for each stream and one for all, as PNG."""
    metric = summary.overall.success_metric
    curves, whole = stream_curves(run, summary)
    caption = f"{counted(summary.overall.n, 'task')} in all, k = {summary.overall.k}; success by {METRICS[metric]}"
    write = partial(
        finish,
        title=summary.run,
        caption="; ".join([f"n = {caption}", *line_notes(curves, whole)]),
        simulated=summary.simulated,
        complete=summary.complete,
        notes=stamps(summary.origin),
    )
    return picture(draw(curves, METRICS[metric], write, whole), "png")


def stream_curves(run: RunRecord, summary: Summary) -> tuple[list[Curve], list[Curve]]:
    """A line for each stream, and one for all where there are several. Streams of one group are of one colour."""
    metric = summary.overall.success_metric
    curves: list[Curve] = []
    trials: dict[str, int] = {}
    every: list[list[float]] = []
    for stream in run.streams:
        values = [line.result.success(metric) for line in stream.lines if line.result.counted]
        every.append(values)
        trial = trials[stream.group] = trials.get(stream.group, -1) + 1
        group = list(trials).index(stream.group)
        block = summary.streams[stream.name]
        curves.append(
            Curve(
                label=f"{stream.name} (n = {len(values)})",
                values=running_mean(values),
                rate=block.success_rate,
                interval=block.interval,
                colour=STREAM_COLOURS[group % len(STREAM_COLOURS)],
                # more groups than colours: the same colours again with other markers
                marker=MARKERS[(group + group // len(STREAM_COLOURS)) % len(MARKERS)],
                dash=DASHES[trial % len(DASHES)],
            )
        )
    whole = []
    if len(curves) > 1:
        whole.append(
            Curve(
                label=f"overall (n = {summary.overall.n})",
                values=overall_curve(every),
                rate=summary.overall.success_rate,
                interval=summary.overall.interval,
                colour=BLACK,
                marker="",
                dash="-",
                width=3,
            )
        )
    return curves, whole


def in_order(curves: Sequence[Curve], whole: Sequence[Curve] = ()) -> list[Curve]:
    """As they are named: what is of all of them, then the others in the order in which they end."""
    return [*whole, *sorted(curves, key=lambda curve: -1 if curve.rate is None else curve.rate, reverse=True)]


def shown_ends(curves: Sequence[Curve], whole: Sequence[Curve] = ()) -> list[Curve]:
    """Those whose ends are drawn beside the lines: where there is no room for all, of the whole."""
    shown = in_order(curves, whole) if len(curves) + len(whole) <= MOST_ENDS else whole
    return [curve for curve in shown if curve.rate is not None]


def line_notes(curves: Sequence[Curve], whole: Sequence[Curve] = ()) -> list[str]:
    """What a caption has to say of the lines and their ends."""
    told = []
    if any(curve.first > 1 for curve in curves):
        told.append(f"lines of {2 * BEGIN} tasks or more begin at task {BEGIN}")
    ends = shown_ends(curves, whole)
    if not ends:
        return told
    where = "where the overall line ends" if list(whole) == ends else "where they end"
    known = sum(curve.interval is not None for curve in ends)
    if known:
        where += ", with its 95 % interval" if list(whole) == ends else ", with 95 % intervals"
    if 0 < known < len(ends):
        where += " of those that have one"
    return [*told, f"at the right {where}"]


def draw(
    curves: Sequence[Curve], what: str, write: Callable[[Figure], tuple[Text, Text]], whole: Sequence[Curve] = ()
) -> Figure:
    """The lines, their names and their ends. `write` gives it its title and caption. `whole`: a line of all of them,
    which is drawn over the others."""
    from matplotlib.ticker import MaxNLocator

    ended = in_order(curves, whole)
    ends = shown_ends(curves, whole)
    curves = [*curves, *whole]
    columns = 2 if max((len(curve.label) for curve in curves), default=0) < 45 else 1
    # a line of names for each row, and one more for each break within a name
    rows = -(-len(curves) // columns) + sum(curve.label.count("\n") for curve in curves)
    figure = empty_figure(CURVES, arranged=True)
    grid = figure.add_gridspec(1, 2, width_ratios=(7, max(0.85, 0.62 * len(ends))))
    axes = figure.add_subplot(grid[: 1 if ends else 2])
    handles = {id(curve): _line(axes, curve, place) for place, curve in enumerate(curves)}
    axes.set_xlabel("tasks done in each stream (count)", fontsize=TEXT)
    axes.set_ylabel(f"success so far, {what} (%)", fontsize=TEXT)
    axes.set_xlim(left=0)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_ylim(*_range(curves))
    axes.grid(alpha=0.3)
    if ends:
        _ends(figure.add_subplot(grid[1], sharey=axes), ends)
    legend = figure.legend(  # above the lines, where it covers none
        [handles[id(curve)] for curve in ended],
        [escape(curve.label) for curve in ended],
        loc="upper left",
        borderaxespad=0,
        borderpad=0,
        ncols=min(columns, max(1, len(curves))),
        fontsize=SMALL,
        frameon=False,
        handlelength=4,
    )
    _arrange(figure, legend, rows, *write(figure))
    return figure


def _arrange(figure: Figure, legend: Legend, rows: int, title: Text, caption: Text) -> None:
    """Give each part its place: from the top the title, the names in `rows` lines, the curves with what is written at
    their axes, the caption. They are texts of known sizes: nothing has to be drawn to find their room."""
    width, pad = figure.get_figwidth(), 0.09
    top = 2.5 * pad + _tall(title, TITLE)
    below = 0.5 + 1.5 * pad + _tall(caption, SMALL)
    above = top + ROW * rows + 1.5 * pad
    height = above + CURVES + below
    figure.set_figheight(height)
    left = 0.6 / width
    title.set_position((0.5, 1 - pad / height))
    caption.set_position((0.5, pad / height))
    legend.set_bbox_to_anchor((left, 1 - top / height), figure.transFigure)
    figure.subplots_adjust(left, below / height, 1 - 0.12 / width, 1 - above / height, wspace=0.08)


def _tall(text: Text, size: float) -> float:
    """Inches."""
    return (text.get_text().count("\n") + 1) * size * 1.2 / 72


def _line(axes: Axes, curve: Curve, place: int) -> Line2D:
    """Later lines are thinner and their marks lie elsewhere, so that one on top of another leaves it to be seen."""
    count = len(curve.values) - curve.first + 1
    step = max(1, count // 8)
    [line] = axes.plot(
        range(curve.first, len(curve.values) + 1),
        [100 * value for value in curve.values[curve.first - 1 :]],
        color=curve.colour,
        linestyle=curve.dash,
        linewidth=max(1.4, curve.width + 1.2 - 0.4 * place) if curve.marker else curve.width,
        marker=curve.marker or ("o" if count == 1 else None),  # a line of one point is its mark alone
        markersize=5,
        markevery=(place * step // 3 % step, step),
        zorder=2 if curve.marker else 3,
    )
    return line


def _ends(axes: Axes, ends: Sequence[Curve]) -> None:
    for place, curve in enumerate(ends):
        assert curve.rate is not None
        rate = 100 * curve.rate
        low, high = (rate, rate) if curve.interval is None else (100 * curve.interval.low, 100 * curve.interval.high)
        axes.errorbar(
            [place],
            [rate],
            yerr=[[rate - low], [high - rate]],
            color=curve.colour,
            marker=curve.marker or "o",
            markersize=6,
            capsize=3,
            linewidth=1.6,
        )
        axes.annotate(f"{rate:.1f}", (place, high), (0, 4), textcoords="offset points", ha="center", fontsize=SMALL)
    axes.set_xlim(-0.6, len(ends) - 0.4)
    axes.set_xticks([])
    axes.tick_params(labelleft=False, left=False)
    axes.grid(axis="y", alpha=0.3)
    axes.set_xlabel("at the end", fontsize=TEXT)


def _range(curves: Sequence[Curve]) -> tuple[float, float]:
    """From and to which percentage the axis goes: whole tens around all that is drawn."""
    shown = [value for curve in curves for value in curve.values[curve.first - 1 :]]
    shown += [end for curve in curves if curve.interval for end in (curve.interval.low, curve.interval.high)]
    if not shown:
        return 0, 100
    low, high = 10 * int(10 * min(shown)), 10 * -int(-10 * max(shown) // 1)
    return max(-3, low - 5), min(106, high + 5)


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
