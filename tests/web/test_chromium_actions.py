"""Every action does the same in Chromium as in the browser without a window: on a site with forms of every kind."""

from __future__ import annotations

import pytest
from chromium_here import needs_chromium
from small_site import BASE, create_app

from eval.suites.web.chromium.environment import BrowserEnvironment
from eval.suites.web.chromium.find import find_chromium
from eval.suites.web.environment import WebEnvironment
from eval.suites.web.transport import Site
from reasoningbank.types import Task

pytestmark = [needs_chromium, pytest.mark.long]

LABELS = ("StaticText 'Box'", "StaticText 'Small'", "StaticText 'Large'")
LINES = {
    "fields": (
        "/form",
        [
            *("fill('6', 'Zed')", "press('6', 'B')", "press('6', 'Backspace')", "clear('6')", "fill('6', 'é \"q\"')"),
            *("fill('8', 'one\\ntwo')", "fill('6', '12345678901234567890')", "fill('26', '3')", "fill('26', 'many')"),
            *("fill('27', 'x')", "fill('28', 'x')", "fill('33', 'x')", "fill('10', 'x')", "fill('5', 'by its label')"),
            *("press('6', 'Foo')", "focus('6')", "hover('9')", "scroll(0, 200)", "noop(5)", "click('99')"),
        ],
    ),
    "choices": (
        "/form",
        [
            *("click('9')", "click('10')", "press('10', 'Space')", "click('17')", "click('15')", "dblclick('10')"),
            *("select_option('18', 'Blue Sky')", "select_option('18', 'r')", "select_option('18', 'nope')"),
            *("select_option('18', 'None')", "select_option('23', ['a', 'b'])", "select_option('23', [])"),
            *("select_option('6', 'x')", "click('19')", "click('36')", "click('3')"),
        ],
    ),
    "sending": (
        "/form",
        [
            *("clear('6')", "click('33')", "hover('9')", "fill('6', 'a')\nfill('26', '9')", "click('33')"),
            *("click('34')", "go_back()", "click('35')", "go_back()", "press('6', 'Enter')", "go_back()"),
            *("fill('40', 'tea')\npress('40', 'Enter')", "go_back()", "go_back()", "go_forward()", "click('38')"),
        ],
    ),
    "addresses": (
        "/",
        [
            *("click('6')", "click('7')", "go_back()", "click('8')", "click('9')", "go_back()", "click('14')"),
            *("go_back()", f"goto('{BASE}/moved/302')", "go_back()", "goto('nonsense')", "goto('file:///etc/passwd')"),
            *("goto('https://small.test/')", "go_back()", "goto('http://small.test:81/')", "go_back()"),
            *(f"goto('{BASE}/file')", f"goto('{BASE}/text')", f"goto('{BASE}/count')", f"goto('{BASE}/count')"),
            *("go_back()", "go_back()", "go_back()", "go_back()", "go_forward()", f"goto('{BASE}/loop')", "go_back()"),
        ],
    ),
    "posts": (
        "/same",
        [
            *("fill('4', 'x')\nclick('5')", "go_back()", "go_forward()", f"goto('{BASE}/form')", "click('33')"),
            *(f"goto('{BASE}/')", "go_back()", "go_back()", "go_forward()", f"goto('{BASE}/missing')", "go_back()"),
        ],
    ),
}


def without_labels_text(tree: str) -> list[str]:
    """The tree without the text of labels of checkboxes and radios, which Chromium shows or not as it likes."""
    return [line for line in tree.splitlines() if line.strip() not in LABELS]


@pytest.mark.parametrize("name", list(LINES))
def test_every_action_does_the_same(name: str) -> None:
    start, actions = LINES[name]
    task = Task(id="1", suite="small", group="small", intent="?", start=BASE + start)

    def sites() -> dict[str, Site]:
        return {BASE: Site(create_app(), {"small.world": "one"})}

    one, two = BrowserEnvironment(open_sites=sites, program=find_chromium(None)), WebEnvironment(open_sites=sites)
    try:
        seen, shown = one.reset(task, 0), two.reset(task, 0)
        for action in ["reset", *actions]:
            if action != "reset":
                seen, shown = one.step(action), two.step(action)
            assert (seen.url, seen.error) == (shown.url, shown.error), action
            assert without_labels_text(seen.text) == without_labels_text(shown.text), (action, seen.text)
            assert one.look("x") == two.look("x"), action
    finally:
        one.close()
        two.close()
