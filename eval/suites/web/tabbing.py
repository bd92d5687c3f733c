"""Where Tab takes the focus: the order of HTML, as Chromium has it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from eval.suites.web.controls import input_type, is_checked, is_disabled
from eval.suites.web.dom import Document, Element
from eval.suites.web.forms import form_of
from eval.suites.web.names import UNSEEN, is_hidden


def takes_focus(element: Element) -> bool:
    """Whether an element can have the focus."""
    tag = element.tag
    natural = tag in ("button", "input", "select", "textarea", "summary") or (tag == "a" and "href" in element.attrs)
    return (natural and not is_disabled(element)) or "tabindex" in element.attrs


def is_rendered(element: Element) -> bool:
    """Whether an element is anywhere on the page: nothing that it is in is hidden or folded up."""
    below = element
    if element.tag in UNSEEN or is_hidden(element):
        return False
    for above in element.ancestors():
        if above.tag in UNSEEN or is_hidden(above):
            return False
        if above.tag == "details" and "open" not in above.attrs and below.tag != "summary":
            return False
        below = above
    return True


def next_stop(document: Document, focused: Element | None, place: Element | None, *, back: bool) -> Element | None:
    """What Tab gives the focus to, or Shift+Tab; None where there is nothing more on the page. While nothing has it,
    it goes on from a `place`."""
    stops = _stops(document, focused)
    at = focused or place
    if at is None:
        return stops[-1 if back else 0] if stops else None
    for number, stop in enumerate(stops):
        if stop is at:
            number += -1 if back else 1
            return stops[number] if 0 <= number < len(stops) else None
    order = {element: number for number, element in enumerate(document.elements)}
    beside = [stop for stop in stops if (order[stop] < order[at]) == back]
    return beside[-1 if back else 0] if beside else None


def group_of(radio: Element, document: Document) -> list[Element]:
    """The radio buttons of which one is chosen, in the order of the page; it alone where it has no name."""
    name, form = radio.attrs.get("name", ""), form_of(radio, document)
    if not name:
        return [radio]
    return [
        other for other in _radios(document) if other.attrs.get("name") == name and form_of(other, document) is form
    ]


def _radios(document: Document) -> Iterator[Element]:
    return (each for each in document.elements if each.tag == "input" and input_type(each) == "radio")


def _stops(document: Document, focused: Element | None) -> list[Element]:
    found: list[tuple[int, Element]] = []
    for element in document.elements:
        if not takes_focus(element) or not is_rendered(element):
            continue
        index = _index(element)
        if index >= 0 and (element is focused or _is_stop(element, document, focused)):
            found.append((index, element))
    found.sort(key=lambda pair: pair[0] or 1 << 31)
    return [element for _, element in found]


def _index(element: Element) -> int:
    said = re.match(r"\s*([+-]?[0-9]{1,9})", element.attrs.get("tabindex", ""))
    return int(said[1]) if said else 0


def _is_stop(element: Element, document: Document, focused: Element | None) -> bool:
    if element.tag == "summary":
        return element.parent is not None and element.parent.tag == "details"
    if element.tag != "input" or input_type(element) != "radio":
        return True
    group = group_of(element, document)
    chosen = any(is_checked(other) for other in group)
    return is_checked(element) if chosen else all(other is not focused for other in group)
