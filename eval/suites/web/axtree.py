"""A page as the accessibility-tree text that BrowserGym prints for Chromium.

    RootWebArea 'Cart', focused
        [5] link 'Home'
        [9] textbox 'Quantity' value='2', required
                StaticText '2'

Each element has the bid BrowserGym gives it: its number among the page's elements. Elements without meaning (`div`,
`span`) are left out, their children are not; a text that its parent's name already says is not repeated. Style sheets
are not read: what is hidden, is hidden by attribute or by its own style. List markers are not shown.
"""

from __future__ import annotations

from eval.suites.web.caret import Cursor
from eval.suites.web.controls import (
    input_type,
    is_checked,
    is_disabled,
    is_text_field,
    option_text,
    options_of,
    selected_options,
    value_of,
)
from eval.suites.web.dom import DEEPEST, Document, Element, collapse, parse
from eval.suites.web.names import UNSEEN, accessible_name, is_hidden
from eval.suites.web.roles import role_of, with_name

_CONTROLS = frozenset(("button", "input", "select", "textarea", "summary", "fieldset", "hr", "progress", "meter"))
_LEAVES = frozenset(("input", "textarea", "select", "option", "img", "svg", "iframe", "canvas", "video", "audio", "br"))
_VALUED = frozenset(("input", "textarea", "select", "progress", "meter"))
_UNLIKE_OTHERS = frozenset(("details", "pre", "q"))
_NAMING = frozenset(("aria-label", "aria-labelledby"))
_TABS = tuple("\t" * depth for depth in range(DEEPEST + 5))
_LIVE = {"alert": "assertive", "status": "polite", "log": "polite"}
_RANGES = frozenset(("spinbutton", "slider", "progressbar", "meter"))
_CHECKED_ROLES = frozenset(("checkbox", "radio", "switch", "menuitemcheckbox", "menuitemradio"))


def axtree(html: str | bytes) -> tuple[str, dict[str, Element]]:
    """The tree of a page as text, and its elements by bid. Any text is survived."""
    document = parse(html)
    return render(document), document.by_bid


def render(document: Document, focused: Element | None = None, alert: str = "", cursor: Cursor | None = None) -> str:
    """The tree of a document in its present state. `alert` is what the browser itself says on the page."""
    lines = [f"RootWebArea {document.title!r}{', focused' if cursor is None or not cursor.left else ''}"]
    if alert:
        lines.append(f"\talert {alert!r}, live='assertive', atomic, relevant='additions'")
    _Renderer(document, focused, lines, None if cursor is None else cursor.open).children(document.root, 1, "")
    if document.cut:
        lines.append(f"\tStaticText {f'[The rest of the page is not shown: it is {document.cut}]'!r}")
    return "\n".join(lines)


