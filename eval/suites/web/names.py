"""Accessible names: by what an element is called to a person who cannot see it (W3C accname, as Chromium does it)."""

from __future__ import annotations

from collections.abc import Sequence

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
    "a abbr b bdi bdo big cite code data del dfn em font i ins kbd label mark s samp small span strike "
    "strong sub sup time tt u var wbr"
)
"""Elements whose text runs on without a break; around all others a name gets a space."""

FROM_CONTENT = words(
    "button cell checkbox columnheader gridcell heading link menuitem menuitemcheckbox menuitemradio option radio "
    "rowheader switch tab term tooltip treeitem DisclosureTriangle"
)
"""Roles that are named by what they contain."""

_VALUED = frozenset(("select", "textarea", "input", "meter", "progress"))
_BY_NAME_ALONE = words("form nav article blockquote header main aside search fieldset hgroup figure output dialog")
_ROLES_BY_NAME_ALONE = words("form navigation group alert status log dialog toolbar tablist note article main search")
"""What is named by itself, if at all: its text is no part of the name of what it is in."""

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
    if not name and (role in FROM_CONTENT or (role == "generic" and "tabindex" in attrs)):
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


def whole_text(element: Element) -> str:
    """All the text inside an element, that of forms and other parts with names of their own too."""
    parts: list[str] = []
    _collect(element, parts, None, whole=True)
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


def _collect(element: Element, parts: list[str], without: Element | None, *, whole: bool = False) -> None:
    children: Sequence[Element | str] = element.children
    if element.tag == "details" and "open" not in element.attrs:
        children = [child for child in children if not isinstance(child, str) and child.tag == "summary"][:1]
    for child in children:
        if isinstance(child, str):
            parts.append(child)
        elif child is not without and child.tag not in UNSEEN and not is_hidden(child):
            if child.tag in _VALUED:
                _embedded(child, parts, without, whole=whole)
            elif child.attrs and child.attrs.get("aria-label", "").strip():
                parts.append(f" {child.attrs['aria-label']} ")
            elif child.tag in INLINE:
                _collect(child, parts, without, whole=whole)
            elif child.tag == "q":
                parts.append("“")
                _collect(child, parts, without, whole=whole)
                parts.append("”")
            else:
                _embedded(child, parts, without, whole=whole)


def _embedded(element: Element, parts: list[str], without: Element | None, *, whole: bool = False) -> None:
    """What stands apart in a name's text: with spaces around it, controls by their value, some by their name alone."""
    tag = element.tag
    parts.append(" ")
    if tag == "img":
        parts.append(element.attrs.get("alt", ""))
    elif tag in _VALUED:
        parts.append(_value_said(element))
    elif not whole and (tag in _BY_NAME_ALONE or element.attrs.get("role", "") in _ROLES_BY_NAME_ALONE):
        if tag == "fieldset" and element.legend is not None:
            _collect(element.legend, parts, without)
    else:
        _collect(element, parts, without, whole=whole)
    parts.append(" ")


def _value_said(control: Element) -> str:
    """What a control adds to the name of what it is in: its value, else its own name where it has one to itself."""
    tag, kind = control.tag, input_type(control) if control.tag == "input" else ""
    if tag == "select":
        value = " ".join(option_text(option) for option in selected_options(control))
    elif kind == "password":
        value = "•" * len(value_of(control))
    elif kind in ("checkbox", "radio", "file"):
        value = ""
    else:
        value = value_of(control)
    if value or kind in ("submit", "reset", "button"):
        return value
    attrs = control.attrs
    return next((attrs[name] for name in ("aria-label", "alt", "title", "placeholder") if attrs.get(name)), "")
