"""A tab's history as Chromium keeps it: which pages there are to go back to, and what their controls held."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass, field

from eval.suites.web.controls import input_type, is_checked, is_text_field, options_of, selected_options, value_of
from eval.suites.web.dom import Document, Element

Kept = tuple[str, str, str, tuple[str, ...]]
"""A control: its tag, type and name, and what it held."""

BLANK = "about:blank"


@dataclass(slots=True)
class Entry:
    """A place in the history: a URL that is loaded again. What a POST answered (`posted`) cannot be."""

    url: str
    posted: bool = False
    document: int = 0
    """The same number for places on one page, between which nothing is loaded."""
    controls: list[Kept] = field(default_factory=list)


class History:
    """The entries of a tab and where it is among them. It begins on an empty page."""

    def __init__(self) -> None:
        self._entries = [Entry(BLANK)]
        self._at = 0

    @property
    def entry(self) -> Entry:
        return self._entries[self._at]

    def push(self, entry: Entry, *, replace: bool = False) -> None:
        """A new page, after which there is none to go forward to; or one in the place of the present one."""
        del self._entries[self._at + (not replace) :]
        self._entries.append(entry)
        self._at = len(self._entries) - 1

    def travel(self, by: int) -> Entry | None:
        """Goes to an entry before or after this one; None where there is none."""
        if not 0 <= self._at + by < len(self._entries):
            return None
        self._at += by
        return self.entry


def kept(document: Document, typed: Set[Element]) -> list[Kept]:
    """What is kept of a page that is left. A line of text is kept only where it is among the `typed`: BrowserGym writes
    the others into the page, which then holds nothing that is not its own."""
    found: list[Kept] = []
    for element in document.elements:
        kind = input_type(element) if element.tag == "input" else ""
        if element.tag == "select":
            held = tuple(str(options_of(element).index(option)) for option in selected_options(element))
        elif kind in ("checkbox", "radio"):
            held = ("on" if is_checked(element) else "off",)
        elif element.tag == "textarea" and element.value is not None:
            held = (element.value,)
        elif element in typed and is_text_field(element) and kind != "password":
            held = (value_of(element),)
        else:
            continue
        found.append((element.tag, kind, element.attrs.get("name", ""), held))
    return found


def restore(document: Document, controls: list[Kept]) -> list[Element]:
    """Gives the controls of a page that has been loaded again what they held: in order, those of each name. Returns
    those that hold a text again."""
    texts: list[Element] = []
    waiting: dict[tuple[str, str, str], list[tuple[str, ...]]] = {}
    for tag, kind, name, held in controls:
        waiting.setdefault((tag, kind, name), []).append(held)
    for element in document.elements if waiting else ():
        if element.tag not in ("input", "select", "textarea"):
            continue
        kind = input_type(element) if element.tag == "input" else ""
        left = waiting.get((element.tag, kind, element.attrs.get("name", "")))
        if left:
            _give(element, kind, left.pop(0))
            if is_text_field(element):
                texts.append(element)
    return texts


def write_down(document: Document) -> None:
    """What inputs hold is in the page once it has been shown, and a form that is reset goes back to that: BrowserGym
    writes it there when it looks at a page."""
    for element in document.elements:
        if element.tag != "input":
            continue
        if element.value is not None:
            element.attrs["value"] = element.value
        if element.checked is not None:
            element.attrs.pop("checked", None)
            if element.checked:
                element.attrs["checked"] = ""


def _give(element: Element, kind: str, held: tuple[str, ...]) -> None:
    if element.tag == "select":
        for number, option in enumerate(options_of(element)):
            option.selected = str(number) in held
    elif kind in ("checkbox", "radio"):
        element.checked = held == ("on",)
    else:
        element.value = held[0]
