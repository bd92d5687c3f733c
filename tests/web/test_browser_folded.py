"""What is folded up is out of reach, and what a page held when it was left stays what a reset goes back to."""

from __future__ import annotations

import flask
import pytest

from eval.suites.web.browser import TextBrowser
from eval.suites.web.transport import Site
from reasoningbank.agents.actions import parse_actions

BASE = "http://folded.test"
PAGE = """<title>Folded</title>
<details><summary>More</summary><a href="/second">Second</a><input aria-label="Inside" value="old"></details>
<form action="/second"><input name="n" aria-label="Name" value="orig"><button type="reset">Reset</button></form>
<a href="/second">Away</a>"""


@pytest.fixture
def opened() -> TextBrowser:
    app = flask.Flask("folded")
    app.add_url_rule("/", "home", lambda: PAGE)
    app.add_url_rule("/second", "second", lambda: "<title>Second</title>")
    browser = TextBrowser({BASE: Site(app)})
    browser.goto(f"{BASE}/")
    browser.tree()
    return browser


def act(browser: TextBrowser, text: str) -> str:
    [action] = parse_actions(text, multi=False)
    return browser.act(action)


def bid_of(browser: TextBrowser, tag: str, text: str) -> str:
    """Of an element by its tag and a value or label."""
    found = (e for e in browser.page.document.elements if e.tag == tag)
    return next(e.bid for e in found if text in (*e.attrs.values(), *(c for c in e.children if isinstance(c, str))))


@pytest.mark.parametrize("action", ["click('{link}')", "dblclick('{link}')", "hover('{link}')", "fill('{field}', 'Z')"])
def test_what_is_folded_up_cannot_be_used(opened: TextBrowser, action: str) -> None:
    bids = {"link": bid_of(opened, "a", "Second"), "field": bid_of(opened, "input", "Inside")}
    assert "Timeout" in act(opened, action.format(**bids))
    assert opened.url == f"{BASE}/"


def test_what_is_folded_up_takes_no_focus(opened: TextBrowser) -> None:
    assert act(opened, f"focus('{bid_of(opened, 'input', 'Inside')}')") == ""
    assert opened.page.focused is None


def test_a_reset_goes_back_to_what_was_shown_before_it_though_the_page_was_left_meanwhile(opened: TextBrowser) -> None:
    act(opened, f"fill('{bid_of(opened, 'input', 'Name')}', 'typed')")
    act(opened, f"click('{bid_of(opened, 'a', 'Away')}')")
    act(opened, "go_back()")
    assert "typed" in opened.tree()
    act(opened, f"click('{bid_of(opened, 'button', 'Reset')}')")
    assert "typed" in opened.tree()
