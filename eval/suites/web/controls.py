"""The state of form controls: what the markup says, unless a user changed it; and which label belongs to which."""

from __future__ import annotations

import re

from eval.suites.web.dom import Document, Element, collapse, words

TEXT_INPUTS = words("text search email tel url password number date time month week datetime-local color range")
"""Input types that hold a text a user can set."""
BUTTON_INPUTS = frozenset(("submit", "button", "reset", "image", "file"))
LABELABLE = frozenset(("button", "input", "meter", "output", "progress", "select", "textarea"))
_KNOWN_TYPES = TEXT_INPUTS | BUTTON_INPUTS | {"checkbox", "radio", "hidden"}


def input_type(element: Element) -> str:
    """The type of an <input>; an unknown one is text."""
    kind = element.attrs.get("type", "text").strip().lower()
    return kind if kind in _KNOWN_TYPES else "text"


def is_text_field(element: Element) -> bool:
    return element.tag == "textarea" or (element.tag == "input" and input_type(element) in TEXT_INPUTS)


def is_submitter(element: Element) -> bool:
    """A button that submits its form."""
    if element.tag == "button":
        return element.attrs.get("type", "submit").strip().lower() not in ("button", "reset")
    return element.tag == "input" and input_type(element) in ("submit", "image")


def value_of(element: Element) -> str:
    """The current value of an input, a textarea, a button or an option."""
    if element.value is not None:
        return element.value
    if element.tag == "textarea":
        return "".join(part for part in element.children if isinstance(part, str))
    if element.tag == "option":
        return element.attrs["value"] if "value" in element.attrs else option_text(element)
    if element.tag == "input" and input_type(element) in ("checkbox", "radio"):
        return element.attrs.get("value", "on")
    return element.attrs.get("value", "")


def is_checked(element: Element) -> bool:
    return "checked" in element.attrs if element.checked is None else element.checked


def room_of(field: Element) -> int | None:
    """How many letters a user may enter; None where there is no limit."""
    limit = field.attrs.get("maxlength", "")
    return int(limit) if re.fullmatch("[0-9]{1,9}", limit) else None


def is_drop_down(element: Element) -> bool:
    """A list of which only what is chosen is shown."""
    size = element.attrs.get("size", "1")
    return element.tag == "select" and "multiple" not in element.attrs and size in ("", "0", "1")


def options_of(select: Element) -> list[Element]:
    return [element for element in select.iter() if element.tag == "option"]


def option_text(option: Element) -> str:
    """What a user reads of an option."""
    label = option.attrs.get("label", "")
    return label or collapse("".join(part for part in option.children if isinstance(part, str)))


def selected_options(select: Element) -> list[Element]:
    """The chosen options; a drop-down list always has one, the first enabled unless told otherwise."""
    options = options_of(select)
    if any(option.selected is not None for option in options):
        return [option for option in options if option.selected]
    marked = [option for option in options if "selected" in option.attrs]
    if "multiple" in select.attrs:
        return marked
    if marked:
        return marked[-1:]
    if not is_drop_down(select):
        return []
    return next(([option] for option in options if "disabled" not in option.attrs), [])


def is_disabled(element: Element) -> bool:
    """Disabled itself, or by a fieldset around it (whose first legend is left out of that)."""
    if "disabled" in element.attrs:
        return True
    below = element
    for ancestor in element.ancestors():
        if ancestor.tag == "fieldset" and "disabled" in ancestor.attrs:
            if ancestor.legend is None or below is not ancestor.legend:
                return True
        elif ancestor.tag in ("optgroup", "select") and element.tag == "option" and "disabled" in ancestor.attrs:
            return True
        below = ancestor
    return False


def labels_of(element: Element, document: Document) -> list[Element]:
    """The labels of a control: those that name its id, and the one around it."""
    labels = []
    name = element.attrs.get("id")
    if name and document.by_id.get(name) is element:
        labels += document.labels.get(name, [])
    around = next((a for a in element.ancestors() if a.tag == "label"), None)
    if around is not None and "for" not in around.attrs and labelled_control(around, document) is element:
        labels.append(around)
    return labels


def labelled_control(label: Element, document: Document) -> Element | None:
    """The control a label is for."""
    if "for" in label.attrs:
        found = document.by_id.get(label.attrs["for"])
        return found if found is not None and found.tag in LABELABLE else None
    if label not in document.labelled:
        controls = (element for element in label.iter() if element.tag in LABELABLE)
        seen = (element for element in controls if element.tag != "input" or input_type(element) != "hidden")
        document.labelled[label] = next(seen, None)
    return document.labelled[label]
