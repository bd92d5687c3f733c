"""Tools in OpenAI's chat completions: how they are offered, how calls of them are read, whole and in pieces."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from reasoningbank.providers.endpoint import Endpoint
from reasoningbank.providers.faults import bad_reply
from reasoningbank.types import Message, Tool, ToolCall


def offered(tools: Sequence[Tool]) -> list[dict[str, Any]]:
    """The tools on the wire."""
    return [{"type": "function", "function": tool.model_dump()} for tool in tools]


def chat_message(message: Message) -> dict[str, Any]:
    """A message on the wire: with the calls that it holds, or as the result of one."""
    sent: dict[str, Any] = {"role": message.role, "content": message.content}
    if message.answers:
        return {"role": "tool", "content": message.content, "tool_call_id": message.answers}
    if message.calls:
        sent["content"] = message.content or None
        sent["tool_calls"] = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for call in message.calls
        ]
    return sent


@dataclass
class CallPieces:
    """A call of which a stream has brought a part."""

    id: str = ""
    name: str = ""
    arguments: str = ""

    def whole(self) -> ToolCall:
        return ToolCall(id=self.id, name=self.name, arguments=self.arguments)


def tool_calls(found: object, endpoint: Endpoint) -> tuple[ToolCall, ...]:
    """The calls of a message. InfraError for what is none."""
    called: dict[int, CallPieces] = {}
    for index, each in enumerate(_listed(found, endpoint)):
        called[index] = CallPieces()
        _join(called[index], each, endpoint)
    return tuple(call.whole() for call in called.values())


def joined(called: dict[int, CallPieces], found: object, endpoint: Endpoint) -> None:
    """Add a piece's calls to those that came before. Some servers leave their index out."""
    for place, each in enumerate(_listed(found, endpoint)):
        index = getattr(each, "index", None)
        _join(called.setdefault(index if isinstance(index, int) else place, CallPieces()), each, endpoint)


def _join(call: CallPieces, piece: object, endpoint: Endpoint) -> None:
    function = getattr(piece, "function", None)
    id, name, arguments = (
        getattr(piece, "id", None),
        getattr(function, "name", None),
        getattr(function, "arguments", None),
    )
    if not all(part is None or isinstance(part, str) for part in (id, name, arguments)):
        raise bad_reply(endpoint, "a call of a tool whose parts are no texts")
    call.id = id or call.id
    call.name = name or call.name
    call.arguments += arguments or ""


def _listed(found: object, endpoint: Endpoint) -> list[Any]:
    if found is None:
        return []
    if not isinstance(found, list):
        raise bad_reply(endpoint, "calls of tools that are no list")
    return found
