"""A click that the browser tool reports as timed out although it was done: its page is what is seen."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping

import flask
import pytest
from chromium_here import needs_chromium

from eval.suites.web.chromium.actions import CHANGE
from eval.suites.web.chromium.environment import BrowserEnvironment
from eval.suites.web.chromium.find import find_chromium
from eval.suites.web.transport import Site
from reasoningbank.types import Task

pytestmark = needs_chromium
BASE = "http://late.test"
TASK = Task(id="1", suite="late", group="late", intent="?", start=f"{BASE}/")
SCRIPT = """
function busy(seconds) { const end = performance.now() + 1000 * seconds; while (performance.now() < end); }
function moves(link) {
    const end = performance.now() + 250;
    (function move() {
        link.style.position = 'relative';
        link.style.left = (performance.now() % 50) + 'px';
        if (performance.now() < end) requestAnimationFrame(move);
    })();
}
function leave() { setTimeout(() => { location = '/late'; }, 400); }
function covered() {
    const cover = document.body.appendChild(document.createElement('div'));
    cover.style = 'position: fixed; inset: 0';
}
"""
HOME = f"""<title>Home</title><script>{SCRIPT}</script>
<button id=busy type=button onclick="busy(0.7); leave()">Busy</button>
<a id=moves href=/late>Moves</a>
<button id=start type=button onclick="moves(document.getElementById('moves'))">Go</button>
<input type=checkbox id=box onmousedown="busy(0.8)" aria-label=Box>
<button id=vain type=button onmousedown="busy(0.1); covered()">Vain</button>
"""


def create_app() -> flask.Flask:
    app = flask.Flask("late")

    @app.get("/")
    def home() -> str:
        return HOME

    @app.get("/late")
    def late() -> str:
        time.sleep(0.8)
        return "<title>Late</title>come at last"

    return app


APP = create_app()


def sites() -> Mapping[str, Site]:
    return {BASE: Site(APP)}


@pytest.fixture
def environment() -> Iterator[BrowserEnvironment]:
    env = BrowserEnvironment(open_sites=sites, program=find_chromium(None))
    env.reset(TASK, 0)
    yield env
    env.close()


def bid(text: str, name: str) -> str:
    line = next(line for line in text.splitlines() if f"'{name}'" in line)
    return line.split("[")[1].split("]")[0]


def test_a_click_that_was_done_late_shows_the_page_it_leads_to(environment: BrowserEnvironment) -> None:
    shown = environment.step("noop(1)")
    seen = environment.step(f"click('{bid(shown.text, 'Busy')}')")
    assert (seen.url, seen.error) == (f"{BASE}/late", "")
    assert "come at last" in seen.text


@pytest.mark.long
def test_what_was_in_the_way_at_first_is_not_told_of_a_click_that_was_done(environment: BrowserEnvironment) -> None:
    shown = environment.step("noop(1)").text
    seen = environment.step(f"click('{bid(shown, 'Go')}')\nclick('{bid(shown, 'Moves')}')")
    assert (seen.url, seen.error) == (f"{BASE}/late", "")


@pytest.mark.long
def test_a_click_that_leads_nowhere_is_waited_for_no_longer(environment: BrowserEnvironment) -> None:
    shown = environment.step("noop(1)").text
    began = time.monotonic()
    seen = environment.step(f"click('{bid(shown, 'Box')}')")
    assert (seen.url, seen.error) == (f"{BASE}/", "")
    assert "checkbox 'Box', focused, checked='true'" in seen.text
    assert time.monotonic() - began < CHANGE + 4


@pytest.mark.long
def test_a_click_that_something_stood_in_the_way_of_is_told(environment: BrowserEnvironment) -> None:
    shown = environment.step("noop(1)").text
    environment.step(f"click('{bid(shown, 'Vain')}')")
    seen = environment.step(f"click('{bid(shown, 'Vain')}')")
    assert seen.url == f"{BASE}/"
    assert "intercepts pointer events" in seen.error
