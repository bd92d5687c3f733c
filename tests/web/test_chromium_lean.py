"""What a step asks of the browser's driver: not more than it needs."""

from __future__ import annotations

import inspect
from collections import Counter

import pytest
from action_site import BASE, create_app
from chromium_here import needs_chromium

from eval.suites.web.chromium.find import find_chromium
from eval.suites.web.chromium.lean import MARKS, Without, marking_alone
from eval.suites.web.chromium.server import SiteServer
from eval.suites.web.transport import Site

MOST = 16
"""Messages to the driver for a click that leads to another page; by itself BrowserGym sends 32."""


def test_a_module_is_itself_but_for_what_is_replaced() -> None:
    without = Without(inspect, stack=list)
    assert without.stack() == []
    assert without.signature is inspect.signature


@needs_chromium
def test_elements_are_marked_and_not_looked_at_for_where_they_are() -> None:
    from browsergym.core import observation

    marking_alone()
    script = observation.pkgutil.get_data(observation.__name__, MARKS).decode()
    assert "push_bid_to_attribute(elem_global_bid, elem" in script
    assert "intersection_observer.observe(" not in script
    assert "includes(whoCapturesCenterClick" not in script


@needs_chromium
def test_a_step_sends_few_messages(monkeypatch: pytest.MonkeyPatch) -> None:
    from playwright._impl._connection import Connection

    from eval.suites.web.chromium.gym import GymBrowser

    sent: Counter[str] = Counter()
    send = Connection._send_message_to_server

    def counted(self: Connection, owner: object, method: str, *rest: object) -> object:
        sent[method] += 1
        return send(self, owner, method, *rest)

    monkeypatch.setattr(Connection, "_send_message_to_server", counted)
    server = SiteServer({BASE: Site(create_app())})
    browser = GymBrowser()
    try:
        seen = browser.open(
            program=str(find_chromium(None)), hosts=server.hosts, port=server.port, start=f"{BASE}/", patience=60.0
        )
        assert seen["url"] == f"{BASE}/"
        sent.clear()
        link = next(line for line in seen["text"].splitlines() if "link 'Second'" in line).strip()[1:].split("]")[0]
        assert browser.step(text=f"click('{link}')")["url"] == f"{BASE}/second"
        del sent["waitForTimeout"]  # of these there are more where the machine is slow
        assert sum(sent.values()) <= MOST, sent
    finally:
        browser.close()
        server.close()
        browser._playwright.stop()
