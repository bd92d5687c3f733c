"""What BrowserGym is given in a browser's process: a chat that is no browser, and a task that opens the start page."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Any

SAME = 200
"""Milliseconds in which a page tells once that it is acted on."""
SELDOM = f"""(() => {{
    const tell = window.browsergym_page_activated;
    let told = performance.now();
    window.browsergym_page_activated = () => {{
        if (performance.now() - told > {SAME}) {{
            told = performance.now();
            tell();
        }}
    }};
}})();"""
"""Run in every page after what BrowserGym runs there. By that each movement of the mouse, each button and key tells
that it is this page that is acted on; now once for all that belong to one action."""


class ListChat:
    """In the place of BrowserGym's chat, which is a browser of its own."""

    def __init__(self, **_: object) -> None:
        self.messages: list[dict[str, object]] = []

    def add_message(self, role: str, msg: str) -> None:
        self.messages.append({"role": role, "timestamp": 0.0, "message": msg})

    def close(self) -> None:
        return None


class StartPage:
    """What BrowserGym calls a task: here it opens the start page, and no more."""

    slow_mo = 0
    locale = None
    timezone_id = None

    def __init__(self, seed: int, *, begin: Callable[[Any], None], patience: float) -> None:
        self.viewport = {"width": 1280, "height": 720}
        self.timeout = patience * 1000
        self._begin = begin

    def setup(self, page: Any) -> tuple[str, dict[str, Any]]:
        page.context.add_init_script(SELDOM)
        self._begin(page)
        return "", {}

    def validate(self, page: Any, chat_messages: Any) -> tuple[float, bool, str, dict[str, Any]]:
        return 0.0, False, "", {}

    def teardown(self) -> None:
        return None


def crashed(page: Any) -> None:
    """Ends this process: what has been asked of a page that has crashed is never answered."""
    print(f"a page has crashed: {page.url}", file=sys.stderr, flush=True)
    os._exit(1)
