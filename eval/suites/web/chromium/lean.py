"""Playwright 1.44 without what its Python side does for traces that nobody records here.

Every call of it reads the whole stack with the sources, up to four times, and goes through all that comes back twice,
to find objects that stand for the browser's; an accessibility tree has none. Together that is more work than the
browser has with a page.
"""

from __future__ import annotations

import pkgutil
import sys
from importlib import metadata
from types import FrameType, ModuleType
from typing import Any, NamedTuple

VERSION = "1.44."
"""Of any other Playwright nothing is touched."""
MARKS = "javascript/frame_mark_elements.js"


class Frame(NamedTuple):
    """What Playwright looks at of a frame of the stack, from which it takes a call's name for its messages."""

    frame: FrameType
    filename: str
    lineno: int


class Without:
    """A module with some of its functions replaced."""

    def __init__(self, module: ModuleType, **replaced: Any) -> None:
        self._module = module
        self.__dict__.update(replaced)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._module, name)


def make_lean() -> None:
    """Has effect on this process, once and for all."""
    if not metadata.version("playwright").startswith(VERSION):
        return
    import inspect
    import traceback

    import playwright
    from playwright._impl import _connection, _frame, _sync_base
    from playwright.sync_api import _generated

    home = str(playwright.__file__).removesuffix("__init__.py")

    def stack() -> list[Frame]:
        """From the caller to the first frame that is not Playwright's: those further out change nothing."""
        found: list[Frame] = []
        frame: FrameType | None = sys._getframe(1)
        while frame is not None:
            name = frame.f_code.co_filename
            found.append(Frame(frame, name, frame.f_lineno))
            if not name.startswith(home) and len(found) > 1:
                break
            frame = frame.f_back
        return found

    calls: Any = (_connection, _sync_base)
    for module in calls:
        module.inspect = Without(inspect, stack=stack)
        module.traceback = Without(traceback, extract_stack=list)

    def send(self: Any, method: str, params: dict[str, Any] | None = None) -> Any:
        return self._sync(self._impl_obj.send(method=method, params=params))

    connection: Any = _connection.Connection
    replaced = connection._replace_guids_with_channels

    def replace(self: Any, payload: Any) -> Any:
        """The answer of the browser's own protocol holds no object of Playwright's."""
        result = payload.get("result") if isinstance(payload, dict) else None
        return payload if isinstance(result, dict) and "nodes" in result else replaced(self, payload)

    session: Any = _generated.CDPSession
    session.send = send
    connection._replace_guids_with_channels = replace

    shown: Any = _frame.Frame
    waited = shown._wait_for_load_state_impl

    async def wait(self: Any, state: Any = None, timeout: float | None = None) -> None:
        """A state that has been reached is told to no trace."""
        if (state or "load") not in self._load_states:
            await waited(self, state, timeout)

    shown._wait_for_load_state_impl = wait


_OBSERVED = """        elem.setAttribute('browsergym_visibility_ratio', 0);
        elems_to_be_visited.add(elem);
        intersection_observer.observe(elem);
"""
_CAPTURED = """        if (["self", "child"].includes(whoCapturesCenterClick(elem))) {
"""


def marking_alone() -> None:
    """BrowserGym's script that marks the elements of a page does that alone: how much of each is in view, and where
    marks would go in a picture, is looked for by nobody, and takes most of its time."""
    from browsergym.core import observation

    script = pkgutil.get_data(observation.__name__, MARKS)
    assert script is not None
    shorter = script.decode("utf-8").replace(_OBSERVED, "").replace(_CAPTURED, "        if (false) {\n").encode("utf-8")

    def get_data(package: str, resource: str) -> bytes | None:
        return shorter if resource == MARKS else pkgutil.get_data(package, resource)

    marking: Any = observation
    marking.pkgutil = Without(pkgutil, get_data=get_data)
