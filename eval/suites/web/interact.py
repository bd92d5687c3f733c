"""What an action on an element does to a page: the default actions of HTML, with Playwright's checks and words."""

from __future__ import annotations

import re
from collections.abc import Sequence

from eval.suites.web.caret import Cursor
from eval.suites.web.controls import (
    input_type,
    is_checked,
    is_disabled,
    is_drop_down,
    is_submitter,
    is_text_field,
    labelled_control,
    option_text,
    options_of,
    room_of,
    value_of,
)
from eval.suites.web.dom import Document, Element, collapse
from eval.suites.web.forms import (
    Submission,
    form_of,
    invalid_control,
    number_of,
    reset,
    submission,
)
from eval.suites.web.press import Keys, timeout
from eval.suites.web.tabbing import group_of, is_rendered, takes_focus
from eval.suites.web.transport import BrowserError
from reasoningbank.agents.actions import Value

Wanted = Submission | str | None
"""Where an action leads: a form's request, a link's address, or nowhere."""

_DATES = {
    "date": r"\d{4,}-\d\d-\d\d",
    "month": r"\d{4,}-\d\d",
    "week": r"\d{4,}-W\d\d",
    "time": r"\d\d:\d\d(:\d\d(\.\d{1,3})?)?",
    "datetime-local": r"\d{4,}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d{1,3})?)?",
}
_TAB_KEYS = frozenset(("Control", "ControlOrMeta", "Shift"))
_NO_FIELD = "Error: Locator.{0}: Error: Element is not an <input>, <textarea> or [contenteditable] element"


