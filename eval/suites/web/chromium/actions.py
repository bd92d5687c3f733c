"""Actions on a page of Chromium: BrowserGym's own functions, called with what our parser has read."""

from __future__ import annotations

import re
from typing import Any

from eval.suites.web.transport import BrowserError, check_scheme
from reasoningbank.agents.actions import Action

_REASONS = (
    *("element is not visible", "element is not enabled", "element is not editable"),
    *("element is outside of the viewport", "did not find some options"),
)
_GONE = ("has been closed", "Target crashed", "Page crashed", "Connection closed", "Browser closed")


class BrowserGone(Exception):
    """The browser or its page has died."""


def perform(action: Action, page: Any) -> str:
    """Carries out one action; returns what went wrong as BrowserGym says it, without the log, or an empty text."""
    from browsergym.core.action import functions
    from playwright.sync_api import Error, TimeoutError

    if action.name in ("send_msg_to_user", "report_infeasible"):
        return ""
    functions.page = page
    functions.demo_mode = "off"
    act = getattr(functions, action.name)
    args = [list(arg) if isinstance(arg, tuple) else arg for arg in action.args]
    try:
        if action.name == "goto":
            check_scheme(str(args[0]))  # a browser would open this machine's files as well
        act(*args)
    except Error as error:
        if any(words in error.message for words in _GONE):
            raise BrowserGone(said(error.message)) from error
        if isinstance(error, TimeoutError) and only_waits(error.message):
            return ""
        return f"{type(error).__name__}: {said(error.message)}"
    except BrowserError as error:
        return f"Error: Page.goto: {error}"
    except ValueError as error:
        return f"ValueError: {error}"
    return ""


def only_waits(message: str) -> bool:
    """Whether an action was done, and it is the page that it leads to which takes its time."""
    steps = [line.strip(" -\t") for line in message.splitlines() if line.strip(" -\t")]
    last = steps[-1]
    if last.startswith("elementHandle.press"):
        return steps.count(last) == 1  # a key that it does not know is pressed again and again
    return last.startswith(("performing ", "waiting for scheduled", "navigating to")) or last.endswith("action done")


def said(message: str) -> str:
    """Playwright's message on one line, with the last reason that its log gives for having waited in vain."""
    first, _, log = message.partition("\n")
    first = first.strip().removesuffix(".") if "Timeout" in first else first.strip()
    reasons = [reason for line in log.splitlines() for reason in _REASONS if reason in line]
    return re.sub(r"\s+", " ", f"{first} ({reasons[-1]})" if reasons else first)
