"""A prompt's messages in the forms that providers take them: the system's text apart, or at the head of the first
user's."""

from __future__ import annotations

from collections.abc import Sequence

from reasoningbank.types import Message


def split(messages: Sequence[Message]) -> tuple[str, list[Message]]:
    """The system's text, empty where there is none, and the other messages."""
    system = "\n\n".join(message.content for message in messages if message.role == "system")
    return system, [message for message in messages if message.role != "system"]


def folded(messages: Sequence[Message]) -> list[Message]:
    """For models whose template knows no system message: its text begins the first user message."""
    system, rest = split(messages)
    if not system:
        return rest
    if rest and rest[0].role == "user":
        return [Message(role="user", content=f"{system}\n\n{rest[0].content}"), *rest[1:]]
    return [Message(role="user", content=system), *rest]


def spoken_to(messages: Sequence[Message]) -> tuple[str, list[Message]]:
    """As `split`, for providers that take no system's text alone: there it is the user's."""
    system, rest = split(messages)
    return (system, rest) if rest else ("", folded(messages))
