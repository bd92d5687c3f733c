"""Keys in the browser without a window: the caret, where Tab goes, and what is refused because it is not known."""

from __future__ import annotations

import pytest
from action_site import BASE, create_app
from test_every_action import pressed_on

from eval.suites.web.browser import TextBrowser
from eval.suites.web.controls import value_of
from eval.suites.web.keyboard import PAD, Stroke, strokes
from eval.suites.web.transport import Site
from reasoningbank.agents.actions import parse_actions

HOME = f"{BASE}/"


def pressed(element: str, keys: str) -> tuple[TextBrowser, str]:
    """The browser after keys on an element, and what it said of the last."""
    browser, said = TextBrowser({BASE: Site(create_app())}), ""
    browser.goto(HOME)
    for action in pressed_on(element, keys).split("\n"):
        name = action.split("#")[1].split("'")[0]
        bid = browser.page.document.by_id[name].bid
        said = browser.act(parse_actions(action.replace(f"#{name}", bid), multi=False)[0])
    return browser, said


@pytest.mark.parametrize(
    ("element", "keys", "held"),
    [
        ("text", "X", "Xone two"),
        ("text", "End X ArrowLeft ArrowLeft Y", "one twYoX"),
        ("text", "ArrowRight Delete Backspace", "e two"),
        ("text", "Control+a X", "X"),
        ("text", "Shift+End Backspace", ""),
        ("text", "Control+a Control+x", ""),
        ("text", "!abc ArrowLeft X", "abXc"),
        ("text", "End Shift+ArrowLeft Shift+ArrowLeft Delete", "one t"),
        ("text", "!abcdefghijklmnopqrst X", "abcdefghijklmnopqrst"),
        ("text", "!abcdefghijklmnopqrst Control+a XY", "abcdefghijklmnopqrst"),
        ("text", "Shift+Digit1 KeyA Shift+KeyB", "!aBone two"),
        ("text", "a+b", "abone two"),
        ("text", "Control+b Alt+x Meta+x F5 Insert", "one two"),
        ("text", "End heading=X", "one twoX"),
        ("area", "Enter X", "\nXsome\nlines"),
        ("area", "End Enter X", "some\nX\nlines"),
        ("area", "Control+End Backspace", "some\nline"),
        ("area", "ArrowRight Home X", "Xsome\nlines"),
        ("number", "End 7", "57"),
        ("number", "x", "5"),
        ("number", "ArrowUp ArrowUp 7", "77"),
        ("number", "!9 ArrowUp", "9"),
        ("search", "!abc Escape", ""),
        ("readonly", "Control+a X Backspace", "fixed"),
        ("label", "X", "Xone two"),
    ],
)
def test_what_a_field_holds_after_keys(element: str, keys: str, held: str) -> None:
    browser, said = pressed(element, keys)
    field = browser.page.focused
    assert field is not None
    assert (value_of(field), browser.url) == (held, HOME)
    assert bool(said) == ("XY" in keys)


@pytest.mark.parametrize(
    ("element", "keys", "focus"),
    [
        ("text", "Tab", "required"),
        ("text", "Shift+Tab", "script"),
        ("paragraph", "Tab", "link"),
        ("paragraph", "Shift+Tab", "tabindex"),
        ("cell", "@ Tab", "tabindex"),
        ("cell", "@ heading=Shift+Tab", "summary"),
        ("ticked", "Tab", "small"),
        ("large", "Tab", "area"),
        ("large", "Shift+Tab", "small"),
        ("tab", "Tab red=Tab", "wide"),
        ("small", "ArrowDown", "large"),
        ("small", "ArrowLeft", "large"),
        ("tabindex", "Tab", None),
        ("tabindex", "Tab heading=Tab", "link"),
        ("link", "Shift+Tab heading=Shift+Tab", "tabindex"),
        ("below", "Enter heading=Tab", "link"),
        ("link", "Control+Tab", "link"),
    ],
)
def test_where_the_focus_goes(element: str, keys: str, focus: str | None) -> None:
    browser, said = pressed(element, keys)
    focused = browser.page.focused
    assert said == ""
    assert (None if focused is None else focused.attrs.get("id")) == focus
    assert browser.tree().splitlines()[0].endswith(", focused") == (focus is not None)


