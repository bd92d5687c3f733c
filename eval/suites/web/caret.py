"""The caret of a text field: where it is, and what keys do there. Of a text only what a browser tool can see is known:
where its lines are wrapped, and which letter a mouse points at, is not."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from eval.suites.web.controls import input_type, room_of, value_of
from eval.suites.web.dom import Element, words
from eval.suites.web.transport import BrowserError

DATES = words("date month week time datetime-local")
"""Types of inputs of several parts, each with keys of its own."""
RESET = words("text search url tel password")
"""Types of inputs whose caret Playwright puts at their start where a key gives them the focus."""
_COLUMNS = 20
"""Letters that a field has room for unless it says otherwise."""
_WIDE = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZmw@%&")


class Span(NamedTuple):
    """What is selected: from where on, and to where, which is before it or after. Nothing where both are the same."""

    anchor: int = 0
    end: int = 0


@dataclass(slots=True)
class Cursor:
    """Where the keys of a page go, besides to what has the focus.

    `place` is where Tab goes on from while nothing has it, `left` whether it has gone out of the page, `spans` what is
    selected in the fields that were used (None for one of which that is not known), and `open` the drop-down list whose
    options are shown.
    """

    place: Element | None = None
    left: bool = False
    spans: dict[Element, Span | None] = field(default_factory=dict)
    open: Element | None = None

    def at(self, element: Element) -> Span | None:
        """What is selected in a field."""
        span = self.spans.get(element, Span())
        most = len(value_of(element))
        return None if span is None else Span(min(span.anchor, most), min(span.end, most))

    def to_end(self, element: Element) -> None:
        """After its last letter."""
        most = len(value_of(element))
        self.spans[element] = Span(most, most)

    def pointed(self, element: Element, *, once: bool) -> None:
        """A mouse button goes down in the middle of a field: behind a short text, and somewhere in a longer one."""
        value = value_of(element)
        width = sum(2 if letter in _WIDE or ord(letter) > 0x2FF else 1 for letter in value)
        if not value or (once and "\n" not in value and 5 * width <= 2 * _columns(element, "size")):
            self.to_end(element)
        else:
            self.spans[element] = None


def refused(keys: str, where: str, instead: str) -> BrowserError:
    """What is said of a key whose effect is not known here: Chromium would do something."""
    return BrowserError(
        f"Error: the browser without a window cannot press {'Space' if keys == ' ' else keys} in {where}: {instead}"
    )


def moved(element: Element, span: Span | None, key: str, *, extend: bool, control: bool) -> Span | None:
    """Where a key takes the caret; None for one that is no matter of the caret's. Raises BrowserError where it is not
    known."""
    value = value_of(element)
    long = element.tag == "textarea"
    if control and key in ("ArrowLeft", "ArrowRight") and value:
        raise refused(f"Control+{key}", "a text", "use keys that go letter by letter")
    if key in ("PageUp", "PageDown"):
        if long and value:
            raise refused(key, "a text of several lines", "use Control+Home or Control+End")
        return None
    if key in ("ArrowUp", "ArrowDown") or (control and key in ("Home", "End")):
        if long and key.startswith("Arrow") and value and not _in_one_line(element, value):
            raise refused(key, "a text of several lines", "use Control+Home or Control+End")
        to = 0 if key in ("ArrowUp", "Home") else len(value)
        return _to(span, to, extend)
    if key in ("Home", "End"):
        if not long or "\n" not in value:
            if long and not _in_one_line(element, value):
                raise refused(key, "a long text, whose lines may be wrapped", "use Control+Home or Control+End")
            return _to(span, 0 if key == "Home" else len(value), extend)
        return _to(span, _line_end(element, value, known(span).end, key), extend)
    at = known(span)
    if at.anchor != at.end and not extend:
        to = min(at) if key == "ArrowLeft" else max(at)
    else:
        to = max(0, at.end - 1) if key == "ArrowLeft" else min(len(value), at.end + 1)
    return _to(at, to, extend)


def known(span: Span | None) -> Span:
    """Raises BrowserError for a caret of which it is not known where it is."""
    if span is None:
        raise BrowserError(
            "Error: the browser without a window does not know where in the text the click has put the caret: "
            "press Control+a, Control+Home or Control+End first, or use fill"
        )
    return span


def erased(value: str, span: Span, key: str) -> Span:
    """What a key takes away: what is selected, or else the letter before the caret or after it."""
    start, end = sorted(span)
    if start < end:
        return Span(start, end)
    return Span(max(0, start - 1), end) if key == "Backspace" else Span(start, min(len(value), end + 1))


def replaced(element: Element, span: Span, text: str) -> tuple[str, int]:
    """A field's text with another in the place of what is selected, as far as there is room; and where the caret is
    then."""
    value, (start, end) = value_of(element), sorted(span)
    room = room_of(element)
    if room is not None:
        text = text[: max(0, room - len(value) + end - start)]
    left, right = value[:start].rpartition("\n")[2], value[end:].partition("\n")[0]
    if "\n" in value[start:end] and "\n" not in text and left and right:  # Chromium shows what it is made of
        raise refused("a key that makes one line of two", where(element), "use fill")
    return value[:start] + text + value[end:], start + len(text)


def where(element: Element) -> str:
    """What a field is called in an error."""
    return "a textarea" if element.tag == "textarea" else f"an input of type {input_type(element)}"


def _to(span: Span | None, to: int, extend: bool) -> Span:
    return Span(known(span).anchor, to) if extend else Span(to, to)


def _line_end(element: Element, value: str, at: int, key: str) -> int:
    start = value.rfind("\n", 0, at) + 1
    end = value.find("\n", at)
    line = value[start : end if end >= 0 else len(value)]
    if not _in_one_line(element, line):
        raise refused(key, "a long text, whose lines may be wrapped", "use Control+Home or Control+End")
    return start if key == "Home" else start + len(line)


def _in_one_line(element: Element, text: str) -> bool:
    return "\n" not in text and 4 * len(text) <= 3 * _columns(element, "cols")


def _columns(element: Element, name: str) -> int:
    said = element.attrs.get(name if element.tag == "textarea" or name == "size" else "size", "")
    return int(said) if said.isascii() and said.isdigit() and 0 < len(said) < 5 and int(said) else _COLUMNS
