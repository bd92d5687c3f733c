"""What keys do on a page: they go to what has the focus. A key whose effect is not known here is refused."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

from eval.suites.web.caret import DATES, RESET, Span, erased, known, moved, refused, replaced, where
from eval.suites.web.controls import (
    input_type,
    is_disabled,
    is_drop_down,
    is_text_field,
    options_of,
    selected_options,
    value_of,
)
from eval.suites.web.dom import Document, Element
from eval.suites.web.forms import default_button, form_of, number_of, sends_by_enter
from eval.suites.web.keyboard import PAD, TYPED, Stroke, strokes
from eval.suites.web.names import is_hidden
from eval.suites.web.tabbing import group_of, is_rendered, next_stop, takes_focus
from eval.suites.web.transport import BrowserError

if TYPE_CHECKING:
    from eval.suites.web.interact import Interaction, Wanted

_ARROWS = ("ArrowUp", "ArrowLeft", "ArrowDown", "ArrowRight")
_MOVING = (*_ARROWS, "Home", "End", "PageUp", "PageDown")
_CLIPBOARD = ("v", "V", "z", "Z", "y", "Y")
_FEW = 3
"""Options that PageUp and PageDown go over."""

_FINEST, _LARGEST = Decimal("1e-9"), Decimal("1e15")
"""A step and numbers that can be reckoned with."""


class Keys:
    """Presses keys, one after the other, in the name of an action."""

    def __init__(self, interaction: Interaction, document: Document) -> None:
        self._it = interaction
        self._document = document
        self._cursor = interaction.cursor

    def press(self, element: Element, keys: str) -> Wanted:
        """An element gets the focus if it can have it. Where a key leads to a page, it is the last."""
        self.focus(element)
        found = strokes(keys)
        if found is None:
            raise timeout("press")
        for stroke in found:
            if (wanted := self.stroke(stroke)) is not None:
                return wanted
        return None

    def type(self, text: str) -> Wanted:
        """A letter, whether there is a key for it or not."""
        found = strokes(text)
        if found is None:
            self._enter_text(self._it.focused, text)
            return None
        return self.stroke(found[0])

    def focus(self, element: Element) -> None:
        """Gives it the focus before keys are pressed."""
        if element is self._it.focused or not takes_focus(element) or not is_rendered(element):
            return
        self._it.focused = element
        if element.tag == "input" and input_type(element) in RESET:
            self._cursor.spans[element] = Span()

    def stroke(self, stroke: Stroke) -> Wanted:
        key, held = stroke
        target = self._it.focused
        if key == PAD and target is not None:
            raise refused(key, "a page", "use the key that is named by what it gives")
        if key == "Tab" and not held - {"Shift"}:
            self._tab(target, back="Shift" in held)
            return None
        if target is None:
            return None
        if key == "Enter":
            return self._it.modified(self._enter(target, held), sorted(held))
        if is_text_field(target):
            self._text(target, key, held)
        elif key == " " and target.tag in ("button", "input", "summary"):
            return self._it.modified(self._it.click(target), sorted(held - {"Alt"}))
        elif target.tag == "select":
            self._list(target, key, held)
        elif target.tag == "input" and input_type(target) == "radio" and key in _ARROWS and not held - {"Shift"}:
            self._radio(target, back=key in _ARROWS[:2])
        return None

    # --- Tab and Enter --------------------------------------------------------------------------------------------

    def _tab(self, target: Element | None, *, back: bool) -> None:
        if target is not None and target.tag == "input" and input_type(target) in DATES:
            raise refused("Tab", where(target), "use focus or click on what you want to use next")
        if target is not None and self._cursor.open is target:
            self._cursor.open = None
            return
        stop = next_stop(self._document, target, self._cursor.place, back=back)
        self._it.focused, self._cursor.place, self._cursor.left = stop, None, stop is None
        if stop is not None and stop.tag == "input" and is_text_field(stop):
            self._cursor.spans[stop] = Span(0, len(value_of(stop)))

    def _enter(self, target: Element, held: frozenset[str]) -> Wanted:
        if target.tag == "a":
            return self._it.click(target)
        if held - {"Shift"}:
            return None
        kind = input_type(target) if target.tag == "input" else target.tag
        if kind == "textarea":
            self._enter_text(target, "\n")
        elif kind == "color":
            raise refused("Enter", where(target), "use fill")
        elif is_drop_down(target):
            self._cursor.open = None if self._cursor.open is target else target
        elif kind in ("select", "checkbox", "radio") or is_text_field(target):
            return self._send(target)
        elif target.tag in ("button", "input", "summary"):
            return self._it.click(target)
        return None

    def _send(self, control: Element) -> Wanted:
        form = form_of(control, self._document)
        if form is None:
            return None
        button = default_button(form, self._document)
        if button is not None:
            return None if is_disabled(button) else self._it.submit(form, button)
        return self._it.submit(form, None) if sends_by_enter(form, self._document) else None

    # --- lists ----------------------------------------------------------------------------------------------------

    def _radio(self, target: Element, *, back: bool) -> None:
        group = group_of(target, self._document)
        at = next(number for number, each in enumerate(group) if each is target)
        others = [*group[at + 1 :], *group[:at]]
        for other in reversed(others) if back else others:
            if not is_disabled(other) and is_rendered(other):
                self._it.focused = other
                self._it.toggle(other)
                return

    def _list(self, target: Element, key: str, held: frozenset[str]) -> None:
        typed = key in TYPED and not held - {"Shift"}
        if not is_drop_down(target):
            if typed or key in _MOVING or key == " " or ("Control" in held and key in ("a", "A")):
                raise refused(key, "a list", "use select_option")
            return
        opened = self._cursor.open is target
        turned = key in ("ArrowUp", "ArrowDown") and "Alt" in held
        if key == " " or turned:
            self._cursor.open = None if opened and turned else target
            return
        if typed or (opened and key in _MOVING):
            raise refused(key, f"a{'n open' if opened else ''} drop-down list", "use select_option")
        if key == "Escape":
            self._cursor.open = None
        if held or key not in _MOVING:
            return
        options = options_of(target)
        chosen = selected_options(target)
        at = options.index(chosen[0]) if chosen else -1
        able = [number for number, option in enumerate(options) if not is_disabled(option) and not is_hidden(option)]
        before, after = [number for number in able if number < at][::-1], [number for number in able if number > at]
        within = {"Home": able[:1], "End": able[-1:], "PageUp": before[:_FEW][-1:], "PageDown": after[:_FEW][-1:]}
        for number in within.get(key, before[:1] if key in _ARROWS[:2] else after[:1]):
            for other, option in enumerate(options):
                option.selected = other == number

    # --- text -----------------------------------------------------------------------------------------------------

    def _text(self, field: Element, key: str, held: frozenset[str]) -> None:
        kind = input_type(field) if field.tag == "input" else field.tag
        control, shift = "Control" in held, "Shift" in held
        fixed = "readonly" in field.attrs
        if kind in DATES or kind in ("color", "range"):
            typed = key in TYPED and not held - {"Shift"} and (kind in DATES or key == " ")
            if typed or key in _MOVING or key in ("Backspace", "Delete"):
                raise refused(key, where(field), "use fill")
        elif key in ("Home", "End", "PageUp", "PageDown", *_ARROWS):
            self._move(field, key, held)
        elif control and key in ("a", "A"):
            self._cursor.spans[field] = Span(0, len(value_of(field)))
        elif fixed:
            return
        elif (control and key in _CLIPBOARD) or (key == "Insert" and shift) or (key == "Backspace" and "Alt" in held):
            raise refused("+".join([*sorted(held), key]), where(field), "use fill")
        elif (control and key in ("x", "X")) or (key == "Delete" and shift):
            span = known(self._cursor.at(field))
            if span.anchor != span.end:
                self._put(field, span, "")
        elif key in ("Backspace", "Delete") and not held - {"Shift", "Control"}:
            self._erase(field, key, control=control)
        elif key == "Escape" and kind == "search" and not held:
            self._put(field, Span(0, len(value_of(field))), "")
        elif key in TYPED and not held - {"Shift"}:
            self._enter_text(field, key)

    def _move(self, field: Element, key: str, held: frozenset[str]) -> None:
        if held & {"Alt", "Meta"}:
            return
        if field.tag == "input" and input_type(field) == "number" and key in ("ArrowUp", "ArrowDown"):
            if not held and "readonly" not in field.attrs:
                self._count(field, up=key == "ArrowUp")
            return
        span = moved(field, self._cursor.at(field), key, extend="Shift" in held, control="Control" in held)
        if span is not None:
            self._cursor.spans[field] = span

    def _erase(self, field: Element, key: str, *, control: bool) -> None:
        value, span = value_of(field), self._cursor.at(field)
        if not value:
            return
        span = known(span)
        start, end = min(span), max(span)
        if start == end and control and (start > 0 if key == "Backspace" else end < len(value)):
            raise refused(f"Control+{key}", "a text", "use keys that go letter by letter")
        self._put(field, erased(value, span, key), "")

    def _enter_text(self, field: Element | None, text: str) -> None:
        if field is None or not is_text_field(field) or "readonly" in field.attrs:
            return
        if field.tag == "input" and input_type(field) == "number" and text not in "0123456789.-+eE":
            return
        self._put(field, known(self._cursor.at(field)), text)

    def _put(self, field: Element, span: Span, text: str) -> None:
        value, at = replaced(field, span, text)
        if field.tag == "input" and input_type(field) == "number" and value and number_of(value) is None:
            raise refused("a key that leaves no number", where(field), "use fill")
        field.value = value
        self._cursor.spans[field] = Span(at, at)

    def _count(self, field: Element, *, up: bool) -> None:
        """A step up or down, within the bounds. One from a number between two steps is refused."""
        value = _decimal(value_of(field) or "0")
        said, low, high = (_decimal(field.attrs.get(name, "")) for name in ("step", "min", "max"))
        step, least = said if said is not None and said > 0 else Decimal(1), low or Decimal(0)
        numbers = [each for each in (value, step, low, high) if each is not None]
        usual = step > _FINEST and all(-_LARGEST < each < _LARGEST for each in numbers)
        if value is None or not usual or (value - least) % step:
            raise refused("ArrowUp or ArrowDown", where(field), "use fill")
        to = value + step if up else value - step
        if high is not None:
            to = min(to, high - (high - least) % step)
        if low is not None:
            to = max(to, low)
        if to > value if up else to < value:
            field.value = f"{to.normalize():f}"
            self._cursor.to_end(field)


def _decimal(text: str) -> Decimal | None:
    return None if number_of(text) is None else Decimal(text.strip())


def timeout(verb: str, why: str = "") -> BrowserError:
    """What Playwright says where it has waited in vain."""
    return BrowserError(f"TimeoutError: Locator.{verb}: Timeout 500ms exceeded{f' ({why})' if why else ''}")