@pytest.mark.parametrize(
    ("element", "keys", "url"),
    [
        ("link", "Enter", f"{BASE}/second"),
        ("link", "Space", HOME),
        ("link", "Control+Enter", f"{BASE}/second"),
        ("link", "Alt+Enter", HOME),
        ("save", "Control+Enter", HOME),
        ("save", "Control+Space", f"{BASE}/echo"),
        ("text", "Enter", f"{BASE}/echo"),
        ("many", "Enter", f"{BASE}/echo"),
        ("readonly", "Enter", f"{BASE}/echo"),
        ("query", "!tea heading=Enter", f"{BASE}/echo?q=tea"),
    ],
)
def test_where_a_key_leads(element: str, keys: str, url: str) -> None:
    browser, said = pressed(element, keys)
    assert (browser.url, said) == (url, "")


@pytest.mark.parametrize(
    ("element", "keys"),
    [
        *(("text", keys) for keys in ("Control+v", "Shift+Insert", "Control+z", "Control+ArrowLeft", "Control+Delete")),
        *(("text", keys) for keys in ("!abcdefghijkl @ X", "Shift+Numpad1")),
        *(("area", keys) for keys in ("@ X", "ArrowDown", "PageUp", "End Delete", "End Shift+ArrowRight X")),
        *(("one", keys) for keys in ("B", "@ ArrowDown", "Enter Home")),
        *(("many", keys) for keys in ("ArrowDown", "Space", "a", "Control+a")),
        *(("number", keys) for keys in ("e", "End -", "!1.5 ArrowUp")),
        *(("wide", keys) for keys in ("End", "ArrowUp")),
    ],
)
def test_a_key_of_which_it_is_not_known_what_it_does_is_refused(element: str, keys: str) -> None:
    browser, said = pressed(element, keys)
    assert said.startswith("Error: the browser without a window")
    assert browser.url == HOME


@pytest.mark.parametrize(
    ("keys", "shown"),
    [
        ("@", True),
        ("@ @", False),
        ("@ @ @", True),
        ("Enter", True),
        ("Space Space", True),
        ("Enter Enter", False),
        ("@ Tab", False),
        ("@ Escape", False),
        ("@ Alt+ArrowDown", False),
        ("Alt+ArrowUp", True),
        ("@ paragraph=@", False),
        ("@ box=focus", False),
        ("@ heading=Shift", True),
    ],
)
def test_whether_the_options_of_a_drop_down_list_are_shown(keys: str, shown: bool) -> None:
    browser, said = pressed("one", keys)
    assert said == ""
    assert ("expanded=True" in browser.tree()) == shown
    browser.act(parse_actions("scroll(0, 10)", multi=False)[0])
    assert "expanded=True" not in browser.tree()


def test_combinations_of_keys_are_read_as_playwright_does() -> None:
    control = frozenset({"Control"})
    assert strokes("ControlOrMeta+a") == [Stroke("Control", control), Stroke("a", control)]
    assert strokes("Control++") == [Stroke("Control", control), Stroke("+", control)]
    assert strokes("+") == [Stroke("+", frozenset())]
    assert strokes("ShiftLeft+Slash") == [Stroke("Shift", frozenset({"Shift"})), Stroke("?", frozenset({"Shift"}))]
    shifted = strokes("Shift+Numpad3")
    assert shifted is not None
    assert shifted[-1].key == PAD
    assert [strokes(keys) for keys in ("", "++", "Control+", "ü", "Foo", "a+Foo", "XY")] == [None] * 7
