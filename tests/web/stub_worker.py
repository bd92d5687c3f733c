"""A program in the place of a browser's: it waits, and fails in every way."""

from __future__ import annotations

import json
import time

from eval.suites.web.chromium.worker import Answer, Does, serve
from reasoningbank.errors import InfraError


def wait(*, seconds: float) -> Answer:
    """When it has begun, and when it has ended, on a clock that all processes of the machine share."""
    began = time.monotonic()
    time.sleep(seconds)
    return {"began": began, "ended": time.monotonic()}


def fail(*, how: str) -> Answer:
    if how == "our mistake":
        return None.nothing  # type: ignore[attr-defined,no-any-return]
    if how == "a library's":
        json.loads(None)  # type: ignore[arg-type]
    if how == "our own":
        raise InfraError("the site is away")
    raise {"network": ConnectionResetError("gone"), "browser": RuntimeError("page crashed")}[how]


def make() -> Does:
    return {"wait": wait, "fail": fail, "close": dict}


if __name__ == "__main__":
    serve(make)