class Interaction:
    """One action on one page. `focused` is the element that has the focus afterwards and `cursor` where its keys go,
    `alert` what the browser says at it where a form was not sent, and `tab` whether what it leads to is shown in a tab
    of its own."""

    def __init__(
        self, document: Document, page_url: str, focused: Element | None, cursor: Cursor | None = None
    ) -> None:
        self._document = document
        self._page_url = page_url
        self.focused = focused
        self.cursor = cursor or Cursor()
        self._keys = Keys(self, document)
        self.alert = ""
        self.tab = False

    def perform(self, name: str, element: Element, rest: Sequence[Value]) -> Wanted:
        """Raises BrowserError for what a browser tool would refuse."""
        try:
            return self._done(name, element, rest)
        finally:
            if self.focused is not None:
                self.cursor.place, self.cursor.left = self.focused, False
            if self.cursor.open is not self.focused:
                self.cursor.open = None

    def _done(self, name: str, element: Element, rest: Sequence[Value]) -> Wanted:
        if name in ("click", "dblclick"):
            _reachable(element, name)
            button = str(rest[0]) if rest else "left"
            modifiers = rest[1] if len(rest) > 1 else ()
            assert isinstance(modifiers, tuple)
            return self._pointed(element, button, modifiers, twice=name == "dblclick")
        if name == "fill":
            return self._fill(element, str(rest[0])) if len(rest) == 1 else self._typed(element, str(rest[0]))
        if name == "clear":
            return self._fill(element, "", "clear")
        if name == "select_option":
            chosen = rest[0]
            return self._select(element, (chosen,) if isinstance(chosen, str) else chosen)  # type: ignore[arg-type]
        if name == "press":
            return self._keys.press(self._delegate(element), str(rest[0]))
        if name == "hover":
            _visible(element, name)
        elif name == "focus":
            self._focus(self._delegate(element))
        return None

    def _pointed(self, element: Element, button: str, modifiers: Sequence[str], *, twice: bool) -> Wanted:
        """A click by any button. Chromium opens a link by the middle one, and by Control or Shift as well as what a
        button sends, in another tab; by Alt it keeps it as a file."""
        target = _activated(element)
        opened, self.cursor.open = self.cursor.open, None
        self.cursor.place, self.cursor.left = element, False
        if target is not None and is_text_field(target):
            self.cursor.pointed(target, once=not twice and "Shift" not in modifiers)
        if button != "left":
            self._pushed(element)
            if button == "right" or target is None or target.tag != "a":
                return None
            self.tab = True
            return _address(target)
        wanted = self.click(element)
        if twice and wanted is None:
            wanted = self.click(element)
            label = _activated(element)
            if label is not None and label.tag == "label" and all(each is not self.focused for each in label.iter()):
                self.focused = None  # the second button that goes down takes it away again
        if target is not None and is_drop_down(target) and (opened is target) == twice:
            self.cursor.open = target
        return self.modified(wanted, modifiers)

    def modified(self, wanted: Wanted, modifiers: Sequence[str]) -> Wanted:
        """Where a click leads while keys are held."""
        if wanted is None or not modifiers:
            return wanted
        tab = any(key in _TAB_KEYS for key in modifiers)
        self.tab = self.tab or tab
        return wanted if tab or "Alt" not in modifiers else None

    def _pushed(self, element: Element) -> None:
        """A mouse button goes down: the focus is on the nearest thing that takes it, or on what a label is around."""
        label = next((each for each in (element, *element.ancestors()) if each.tag == "label"), None)
        control = None if label is None else labelled_control(label, self._document)
        if label is not None and control is not None and any(each is control for each in label.iter()):
            self._focus(control)
            return
        self.focused = None
        for candidate in (element, *element.ancestors()):
            self._focus(candidate)
            if self.focused is candidate:
                return

    # --- click ----------------------------------------------------------------------------------------------------

    def click(self, element: Element) -> Wanted:
        """What is pushed by the left button, or by a key."""
        target = _activated(element)
        if target is None:
            self._pushed(element)
            return None
        tag = target.tag
        if tag == "label":
            control = labelled_control(target, self._document)
            if control is None or is_disabled(control):
                return None
            if control.tag in ("select", "textarea") or is_text_field(control):
                self.focused = control
                return None
            return self.click(control)
        if tag == "summary":
            self._focus(target)
            attrs = target.parent.attrs if target.parent is not None else {}
            if "open" in attrs:
                del attrs["open"]
            else:
                attrs["open"] = ""
            return None
        if is_disabled(target):
            return None
        self._focus(target)
        if tag == "a":
            self.tab = _elsewhere(target.attrs.get("target", ""))
            return _address(target)
        if tag == "input" and input_type(target) in ("checkbox", "radio"):
            self.toggle(target)
            return None
        return self._button(target)

    def toggle(self, box: Element) -> None:
        """A checkbox changes, a radio button is chosen."""
        if input_type(box) == "checkbox":
            box.checked = not is_checked(box)
            return
        for other in group_of(box, self._document):
            other.checked = False
        box.checked = True

    def _button(self, button: Element) -> Wanted:
        form = form_of(button, self._document)
        if form is None:
            return None
        if is_submitter(button):
            return self.submit(form, button)
        if button.attrs.get("type", "").strip().lower() == "reset":
            for field in reset(form, self._document):
                self.cursor.to_end(field)
        return None

    def submit(self, form: Element, submitter: Element | None) -> Wanted:
        """A form's request, unless something in it is not as it must be."""
        invalid = invalid_control(form, submitter, self._document)
        if invalid is not None:
            self.focused, self.alert = invalid
            return None
        told = submitter.attrs.get("formtarget") if submitter is not None else None
        self.tab = _elsewhere(form.attrs.get("target", "") if told is None else told)
        return submission(form, submitter, self._document, self._page_url)

    # --- text, options, keys --------------------------------------------------------------------------------------

    def _fill(self, element: Element, text: str, verb: str = "fill") -> Wanted:
        field = self._retargeted(element)
        if field.tag == "input" and not is_text_field(field):
            raise BrowserError(f'Error: Locator.{verb}: Error: Input of type "{input_type(field)}" cannot be filled')
        if not is_text_field(field):
            raise BrowserError(_NO_FIELD.format(verb))
        _reachable(field, verb)
        if "readonly" in field.attrs:
            raise timeout(verb, "element is not editable")
        if field.tag == "input":
            text = re.sub(r"\r\n?|\n", " ", text)
            kind = input_type(field)
            if text and kind in ("number", "range") and number_of(text) is None:
                raise BrowserError(f"Error: Locator.{verb}: Error: Cannot type text into input[type={kind}]")
            if text and kind in _DATES and not re.fullmatch(_DATES[kind], text, re.ASCII):
                raise BrowserError(f"Error: Locator.{verb}: Error: Malformed value")
        field.value = text[: room_of(field)]
        self.focused = field
        self.cursor.to_end(field)
        return None

    def _typed(self, element: Element, text: str) -> Wanted:
        """A field is cleared and filled, all but the last character, which is typed."""
        self._fill(element, "", "clear")
        if len(text) > 1:
            self._fill(element, text[:-1])
        if not text:
            return None
        return self._keys.type(text[-1])

    def _select(self, element: Element, wanted: Sequence[str]) -> Wanted:
        select = self._retargeted(element)
        if select.tag != "select":
            raise BrowserError("Error: Locator.select_option: Error: Element is not a <select> element")
        _reachable(select, "select_option")
        options = options_of(select)
        found = [o for o in options if value_of(o) in wanted or option_text(o) in [collapse(w) for w in wanted]]
        if "multiple" not in select.attrs:
            found = found[:1]
        missing = [w for w in wanted if not any(w == value_of(o) or collapse(w) == option_text(o) for o in options)]
        if missing or (wanted and not found):
            raise timeout("select_option", "did not find some options")
        for option in options:
            option.selected = any(option is chosen for chosen in found)
        return None

    def _focus(self, element: Element) -> None:
        if takes_focus(element) and is_rendered(element):
            self.focused = element

    def _delegate(self, element: Element) -> Element:
        """Who has the focus where an element is to have it: a label leaves it to its control."""
        control = labelled_control(element, self._document) if element.tag == "label" else None
        return control or element

    def _retargeted(self, element: Element) -> Element:
        """A label stands for its control, as in Playwright."""
        label = next((e for e in (element, *element.ancestors()) if e.tag == "label"), None)
        if label is None or element.tag in ("input", "select", "textarea"):
            return element
        return labelled_control(label, self._document) or element


def _activated(element: Element) -> Element | None:
    """What a click on an element sets off: itself or the nearest thing around it that does something."""
    for candidate in (element, *element.ancestors()):
        tag = candidate.tag
        if tag in ("button", "label", "input", "select", "textarea", "summary"):
            return candidate
        if tag == "a" and "href" in candidate.attrs:
            return candidate
    return None


def _address(link: Element) -> str | None:
    """Where a link leads; None where it keeps a file or runs a script."""
    address = link.attrs["href"].strip()
    return None if "download" in link.attrs or address.lower().startswith("javascript:") else address


def _elsewhere(target: str) -> bool:
    """Whether a `target` names another tab. (Frames have none of their own here.)"""
    return target.strip().lower() not in ("", "_self", "_parent", "_top")


def _reachable(element: Element, verb: str) -> None:
    """Playwright waits for an element to be visible and enabled; here it would wait in vain."""
    _visible(element, verb)
    if element.tag in ("button", "input", "select", "textarea") and is_disabled(element):
        raise timeout(verb, "element is not enabled")


def _visible(element: Element, verb: str) -> None:
    if element.tag in ("option", "optgroup") or not is_rendered(element):
        raise timeout(verb, "element is not visible")
