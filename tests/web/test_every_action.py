"""Every action with every variant of its arguments, on an element of every kind: what one browser shows, where it is
and whether it says that something failed is the same in the other."""

from __future__ import annotations

import random
import re
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
TYPED = {
    "text": (
        *(
            "X",
            "Home X",
            "End X",
            "ArrowRight X",
            "Delete",
            "Backspace",
            "End Backspace",
            "Control+a X",
            "Tab X",
            "KeyA",
        ),
        *("Control+a Backspace", "Shift+End X", "Shift+ArrowRight Shift+ArrowRight X", "End Shift+Home ArrowRight X"),
        *("Control+a Shift+ArrowLeft X", "Shift+Tab", "Shift+KeyA", "Shift+Digit1", "Shift+x", "Space", "a+b", "Minus"),
        *("NumpadAdd", "NumpadDecimal", "NumpadEnter", "Numpad1 X", "+", "Shift++", "Shift+ü X", "End ArrowUp X"),
        *("ArrowDown X", "PageDown X", "Alt+ArrowRight X", "Control+Home X", "Control+End X", "Shift+Enter", "Alt+x"),
        *("Control+a Control+x", "Control+ArrowUp X", "Shift+ArrowDown X", "Control+a ArrowLeft X", "Control+Enter"),
        *("!abc X", "!abc ArrowLeft X", "@ X", "!a email=focus email=X", "End email=focus text=focus X", "AltGraph"),
        *("Tab required=Shift+Tab X", "!abc reset=@", "!abcdefghijklmnopqrst Shift+ArrowLeft X", "F5", "Control+Tab"),
    ),
    "area": (
        *("X", "Enter", "End X", "End Enter X", "ArrowRight Enter", "Control+Home X", "Control+End X", "Control+a X"),
        *("Tab", "Backspace", "Home Delete", "Control+a Delete", "!abc X", "!abc ArrowLeft Backspace", "Shift+Enter"),
        *("Shift+ArrowRight Shift+ArrowRight X", "ArrowRight ArrowRight ArrowRight ArrowRight ArrowRight ArrowRight X"),
        *("!abc text=Home area=X", "!abc reset=@ area=X", "reset=@ area=X", "Control+End Tab one=Shift+Tab area=X"),
    ),
    "number": (
        *(
            "7",
            "Home 7",
            "Control+a 7",
            "x",
            "-",
            ".",
            "Backspace",
            "!12 ArrowLeft Backspace",
            "ArrowUp 7",
            "ArrowDown",
        ),
        *("!9 ArrowUp", "!20 ArrowUp", "!20 ArrowDown", "search=Tab Backspace", "!3 reset=@"),
    ),
    "email": ("X", "End X text=Y email=Z", "Tab email=X", "!abcdef reset=@ email=X"),
    "search": ("!abc Escape", "!abc Control+a x"),
    "password": ("!abc Home X", "Tab"),
    "readonly": ("Home X", "Backspace", "Enter", "Tab", "Control+a Delete"),
    "one": (
        *(
            "ArrowDown",
            "ArrowUp",
            "ArrowRight",
            "Home",
            "End",
            "PageUp",
            "PageDown",
            "Escape",
            "Shift+ArrowDown",
            "Tab",
        ),
        *("Enter", "Space", "Enter Enter", "Space Space", "Alt+ArrowDown", "@ @", "@ Escape", "@ Tab"),
        *("@ paragraph=@", "@ grouped=@", "@ text=X", "@ heading=Shift"),
        *("@ Alt+ArrowDown", "@ Shift+Tab", "@ Delete", "@ text=focus", "@ box=@"),
    ),
    "grouped": ("ArrowDown", "End", "Shift+Tab"),
    "many": ("Enter", "Escape", "Tab", "Shift+Enter"),
    "box": (
        "Space",
        "Shift+Space",
        "Control+Space",
        "Enter",
        "Control+Enter",
        "Tab",
        "@ heading=Tab",
        "@ reset=@",
        "x",
    ),
    "around": ("Space", "Tab"),
    "label": ("X", "Tab", "@ X"),
    "small": ("ArrowDown", "ArrowRight", "Shift+ArrowDown", "Control+ArrowDown", "Tab", "Shift+Tab", "Enter"),
    "large": ("ArrowUp", "ArrowDown", "Space", "Tab", "Shift+Tab", "@ reset=@"),
    "red": ("Tab", "Space Tab", "ArrowDown", "ArrowUp", "blue=Tab", "blue=Shift+Tab"),
    "save": (
        *("Space", "Shift+Space", "Alt+Space", "Meta+Space", "Control+Space", "Shift+Enter", "Control+Enter", "Tab"),
    ),
    "link": (
        *("Space", "Tab", "Control+Enter", "Shift+Enter", "Alt+Enter", "Meta+Enter", "Shift+Tab", "Backspace"),
        *(
            "Shift+Tab heading=Tab",
            "Shift+Tab heading=Shift+Tab",
            "Shift+Tab text=X",
            "ArrowDown",
            "Control+Shift+Enter",
        ),
    ),
    "summary": ("Space", "Enter", "Shift+Enter", "Control+Enter", "Tab", "Space Tab"),
    "tabindex": (
        *("Tab", "Tab heading=Tab", "Tab heading=x", "Tab paragraph=@", "Tab paragraph=@ heading=Tab", "Tab box=@"),
        *("Tab tabindex=x", "Tab link=Tab", "Tab text=!abc"),
    ),
    "wide": ("Control+End X", "@ Control+Home X", "Tab"),
    "query": ("!tea Shift+Home Enter", "Home heading=Enter", "Shift+Enter", "Control+Shift+Enter", "Shift+Tab"),
    "paragraph": ("Tab", "@ Tab", "@ Shift+Tab", "text=End deadbutton=X", "text=End unseen=X", "text=End off=X"),
    "cell": ("@ Tab", "@ Shift+Tab", "@ X", "text=End cell=Backspace", "text=@ cell=X"),
    "below": ("Enter heading=Tab", "Enter paragraph=Shift+Tab", "Enter text=X"),
}
"""By element, keys that are pressed on it one after the other, or on another one (`other=Tab`); `@` clicks, `focus`
does that, and `!` fills in what follows it."""


def pressed_on(element: str, keys: str) -> str:
    """The actions, with `#id` for each element's bid."""
    calls = []
    for part in keys.split():
        on, _, key = part.rpartition("=")
        bid = f"'#{on or element}'"
        made = {"@": f"click({bid})", "focus": f"focus({bid})"}.get(key, f"press({bid}, {key!r})")
        calls.append(f"fill({bid}, {key[1:]!r})" if key.startswith("!") else made)
    return "\n".join(calls)


PRESSED = [(element, pressed_on(element, each)) for element, lines in TYPED.items() for each in lines]


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
        **{f"keys {part}": PRESSED[part::4] for part in range(4)},
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
        text = re.sub("#([a-z]+)", lambda found: known[found[1]], action.replace("ID", known.get(element, "999")))
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
    rng = random.Random(0)
    assert differences(both, rng.sample(everything, 5) + rng.sample(PRESSED, 4)) == []


@pytest.mark.long
@pytest.mark.parametrize("group", list(CASES))
def test_every_action_with_every_argument_does_the_same(group: str, both: Both) -> None:
    assert differences(both, CASES[group]) == []
