"""The embedded suite in a real browser: known solutions, pages and random walks give what they give without one."""

from __future__ import annotations

import random
import re
from functools import cache

import mini_suite as mini
import pytest
from chromium_here import needs_chromium

from eval.suites.web.backend import WebBackend
from eval.suites.webarena_mini import WebArenaMini
from eval.suites.webarena_mini.measure import solve
from eval.suites.webarena_mini.sites import SITES
from reasoningbank.types import Task

pytestmark = needs_chromium
INTERACTIVE = (
    *("link", "button", "textbox", "searchbox", "combobox", "listbox", "option", "checkbox", "radio", "spinbutton"),
    *("slider", "tab", "menuitem", "switch", "DisclosureTriangle"),
)
SAMPLE = 3
"""Tasks whose known solutions a short run of the tests carries out in the browser."""
KEYS = ("Tab", "Tab", "Shift+Tab", "Control+a", "Backspace", "Escape")
STEPS = 25
"""Of a random walk."""


@cache
def in_browser(seed: int) -> WebArenaMini:
    return WebArenaMini(seed=seed, sites=mini.ALL, web=WebBackend(backend="browser"))


def differences(seed: int, task_ids: list[str]) -> list[str]:
    """The tasks whose known solutions do not solve them in the browser, or do something else than without it."""
    found = []
    for task_id in task_ids:
        one, two = solve(in_browser(seed), mini.task(seed, task_id)), mini.solved(seed, task_id)
        if one.reward != 1 or (one.actions, one.answer, one.gave_up) != (two.actions, two.answer, two.gave_up):
            found.append(f"{task_id} {mini.entries(seed)[task_id].template}: {one.reward} {one.answer} {one.gave_up}")
    return found


def test_known_solutions_of_a_sample_solve_their_tasks_in_the_browser() -> None:
    one_of_each = sorted(mini.one_of_each(0).values(), key=int)
    assert differences(0, random.Random(0).sample(one_of_each, SAMPLE)) == []


@pytest.mark.long
@pytest.mark.parametrize("site", list(SITES))
def test_known_solutions_solve_every_task_in_the_browser(site: str) -> None:
    assert differences(0, [task_id for task_id, entry in mini.entries(0).items() if site in entry.task.sites]) == []


def elements(tree: str) -> list[tuple[str, str]]:
    """Role and name of what can be acted on, in the order of the page."""
    line = re.compile(r"\t*\[\w+\] (\w+) ('(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\")")
    found = [match.groups() for match in map(line.match, tree.splitlines()) if match]
    return [(role, name) for role, name in found if role in INTERACTIVE]


def focused(tree: str) -> list[str]:
    """What has the focus."""
    return [line.strip() for line in tree.splitlines() if re.search(r", focused\b", line)]


def some_action(tree: str, rng: random.Random) -> str:
    """Something that can be done on a page."""

    def bids(*roles: str) -> list[str]:
        found = re.findall(rf"\[(\w+)\] (?:{'|'.join(roles)}) (.*)", tree)
        return [bid for bid, rest in found if "disabled=True" not in rest]

    choices = [("go_back()", 1), ("scroll(0, 200)", 1)]
    choices += [(f"click('{bid}')", 20) for bid in rng.sample(bids("link"), min(1, len(bids("link"))))]
    for role, weight in (("button", 8), ("checkbox", 3), ("radio", 3)):
        choices += [(f"click('{bid}')", weight) for bid in bids(role)[:40] if rng.random() < 1 / len(bids(role)[:40])]
    if fields := bids("textbox", "searchbox"):
        choices.append((f"fill('{rng.choice(fields)}', {rng.choice(['tea', '12', '3', 'ü b'])!r})", 5))
        choices.append((f"press('{rng.choice(fields)}', 'Enter')", 2))
    if anything := bids("link", "button", "checkbox", "radio", "textbox", "searchbox", "combobox"):
        choices.append((f"press('{rng.choice(anything)}', {rng.choice(KEYS)!r})", 3))
    if lists := re.findall(r"\[(\w+)\] combobox [^\n]*\n((?:\t+\[\w+\] option [^\n]*\n?)+)", tree):
        bid, options = rng.choice(lists)
        choices.append((f"select_option('{bid}', {rng.choice(re.findall(r'option (.*?), ', options))})", 4))
    return rng.choices([text for text, _ in choices], [weight for _, weight in choices])[0]


def walk(task: Task, rng: random.Random, steps: int) -> tuple[list[str], int]:
    """The same actions in both: where they differ, and how many pages were compared."""
    one, two = in_browser(0).environment(task), mini.suite(0).environment(task)
    try:
        seen, shown, action, wrong = one.reset(task, 0), two.reset(task, 0), "reset", []
        for _ in range(steps):
            same = (seen.url, seen.error, elements(seen.text)) == (shown.url, shown.error, elements(shown.text))
            if not same or focused(seen.text) != focused(shown.text):
                pairs = [(a, b) for a, b in zip(elements(seen.text), elements(shown.text)) if a != b]
                has = [focused(seen.text), focused(shown.text)]
                wrong.append(f"{task.id} {action}: {seen.url} {shown.url} {seen.error} {shown.error} {pairs[:2]} {has}")
                break
            action = some_action(shown.text, rng)
            seen, shown = one.step(action), two.step(action)
        assert one.look("x") == two.look("x"), (task.id, action)
    finally:
        one.close()
        two.close()
    return wrong, steps


@pytest.mark.long
@pytest.mark.parametrize("number", range(8))
def test_pages_show_the_same_elements_and_actions_do_the_same(number: int) -> None:
    rng = random.Random(number)
    wrong, compared = walk(rng.choice(mini.suite(0).tasks()), rng, STEPS)
    assert wrong == []
    assert compared == STEPS


def test_pages_of_a_short_walk_are_the_same() -> None:
    rng = random.Random(100)
    assert walk(rng.choice(mini.suite(0).tasks()), rng, 6)[0] == []


def test_elements_are_found_in_a_tree() -> None:
    tree = "\n".join(
        [
            "RootWebArea 'x', focused",
            "\t[3] link 'a\\'b'",
            "\t\tStaticText 'q'",
            '\t[4] button "it\'s", disabled=True',
            "\t[5] main ''",
        ]
    )
    assert elements(tree) == [("link", "'a\\'b'"), ("button", '"it\'s"')]
