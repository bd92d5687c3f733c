"""Clicks by other buttons and with modifiers, in the browser without a window: Chromium opens some links in another
tab, which takes the place of the one that was shown, and from which there is no way back."""

from __future__ import annotations

import pytest
from action_site import BASE, create_app

from eval.suites.web.browser import NOT_REACHED, TextBrowser
from eval.suites.web.controls import value_of
from eval.suites.web.transport import Site
from reasoningbank.agents.actions import parse_actions

HOME, SECOND, ECHO = f"{BASE}/", f"{BASE}/second", f"{BASE}/echo"
TABS = ("button='middle'", "modifiers=['Control']", "modifiers=['Shift']", "modifiers=['ControlOrMeta', 'Alt']")


def opened() -> TextBrowser:
    browser = TextBrowser({BASE: Site(create_app())})
    assert browser.goto(HOME) == ""
    return browser


def act(browser: TextBrowser, action: str, element: str) -> str:
    [parsed] = parse_actions(action.replace("ID", browser.page.document.by_id[element].bid), multi=False)
    return browser.act(parsed)


def focused(browser: TextBrowser) -> str | None:
    return None if browser.page.focused is None else browser.page.focused.attrs.get("id")


@pytest.mark.parametrize("how", TABS)
@pytest.mark.parametrize("verb", ["click", "dblclick"])
def test_a_link_is_opened_in_a_tab_of_its_own(verb: str, how: str) -> None:
    browser = opened()
    assert act(browser, f"{verb}('ID', {how})", "inside") == ""
    assert browser.url == SECOND
    assert f"from {HOME}" in browser.tree()
    assert browser.act(parse_actions("go_back()", multi=False)[0]) == ""
    assert browser.url == SECOND


@pytest.mark.parametrize(
    ("element", "how", "url", "back"),
    [
        ("link", "modifiers=['Meta']", SECOND, HOME),
        ("link", "modifiers=['Alt']", HOME, "about:blank"),
        ("link", "button='right'", HOME, "about:blank"),
        ("link", "button='right', modifiers=['Control']", HOME, "about:blank"),
        ("blank", "button='left'", SECOND, SECOND),
        ("blank", "modifiers=['Alt']", HOME, "about:blank"),
        ("below", "button='middle'", f"{HOME}#heading", f"{HOME}#heading"),
        ("elsewhere", "button='middle'", NOT_REACHED, NOT_REACHED),
        ("mail", "button='middle'", "about:blank", "about:blank"),
        ("script", "button='middle'", HOME, "about:blank"),
        ("kept", "button='middle'", HOME, "about:blank"),
        ("kept", "button='left'", HOME, "about:blank"),
        ("file", "button='middle'", HOME, "about:blank"),
        ("save", "button='middle'", HOME, "about:blank"),
        ("save", "modifiers=['Alt']", HOME, "about:blank"),
        ("save", "modifiers=['Shift']", ECHO, ECHO),
        ("save", "modifiers=['Meta']", ECHO, HOME),
        ("tab", "button='left'", f"{ECHO}?q=", f"{ECHO}?q="),
    ],
)
def test_where_a_click_leads_and_whether_there_is_a_way_back(element: str, how: str, url: str, back: str) -> None:
    browser = opened()
    assert act(browser, f"click('ID', {how})", element) == ""
    assert browser.url == url
    browser.act(parse_actions("go_back()", multi=False)[0])
    assert browser.url == back


@pytest.mark.parametrize(
    ("element", "how", "focus"),
    [
        ("link", "button='right'", "link"),
        ("inside", "button='right'", "inner"),
        ("save", "button='middle'", "save"),
        ("box", "button='middle'", "box"),
        ("paragraph", "button='right'", None),
        ("around", "button='right'", "box"),
        ("label", "button='right'", None),
        ("summary", "button='left'", "summary"),
        ("below", "button='left'", None),
    ],
)
def test_a_button_that_goes_down_moves_the_focus_and_does_no_more(element: str, how: str, focus: str | None) -> None:
    browser = opened()
    box = browser.page.document.by_id["box"]
    assert act(browser, f"click('ID', {how})", element) == ""
    assert (focused(browser), box.checked) == (focus, None)


def test_what_cannot_be_clicked_can_be_hovered_over_as_long_as_it_is_seen() -> None:
    browser = opened()
    assert act(browser, "hover('ID')", "deadbutton") == ""
    assert "element is not visible" in act(browser, "hover('ID')", "unseen")


def value(browser: TextBrowser, element: str) -> str:
    return value_of(browser.page.document.by_id[element])


@pytest.mark.parametrize(
    ("element", "action", "told", "held", "focus"),
    [
        ("text", "fill('ID', 'a\\nb\\r\\nc')", "", "a b c", "text"),
        ("text", "fill('ID', 'tea', True)", "", "tea", "text"),
        ("text", "fill('ID', '', True)", "", "", "text"),
        ("number", "fill('ID', '12', True)", "", "12", "number"),
        ("number", "fill('ID', 'a', True)", "", "", "number"),
        ("number", "fill('ID', 'many', True)", "Locator.fill: Error: Cannot type text into input", "", "number"),
        ("readonly", "fill('ID', 'x', True)", "Locator.clear: Timeout 500ms exceeded (element is not", "fixed", None),
    ],
)
def test_what_a_field_holds(element: str, action: str, told: str, held: str, focus: str | None) -> None:
    browser = opened()
    said = act(browser, action, element)
    assert told in said
    assert bool(told) == bool(said)
    assert (value(browser, element), focused(browser)) == (held, focus)


def test_enter_as_the_last_character_sends_the_form() -> None:
    browser = opened()
    assert act(browser, "fill('ID', 'tea\\n', True)", "query") == ""
    assert browser.url == f"{ECHO}?q=tea"


def test_a_label_leaves_the_focus_to_its_control() -> None:
    browser = opened()
    assert act(browser, "focus('ID')", "label") == ""
    assert focused(browser) == "text"
    assert act(browser, "dblclick('ID')", "label") == ""
    assert focused(browser) is None
    act(browser, "click('ID')", "box")
    assert act(browser, "click('ID', button='right')", "around") == ""
    assert focused(browser) == "box"


def test_an_address_that_is_gone_to_comes_from_no_page_and_a_key_that_is_none_is_pressed_all_the_same() -> None:
    browser = opened()
    assert "Timeout 500ms exceeded" in act(browser, "press('ID', 'Foo')", "link")
    assert focused(browser) == "link"
    assert browser.goto(SECOND) == ""
    assert "from nowhere" in browser.tree()
