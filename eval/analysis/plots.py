"""What all figures share: palette, frame, title and caption. matplotlib is used through its objects, without pyplot: no
window, no global state."""

from __future__ import annotations

import io
import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, get_args

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from matplotlib.text import Text

Format = Literal["png", "svg"]
FORMATS: tuple[Format, ...] = get_args(Format)
Dash = str | tuple[int, tuple[float, ...]]

BLACK = "#000000"
COLOURS = (
    *("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", BLACK),
    *("#332288", "#882255", "#999933", "#117733", "#661100", "#888888"),
)
"""Okabe and Ito's palette, which colour-blind readers can tell apart; its yellow, too pale for a line, is left out.
Then of Tol's muted one what differs from these, mostly by being darker. A marker of its own goes with each."""
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", "*", ">", "p", "h")
DASHES: tuple[Dash, ...] = ("-", (0, (6, 2)), (0, (2, 1.5)), (0, (6, 2, 1.5, 2)), (0, (10, 2)), (0, (1, 1)))
WIDTH = 8.0
"""Of a figure, in inches."""
TITLE, TEXT, SMALL = 11, 9, 8
"""Sizes of letters, in points."""


def empty_figure(height: float, width: float = WIDTH, *, arranged: bool = False) -> Figure:
    """One in inches, whose parts find their own room: twice the work of one whose parts are `arranged` by who draws."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), dpi=150, layout=None if arranged else "constrained")
    FigureCanvasAgg(figure)
    if arranged:
        return figure
    engine = figure.get_layout_engine()
    assert engine is not None
    engine.set(w_pad=0.12, h_pad=0.08)  # type: ignore[call-arg]  # the constrained layout's own
    return figure


def finish(
    figure: Figure,
    *,
    title: str,
    caption: str,
    simulated: bool,
    complete: bool,
    notes: Sequence[str],
) -> tuple[Text, Text]:
    """Title and caption, with what a reader must know. `notes` end the caption."""
    marks = [*(["SIMULATED MODEL"] if simulated else []), *([] if complete else ["incomplete"])]
    letters = figure.get_figwidth() * 72  # points
    lines = textwrap.wrap(" - ".join([title, *marks]), int(letters / (TITLE * 0.62)))
    heading = figure.suptitle(escape("\n".join(lines)), fontsize=TITLE, fontweight="bold")
    text = textwrap.fill("; ".join([caption, *notes]), int(letters / (SMALL * 0.53)))
    return heading, figure.supxlabel(escape(text), fontsize=SMALL)


def picture(figure: Figure, form: Format) -> bytes:
    """The figure as a file's content: equal figures give equal bytes. The text of an SVG stays text."""
    from matplotlib import rc_context

    buffer = io.BytesIO()
    with rc_context({"svg.hashsalt": "reasoningbank", "svg.fonttype": "none"}):
        figure.savefig(buffer, format=form, metadata={"Software": None} if form == "png" else {"Date": None})
    return buffer.getvalue()


def escape(text: str) -> str:
    """With `$` as itself, not as the beginning of a formula."""
    return text.replace("$", r"\$")


def wrapped(name: str, width: int) -> str:
    """A name on lines of a label's width, broken at commas where it can be."""
    lines = [""]
    for part in name.replace(",", ",\0").replace(" ", " \0").split("\0"):
        if lines[-1] and len(lines[-1]) + len(part.rstrip()) > width:
            lines.append("")
        lines[-1] += part
    return "\n".join(piece for line in lines for piece in textwrap.wrap(line, width))
