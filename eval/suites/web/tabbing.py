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
    return all(map(_shows, (element, *element.ancestors())))


def _shows(element: Element) -> bool:
    """Whether an element shows itself, where what it is in does."""
    above = element.parent
    folded = above is not None and above.tag == "details" and "open" not in above.attrs and element.tag != "summary"
    return element.tag not in UNSEEN and not is_hidden(element) and not folded


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
    group = _group(radio, document)
    return [radio] if group is None else [each for each in _radios(document) if _group(each, document) == group]


def _group(radio: Element, document: Document) -> tuple[Element | None, str] | None:
    """The form and the name of a radio button."""
    name = radio.attrs.get("name", "")
    return (form_of(radio, document), name) if name else None


def _radios(document: Document) -> Iterator[Element]:
    return filter(_is_radio, document.elements)


def _is_radio(element: Element) -> bool:
    return element.tag == "input" and input_type(element) == "radio"


def _stops(document: Document, focused: Element | None) -> list[Element]:
    """In the order of Tab. Of radio buttons it is the chosen one, and none of a group that has the focus otherwise."""
    chosen = {_group(each, document) for each in _radios(document) if is_checked(each)}
    own = _group(focused, document) if focused is not None and _is_radio(focused) else None
    found: list[tuple[int, Element]] = []
    shown: set[Element] = set()
    for element in document.elements:
        if (element.parent is not None and element.parent not in shown) or not _shows(element):
            continue
        shown.add(element)
        if not takes_focus(element) or (index := _index(element)) < 0:
            continue
        if element is not focused:
            if element.tag == "summary" and (element.parent is None or element.parent.tag != "details"):
                continue
            if _is_radio(element) and (group := _group(element, document)) is not None:
                left_out = not is_checked(element) if group in chosen else group == own
                if left_out:
                    continue
        found.append((index, element))
    found.sort(key=lambda pair: pair[0] or 1 << 31)
    return [element for _, element in found]


def _index(element: Element) -> int:
    said = re.match(r"\s*([+-]?[0-9]{1,9})", element.attrs.get("tabindex", ""))
    return int(said[1]) if said else 0
