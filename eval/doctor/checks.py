"""What a check finds, and how one is made of a call that may fail in any way."""

from __future__ import annotations

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
    todo: str = Field("", description="what to do; empty where nothing is, or what was found is an error that says it")


def ok(name: str, found: str) -> Check:
    return Check(name=name, state="ok", found=struck(found))


def warning(name: str, found: str, todo: str) -> Check:
    return Check(name=name, state="warning", found=struck(found), todo=struck(todo))


def fails(name: str, found: str, todo: str) -> Check:
    return Check(name=name, state="fails", found=struck(found), todo=struck(todo))


def skipped(name: str, why: str) -> Check:
    return Check(name=name, state="skipped", found=struck(why))


def tried(name: str, call: Callable[[], T]) -> tuple[T | None, Check | None]:
    """What the call returns, or the line for what it raised. An error of ours says what to do, and is told whole."""
    done = capture(call)
    if done.error is None:
        return done.unwrap(), None
    if not isinstance(done.error, Exception):
        raise done.error
    if isinstance(done.error, ReasoningBankError):
        return None, fails(name, " ".join(str(done.error).split()), "")
    return None, fails(name, one_line(done.error), "mend the setting, or choose another")
