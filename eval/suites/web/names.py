"""Accessible names: by what an element is called to a person who cannot see it (W3C accname, as Chromium does it)."""

from __future__ import annotations

from eval.suites.web.controls import (
    LABELABLE,
    input_type,
    is_text_field,
    labels_of,
    option_text,
    selected_options,
    value_of,
)
from eval.suites.web.dom import Document, Element, collapse, words

UNSEEN = words(
    "head script style template noscript meta link title base datalist source track param col colgroup area rp"
)
"""Elements that are never shown."""

INLINE = words(
    "a abbr b bdi bdo big cite code data del dfn em font i ins kbd label mark q s samp small span strike "
    "strong sub sup time tt u var wbr"
)
"""Elements whose text runs on without a break; around all others a name gets a space."""

FROM_CONTENT = words(
    "button cell checkbox columnheader gridcell heading link menuitem menuitemcheckbox menuitemradio option radio "
    "rowheader switch tab term tooltip treeitem DisclosureTriangle"
)
"""Roles that are named by what they contain."""

_BUTTON_DEFAULTS = {"submit": "Submit", "reset": "Reset", "image": "Submit", "file": "Choose File"}
_NAMING_CHILD = {"fieldset": "legend", "table": "caption"}
_NATIVE = LABELABLE | {"img", "option", "optgroup", *_NAMING_CHILD}


LONGEST = 10_000
"""Characters of a name."""
LONGEST_OF_OTHERS = 1_000
"""Characters of a name made of other elements' text: many elements may be named by the same long one."""


def is_hidden(element: Element) -> bool:
    """Hidden by itself: by attribute or by its own style. Its parents are not asked."""
    attrs = element.attrs
    if not attrs:
        return element.tag == "dialog"
    if element.tag == "dialog" and "open" not in attrs:
        return True
    if "hidden" in attrs or attrs.get("aria-hidden") == "true":
        return True
    if "style" in attrs:
        style = attrs["style"].replace(" ", "").lower()
        return "display:none" in style or "visibility:hidden" in style
    return element.tag == "input" and attrs.get("type", "").lower() == "hidden"


def accessible_name(element: Element, role: str, document: Document) -> str:
    """The name of an element with that role; empty when it has none. A longer one is cut at LONGEST."""
    return _name(element, role, document)[:LONGEST]


def _name(element: Element, role: str, document: Document) -> str:
    attrs = element.attrs
    if attrs:
        if "aria-labelledby" in attrs:
            found = (document.by_id.get(part) for part in attrs["aria-labelledby"].split())
            name = collapse(" ".join(_labelling(target) for target in found if target is not None)[:LONGEST_OF_OTHERS])
            if name:
                return name
        if "aria-label" in attrs:
            name = collapse(attrs["aria-label"])
            if name:
                return name
    name = _native_name(element, document) if element.tag in _NATIVE else ""
    if not name and role in FROM_CONTENT:
        name = content_text(element)
    if name or not attrs:
        return name
    if "title" in attrs:
        name = collapse(attrs["title"])
    if not name and "placeholder" in attrs and is_text_field(element):
        name = collapse(attrs["placeholder"])
    return name


def content_text(element: Element, without: Element | None = None) -> str:
    """The text inside an element as a name reads it, leaving out `without`."""
    parts: list[str] = []
    _collect(element, parts, without)
    return collapse("".join(parts))


def _native_name(element: Element, document: Document) -> str:
    tag = element.tag
    if tag in LABELABLE:
        if tag != "output":
            labels = labels_of(element, document)
            name = collapse(" ".join(content_text(label, without=element) for label in labels))
            if name:
                return name
        if tag == "input":
            kind = input_type(element)
            if kind == "image":
                return collapse(element.attrs.get("alt", "")) or _BUTTON_DEFAULTS[kind]
            if kind in ("submit", "reset", "button", "file"):
                # BrowserGym writes a button's value into its page, and with that takes its default label away
                return _BUTTON_DEFAULTS[kind] if kind == "file" else collapse(value_of(element))
    elif tag == "img":
        return collapse(element.attrs.get("alt", ""))
    elif tag == "option":
        return option_text(element)
    elif tag == "optgroup":
        return collapse(element.attrs.get("label", ""))
    elif tag in _NAMING_CHILD:
        wanted = _NAMING_CHILD[tag]
        for child in element.children:
            if not isinstance(child, str) and child.tag == wanted:
                return content_text(child)
    return ""


def _labelling(element: Element) -> str:
    label = element.attrs.get("aria-label", "")
    if label.strip():
        return label
    parts: list[str] = []
    _embedded(element, parts, None)  # a control that labels another is read by its value
    return "".join(parts)


def _collect(element: Element, parts: list[str], without: Element | None) -> None:
    for child in element.children:
        if isinstance(child, str):
            parts.append(child)
        elif child is not without and child.tag not in UNSEEN and not is_hidden(child):
            label = child.attrs.get("aria-label", "") if child.attrs else ""
            if label.strip():
                parts.append(f" {label} ")
            elif child.tag in INLINE:
                _collect(child, parts, without)
            else:
                _embedded(child, parts, without)


def _embedded(element: Element, parts: list[str], without: Element | None) -> None:
    tag = element.tag
    parts.append(" ")
    if tag == "img":
        parts.append(element.attrs.get("alt", ""))
    elif tag == "select":
        parts.append(" ".join(option_text(option) for option in selected_options(element)))
    elif tag == "textarea":
        parts.append(value_of(element))
    elif tag == "input":
        kind = input_type(element)
        if kind in _BUTTON_DEFAULTS or kind == "button":
            parts.append(value_of(element) or _BUTTON_DEFAULTS.get(kind, ""))
        elif kind not in ("checkbox", "radio", "password"):
            parts.append(value_of(element))
    else:
        _collect(element, parts, without)
    parts.append(" ")
