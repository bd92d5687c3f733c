"""What Playwright says of actions that it did not finish: whether the agent is to know of them, and in what words."""

from __future__ import annotations

import pytest

from eval.suites.web.chromium.actions import hindered, may_open_tab, only_waits, said
from reasoningbank.agents.actions import parse_actions

CLICK = """Locator.click: Timeout 500ms exceeded.
Call log:
waiting for get_by_test_id("2")
  -   locator resolved to <button bid="2">x</button>
  - attempting click action
  -   waiting for element to be visible, enabled and stable
"""
LEADS = f"""{CLICK}  -   element is visible, enabled and stable
  -   scrolling into view if needed
  -   done scrolling
  -   performing click action
"""
PRESS = """Locator.press: Timeout 500ms exceeded.
Call log:
waiting for get_by_test_id("5")
  -   locator resolved to <input bid="5"/>
  - elementHandle.press("Enter")
"""


OFF = f"""{CLICK}  -   element is not enabled
  - retrying click action, attempt #1
  -   waiting 500ms
"""
MOVED = f"""{CLICK}  -   element is not stable
  - retrying click action, attempt #1
  -   element is visible, enabled and stable
  -   performing click action
"""
COVERED = f"""{LEADS}  -   <div></div> intercepts pointer events
"""
GOTO = """Page.goto: Timeout 2000ms exceeded.
Call log:
navigating to "http://a.test/", waiting until "load"
"""


@pytest.mark.parametrize(
    ("message", "in_the_way", "done", "words"),
    [
        (CLICK, False, False, "Locator.click: Timeout 500ms exceeded"),
        (OFF, True, False, "Locator.click: Timeout 500ms exceeded (element is not enabled)"),
        (LEADS, False, True, "Locator.click: Timeout 500ms exceeded"),
        (
            f"{LEADS}  -   click action done\n  -   waiting for scheduled navigations to finish\n",
            False,
            True,
            "Locator",
        ),
        (f'{LEADS}  -   navigated to "http://a.test/"\n', False, True, "Locator.click: Timeout 500ms exceeded"),
        (f"{LEADS}  - retrying click action, attempt #1\n", False, False, "Locator.click: Timeout 500ms exceeded"),
        (MOVED, True, True, "Locator.click: Timeout 500ms exceeded (element is not stable)"),
        (COVERED, True, False, "Locator.click: Timeout 500ms exceeded (intercepts pointer events)"),
        (PRESS, False, True, "Locator.press: Timeout 500ms exceeded"),
        (f'{PRESS}  - elementHandle.press("Enter")\n', True, False, "Locator.press: Timeout 500ms exceeded"),
        (GOTO, False, True, "Page.goto: Timeout 2000ms exceeded"),
        ("Locator.click: Timeout 500ms exceeded.", False, False, "Locator.click: Timeout 500ms exceeded"),
    ],
)
def test_what_was_in_the_way_and_what_was_done(message: str, in_the_way: bool, done: bool, words: str) -> None:
    assert hindered(message) == in_the_way
    assert only_waits(message) == done
    assert said(message).startswith(words)
    assert "\n" not in said(message)


@pytest.mark.parametrize(
    ("text", "may"),
    [
        ("click('1')", False),
        ("click('1', 'middle')", True),
        ("dblclick('1', 'left', ['Shift'])", True),
        ("press('1', 'Enter')", False),
        ("press('1', 'Control+Enter')", True),
        ("press('1', 'Shift+Space')", True),
        ("press('1', 'Control+a')", False),
        ("press('1', 'Nothing')", False),
        ("noop()", False),
    ],
)
def test_what_may_open_a_tab(text: str, may: bool) -> None:
    assert may_open_tab(parse_actions(text, multi=False)[0]) == may
