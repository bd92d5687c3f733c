"""Asking for a reply that can be read: one that cannot is asked for again, each time with the next call number."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar, runtime_checkable

from reasoningbank.errors import UnusableReply
from reasoningbank.interfaces import Calls
from reasoningbank.types import Message, Refused, Role

T = TypeVar("T")


@runtime_checkable
class KeepsRefused(Protocol):
    """Calls that keep refused replies for which the caller has no other place."""

    def refuse(self, refused: Refused) -> None: ...


@dataclass(frozen=True)
class Answer(Generic[T]):
    """What could be read, or None when no reply could; and the replies that were refused on the way."""

    value: T | None
    refused: tuple[Refused, ...]


def ask_until_usable(
    calls: Calls, role: Role, messages: Sequence[Message], parse: Callable[[str], T], *, tries: int
) -> Answer[T]:
    """`parse` of the first reply it does not refuse, out of at most `tries`."""
    refused: list[Refused] = []
    for _ in range(tries):
        try:
            reply = calls.ask(role, messages)
            if reply.stop_reason == "length":
                raise UnusableReply("the reply was cut off at the limit of its length", reply.text)
            return Answer(parse(reply.text), tuple(refused))
        except UnusableReply as error:
            refused.append(Refused(role=role, reason=_utf8(error.reason), text=_utf8(error.text)))
    return Answer(None, tuple(refused))


def _utf8(text: str) -> str:
    """`text` as it can be stored: what is no UTF-8 is written out."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
