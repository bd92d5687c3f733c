"""Every action with every variant of its arguments, on an element of every kind: what one browser shows, where it is
and whether it says that something failed is the same in the other."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product

import pytest
from action_site import BASE, create_app
from chromium_here import needs_chromium

from eval.suites.web.browser import TextBrowser
from eval.suites.web.chromium.environment import BrowserEnvironment
from eval.suites.web.chromium.find import find_chromium
from eval.suites.web.environment import WebEnvironment
from eval.suites.web.transport import Site
from reasoningbank.interfaces import Observation
from reasoningbank.types import Task

pytestmark = needs_chromium
HOME = f"{BASE}/"
TASK = Task(id="1", suite="every", group="every", intent="?", start=HOME)
DEAD = "nobody"
LINKS = ("link", "inside", "blank", "below", "empty", "mail", "elsewhere", "missing", "kept", "script", "none")
OTHERS = ("heading", "paragraph", "cell", "summary", "label", "around", "save", "send", "tab", "nothing", "reset")
BOXES = ("box", "ticked", "dead", "small", "large")
FIELDS = ("text", "required", "search", "number", "password", "email", "readonly", "off", "within", "area", "query")
LISTS = ("one", "many", "grouped", "shut", "green")
UNREACHABLE = ("deadbutton", "unseen", DEAD)
KINDS = (LINKS, OTHERS, BOXES, FIELDS, LISTS, UNREACHABLE)
POINTED = (
    *("", ", button='middle'", ", button='right'", ", modifiers=['Control']", ", modifiers=['Shift']"),
    *(", modifiers=['Alt']", ", modifiers=['Meta']", ", modifiers=['ControlOrMeta']", ", modifiers=['Alt', 'Shift']"),
    *(", button='middle', modifiers=['Shift']", ", button='right', modifiers=['Control']"),
)
FILLED = ("'x'", "''", "'12'", "'a\\nb'", "'hello', True", "'', True", "'12', True", "'quite a long text that goes on'")
CHOSEN = ("'g'", "'Green'", "'Blue Sky'", "['r', 'g']", "['a', 'c']", "[]", "'nope'", "['a', 'nope']", "'None'", "'q'")
KEYS = ("Enter", "Escape", "Foo", "Control")


def _cases() -> dict[str, list[tuple[str, str]]]:
    """By group: the element's id, and an action in which ID stands for its bid."""
    anything = [element for kind in KINDS for element in kind]
    clicks = [f"click('ID'{how})" for how in POINTED]
    # Linux pastes by the middle button what a double click in a field selects
    twice = [f"dblclick('ID'{how})" for how in POINTED[:5] if "middle" not in how]
    return {
        **{
            f"click {kind[0]}": list(product(kind, clicks))
            for kind in (LINKS, OTHERS, BOXES, FIELDS, LISTS, UNREACHABLE)
        },
        "dblclick": list(product(("link", *OTHERS, *BOXES, "text", "area", *UNREACHABLE), twice)),
        "fill": [*product((*FIELDS, "box", "one", *UNREACHABLE), [f"fill('ID', {text})" for text in FILLED])],
        "clear": [(element, "clear('ID')") for element in anything],
        "select_option": [
            *product((*LISTS, "text", *UNREACHABLE), [f"select_option('ID', {each})" for each in CHOSEN])
        ],
        "hover and focus": [*product(anything, ("hover('ID')", "focus('ID')"))],
        "press": [*product(("link", "text", "box", "save", DEAD), [f"press('ID', {key!r})" for key in KEYS])],
        "page": [
            *((DEAD, f"scroll({x}, {y})") for x, y in ((0, 200), (-5, -1e6))),
            *((DEAD, f"noop({wait})") for wait in ("", "0", "-3")),
            *((DEAD, text) for text in ("go_back()", "go_forward()", "send_msg_to_user('x')")),
            *((DEAD, f"goto('{url}')") for url in (f"{BASE}/second", "second", "http://nowhere.test/")),
        ],
    }


CASES = _cases()


class Both:
    """The two browsers, side by side."""

    def __init__(self) -> None:
        self.one = BrowserEnvironment(open_sites=self.sites, program=find_chromium(None))
        self.two = WebEnvironment(open_sites=self.sites)
        self.one.reset(TASK, 0)
        self.two.reset(TASK, 0)

    @staticmethod
    def sites() -> dict[str, Site]:
        return {BASE: Site(create_app())}

    def step(self, text: str) -> tuple[Observation, Observation]:
        return self.one.step(text), self.two.step(text)

    def close(self) -> None:
        self.one.close()
        self.two.close()


@pytest.fixture
def both() -> Iterator[Both]:
    made = Both()
    yield made
    made.close()


def bids() -> dict[str, str]:
    browser = TextBrowser(Both.sites())
    browser.goto(HOME)
    return {
        element.attrs["id"]: element.bid or "" for element in browser.page.document.elements if "id" in element.attrs
    }


def said(seen: Observation) -> tuple[str, bool, list[str]]:
    """Without the text of a checkbox's label, which Chromium shows or not as it likes."""
    return seen.url, bool(seen.error), [line for line in seen.text.splitlines() if line.strip() != "StaticText 'Box'"]


def differences(both: Both, cases: list[tuple[str, str]]) -> list[str]:
    """The actions that do not do the same; from another page, going back is one more."""
    known, found = bids(), []
    for element, action in cases:
        text = action.replace("ID", known.get(element, "999"))
        for each in (text, "go_back()"):
            one, two = map(said, both.step(each))
            if one != two:
                shown = [pair for pair in zip(one[2], two[2], strict=False) if pair[0] != pair[1]][:2]
                found.append(f"{element}: {text}, {each}: {one[:2]} {two[:2]} {shown}")
                both.step(f"goto('{BASE}/second')")
                break
            if two[0] == HOME:
                break
        both.step(f"goto('{HOME}')")
    return found


def test_a_sample_of_actions_does_the_same(both: Both) -> None:
    everything = [case for cases in CASES.values() for case in cases]
    assert differences(both, random.Random(0).sample(everything, 6)) == []


@pytest.mark.long
@pytest.mark.parametrize("group", list(CASES))
def test_every_action_with_every_argument_does_the_same(group: str, both: Both) -> None:
    assert differences(both, CASES[group]) == []