class _Renderer:
    """One walk over a document. An object only so that the walk need not hand the same four things down."""

    def __init__(self, document: Document, focused: Element | None, lines: list[str], opened: Element | None) -> None:
        self._document = document
        self._focused = focused
        self._lines = lines
        self._opened = opened
        self._verbatim = False
        """Whether it is in a <pre>, which keeps its spaces and line breaks."""

    def children(self, element: Element, depth: int, parent_name: str) -> None:
        """`parent_name` is the name of the element itself, empty for one without meaning."""
        for child in element.children:
            if isinstance(child, str):
                if not child.isspace():
                    self._text(child, depth, parent_name)
            elif child.tag not in UNSEEN and not is_hidden(child):
                self._element(child, depth)

    def _text(self, text: str, depth: int, parent_name: str) -> None:
        text = (text if self._verbatim else collapse(text)).strip()
        if text and text not in parent_name:
            self._lines.append(f"{_TABS[depth]}StaticText {text!r}")

    def _element(self, element: Element, depth: int) -> None:
        role = role_of(element)
        tag = element.tag
        states = self._states(element, role) if self._has_states(element, role) else []
        if not role:
            if not states:
                if tag not in _LEAVES:
                    self._inside(element, depth, "")
                return
            role = "generic"
        name = accessible_name(element, role, self._document)
        role = with_name(role, name, element)
        if not role:
            self._inside(element, depth, "")
            return
        bid = f"[{element.bid}] " if element.bid else ""
        shown = "generic" if role == "generic" and not name else f"{role} {name.strip()!r}"
        value = _shown_value(element, role) if tag in _VALUED else ""
        number = _shown_number(element, value) if role in _RANGES else None
        valued = f" value={number if number is not None else repr(value)}" if value or number is not None else ""
        stated = ", " + ", ".join(states) if states else ""
        self._lines.append(f"{_TABS[depth]}{bid}{shown}{valued}{stated}")
        if tag == "select":
            self._options(element, depth + 1)
        elif tag not in _LEAVES:
            self._inside(element, depth + 1, name)
        elif value and is_text_field(element):
            for part in value.split("\n"):
                self._text(part, depth + 1, "")

    def _has_states(self, element: Element, role: str) -> bool:
        if element.tag in _CONTROLS or role in _LIVE or element is self._focused:
            return True
        if not element.attrs:
            return False
        return any(name.startswith("aria-") and name not in _NAMING for name in element.attrs)

    def _inside(self, element: Element, depth: int, name: str) -> None:
        if element.tag not in _UNLIKE_OTHERS:
            self.children(element, depth, name)
        elif element.tag == "q":
            self._text("“", depth, name)
            self.children(element, depth, name)
            self._text("”", depth, name)
        elif element.tag == "pre":
            before, self._verbatim = self._verbatim, True
            self.children(element, depth, name)
            self._verbatim = before
        elif "open" in element.attrs:
            self.children(element, depth, name)
        elif summary := next((c for c in element.children if not isinstance(c, str) and c.tag == "summary"), None):
            self._element(summary, depth)

    def _options(self, select: Element, depth: int) -> None:
        chosen = {id(option) for option in selected_options(select)}
        for child in select.children:
            if isinstance(child, str) or is_hidden(child):
                continue
            if child.tag == "optgroup":
                self._lines.append(f"{_TABS[depth]}[{child.bid}] group {child.attrs.get('label', '').strip()!r}")
            for option in options_of(child):
                inner = depth + (child.tag == "optgroup")
                state = f"selected={id(option) in chosen}"
                if is_disabled(option):
                    state = "disabled=True"
                self._lines.append(f"{_TABS[inner]}[{option.bid}] option {option_text(option)!r}, {state}")

    def _states(self, element: Element, role: str) -> list[str]:
        """States and properties, in the order in which Chromium gives them."""
        attrs = element.attrs
        tag = element.tag
        states: list[str] = []
        live = attrs.get("aria-live") or _LIVE.get(role, "")
        if live in ("polite", "assertive"):
            states.append(f"live={live!r}")
            if attrs.get("aria-atomic", str(role in ("alert", "status")).lower()) == "true":
                states.append("atomic")
            states.append(f"relevant={attrs.get('aria-relevant', 'additions text')!r}")
        if attrs.get("aria-disabled") == "true" or (
            tag in ("button", "input", "select", "textarea") and is_disabled(element)
        ):
            states.append("disabled=True")
        if element is self._focused:
            states.append("focused")
        popup = attrs.get("aria-haspopup", "menu" if role == "combobox" and tag == "select" else "")
        if popup and popup != "false":
            states.append(f"hasPopup={('menu' if popup == 'true' else popup)!r}")
        if role == "listbox":
            states.append(f"multiselectable={'multiple' in attrs}")
        orientation = attrs.get(
            "aria-orientation", {"separator": "horizontal", "slider": "horizontal", "listbox": "vertical"}.get(role, "")
        )
        if orientation:
            states.append(f"orientation={orientation!r}")
        if attrs.get("aria-required") == "true" or ("required" in attrs and tag in ("input", "select", "textarea")):
            states.append("required")
        if role in _RANGES:
            low, high = _bounds(element)
            told = attrs.get("aria-valuetext", value_of(element) if tag == "input" else "")
            states += [f"valuemin={low}", f"valuemax={high}", f"valuetext={told!r}"]
        if tag == "input" and role in ("checkbox", "radio"):
            states.append(f"checked={str(is_checked(element)).lower()!r}")
        elif role in _CHECKED_ROLES and "aria-checked" in attrs:
            states.append(f"checked={attrs['aria-checked']!r}")
        expanded = attrs.get("aria-expanded", "")
        if role == "combobox" and tag == "select":
            states.append(f"expanded={element is self._opened}")
        elif tag == "summary" and element.parent is not None and element.parent.tag == "details":
            states.append(f"expanded={'open' in element.parent.attrs}")
        elif expanded in ("true", "false"):
            states.append(f"expanded={expanded == 'true'}")
        if "aria-pressed" in attrs and role == "button":
            states.append(f"pressed={attrs['aria-pressed']!r}")
        if attrs.get("aria-selected") in ("true", "false"):
            states.append(f"selected={attrs['aria-selected'] == 'true'}")
        return states


def _shown_value(element: Element, role: str) -> str:
    if element.tag == "select":
        return option_text(selected_options(element)[0]) if role == "combobox" and selected_options(element) else ""
    if element.tag == "input" and input_type(element) == "password":
        return "•" * len(value_of(element))
    if is_text_field(element) or element.tag in ("progress", "meter"):
        return value_of(element)
    return ""


def _number(text: str) -> int | float:
    try:
        value = float(text)
    except ValueError:
        return 0
    return int(value) if value == value and abs(value) < 1e15 and value == int(value) else value


def _bounds(element: Element) -> tuple[int | float, int | float]:
    attrs = element.attrs
    highest = {"progress": "1", "meter": "1"}.get(element.tag, "100" if attrs.get("type") == "range" else "")
    return _number(attrs.get("min", "")), _number(attrs.get("max", highest))


def _shown_number(element: Element, value: str) -> int | float | None:
    """What a range stands at; None for one that stands nowhere."""
    if element.tag == "input" and not value:
        return None
    return _number(value)
