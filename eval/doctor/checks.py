"""What a check finds, and how one is made of a call that may fail in any way."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Literal, TypeVar

from pydantic import Field

from reasoningbank.boundary import capture, one_line
from reasoningbank.errors import ReasoningBankError
from reasoningbank.providers.secrets import struck
from reasoningbank.types import Record

State = Literal["ok", "warning", "fails", "skipped"]
T = TypeVar("T")


class Check(Record):
    """One line of the table."""

    name: str = Field(description="what was looked at")
    state: State
    found: str
    todo: str = Field("", description="what to do; empty where nothing is to be done")


def ok(name: str, found: str) -> Check:
    return Check(name=name, state="ok", found=struck(found))


def warning(name: str, found: str, todo: str) -> Check:
    return Check(name=name, state="warning", found=struck(found), todo=struck(todo))


def fails(name: str, found: str, todo: str) -> Check:
    return Check(name=name, state="fails", found=struck(found), todo=struck(todo))


def skipped(name: str, why: str) -> Check:
    return Check(name=name, state="skipped", found=struck(why))


def tried(
    name: str, call: Callable[[], T], todo: str = "mend the setting, or choose another"
) -> tuple[T | None, Check | None]:
    """What the call returns, or the line for what it raised: an error of ours says itself what to do after a colon or a
    semicolon, which becomes the line's last column."""
    done = capture(call)
    if done.error is None:
        return done.unwrap(), None
    if not isinstance(done.error, Exception):
        raise done.error
    if not isinstance(done.error, ReasoningBankError):
        return None, fails(name, one_line(done.error), todo)
    message = " ".join(str(done.error).split())
    for mark in re.finditer(r"[;:] ", message):
        if (rest := message[mark.end() :]).startswith(ADVICE):
            return None, fails(name, message[: mark.start()], rest)
    return None, fails(name, message, todo)


ADVICE = (
    *("set ", "give ", "pip ", "choose ", "did you mean", "name ", "write ", "raise ", "lower ", "pay", "run ", "add "),
    *("it does not take the key", "the key may not", "it often ends", "there are", "mend "),
)
"""How the part of a message begins that says what to do."""
