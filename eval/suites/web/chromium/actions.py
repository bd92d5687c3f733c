"""Actions on a page of Chromium: BrowserGym's own functions, called with what our parser has read."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import Any

from eval.suites.web.keyboard import MODIFIERS, strokes
from eval.suites.web.transport import BrowserError, check_scheme
from reasoningbank.agents.actions import SIGNATURES, Action, ActionSyntaxError, parse_actions

_REASONS = (
    *("element is not visible", "element is not enabled", "element is not editable", "element is not stable"),
    *("element is outside of the viewport", "did not find some options", "intercepts pointer events"),
)
"""Why an action has waited in vain, in Playwright's log."""
LONGEST_WAIT = 10_000.0
"""Milliseconds of `noop`, whatever it asks for."""
PAGES = 2
"""How often `patience`, the seconds in which a page must have loaded, may pass for one action: while it is done, and
while it is waited for what it leads to."""
CHANGE = 2.0
"""Seconds in which an action must have led to a page, or to its request, which Playwright has begun and not ended."""
_DONE_FROM = ("performing ", "navigating to", "elementHandle.press", "selected specified option")
"""What Playwright does last: after it there is nothing left but to wait for a page."""
GONE = ("has been closed", "Target crashed", "Page crashed", "Connection closed", "Browser closed")
"""What Playwright says of a page, or of a browser, that is no more."""


class BrowserGone(Exception):
    """The browser or its page has died, or answers no more."""


class NotDone(BrowserGone):
    """Nothing was in the way of an action, and yet it was not done in time."""


def perform(action: Action, page: Any, patience: float, leads: Callable[[], bool]) -> str:
    """Carries out one action; returns what went wrong as BrowserGym says it, without the log, or an empty text.

    BrowserGym waits half a second for an element. Where nothing is in the way of the action it is the machine that is
    slow, and no reason to tell the agent anything: it is tried again for `patience` seconds. Where the action was begun
    when that time was over, Playwright carries it out to its end all the same; whether it `leads` to another page is
    waited for, since the page that is shown is still the old one.
    """
    from playwright.sync_api import Error, TimeoutError

    if action.name in ("send_msg_to_user", "report_infeasible"):
        return ""
    until = time.monotonic() + patience
    again = False
    while True:
        try:
            _act(action, page)
        except Error as error:
            if any(words in error.message for words in GONE):
                if page.is_closed() and page.context.browser.is_connected():  # the action has closed it
                    return ""
                raise BrowserGone(said(error.message)) from error
            late = isinstance(error, TimeoutError)
            if late and only_waits(error.message):
                leads()
                return ""
            if not late or hindered(error.message):
                if (again or (late and begun(error.message))) and leads():
                    return ""
                return f"{type(error).__name__}: {said(error.message)}"
            if time.monotonic() > until:
                raise NotDone(f"it was not done within {patience:g} s: {said(error.message)}") from error
            again = True
            continue
        except BrowserError as error:
            return f"Error: Page.goto: {error}"
        except ValueError as error:
            if again and leads():  # it was done after all
                return ""
            return f"ValueError: {error}"
        return ""


def longest(text: str, patience: float) -> float:
    """Seconds that the action calls in a text may take."""
    try:
        actions = parse_actions(text, multi=True)
    except ActionSyntaxError:
        return 0.0
    return sum(PAGES * patience + waits(action) for action in actions)


def waits(action: Action) -> float:
    """Seconds that an action asks for."""
    if action.name != "noop":
        return 0.0
    (asked,) = action.args or (SIGNATURES["noop"][0].default,)
    return max(0.0, min(float(asked), LONGEST_WAIT)) / 1000  # type: ignore[arg-type]  # the parser's number


def may_open_tab(action: Action) -> bool:
    """Whether it is a click, or a key in its place, of the kind that opens what it leads to in a tab of its own."""
    if action.name == "press":
        found = strokes(str(action.args[1])) or []
        return any(stroke.key in ("Enter", " ") and stroke.held & {"Control", "Shift"} for stroke in found)
    return action.name in ("click", "dblclick") and len(action.args) > 1


def _act(action: Action, page: Any) -> None:
    from browsergym.core.action import functions
    from playwright.sync_api import Error

    functions.page = page
    functions.demo_mode = "off"
    args: list[Any] = [list(arg) if isinstance(arg, tuple) else arg for arg in action.args]
    if action.name == "goto":
        check_scheme(str(args[0]))  # a browser would open this machine's files as well
    elif action.name == "noop":
        args = [waits(action) * 1000]
    try:
        getattr(functions, action.name)(*args)
    except Error:
        if action.name == "press" and not page.is_closed():
            for key in MODIFIERS:  # it has left them down where another key of the combination is none
                page.keyboard.up(key)
        raise


def log_of(message: str) -> list[str]:
    """The lines of what Playwright did, the last of them last."""
    return [line.strip(" -\t") for line in message.splitlines()[1:] if line.strip(" -\t")]


def hindered(message: str) -> bool:
    """Whether something on the page was in the way until the end; a key that it does not know it presses again."""
    steps = log_of(message)
    return _unknown_key(steps) or any(reason in step for step in steps for reason in _REASONS)


def begun(message: str) -> bool:
    """Whether the action was done at least once as far as Playwright could, before something was in the way of it."""
    steps = log_of(message)
    return not _unknown_key(steps) and any(step.startswith(_DONE_FROM) for step in steps)


def only_waits(message: str) -> bool:
    """Whether the action was done, and it is the page that it leads to which takes its time."""
    steps, done = log_of(message), False
    for step in steps:
        stopped = step.startswith("retrying") or any(reason in step for reason in _REASONS)
        done = (done or step.startswith(_DONE_FROM)) and not stopped
    return done and not _unknown_key(steps)


def _unknown_key(steps: list[str]) -> bool:
    return len([step for step in steps if step.startswith("elementHandle.press")]) > 1


def said(message: str) -> str:
    """Playwright's message on one line, with the last reason that its log gives for having waited in vain."""
    first, _, log = message.partition("\n")
    first = first.strip().removesuffix(".") if "Timeout" in first else first.strip()
    reasons = [reason for line in log.splitlines() for reason in _REASONS if reason in line]
    return re.sub(r"\s+", " ", f"{first} ({reasons[-1]})" if reasons else first)
