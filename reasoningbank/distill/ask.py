"""Asking for a reply that can be read: one that cannot is asked for again, each time with the next call number."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from reasoningbank.errors import UnusableReply
from reasoningbank.interfaces import Calls
from reasoningbank.types import Message, Refused, Role

T = TypeVar("T")


def ask_until_usable(
    calls: Calls, role: Role, messages: Sequence[Message], parse: Callable[[str], T], *, tries: int
) -> T | Refused:
    """`parse` of the first reply it does not refuse, out of at most `tries`; else the last refusal.

    Every refused reply goes to `calls.refuse`.
    """
    if tries < 1:
        raise ValueError(f"tries={tries}: at least 1")
    for _ in range(tries):
        try:
            reply = calls.ask(role, messages)
            if reply.stop_reason == "length":
                raise UnusableReply("the reply was cut off at the limit of its length", reply.text)
            return parse(reply.text)
        except UnusableReply as error:
            refused = Refused(role=role, reason=error.reason, text=error.text)
            calls.refuse(refused)
    return refused
