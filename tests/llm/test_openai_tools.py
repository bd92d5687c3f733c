"""Calls of tools as servers of OpenAI's protocol write them, well and badly."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from fakes.base import Asked, FakeServer
from fakes.openai_server import OpenAIApp

from reasoningbank.errors import InfraError
from reasoningbank.llm.openai import OpenAIChat
from reasoningbank.types import Message, Reply, Tool, ToolCall, Usage

TOOL = Tool(name="bash", description="runs", parameters={"type": "object", "properties": {}})
ASK = [Message(role="user", content="go on")]
COUNTS = Usage(calls=1, input_tokens=9, output_tokens=9)


class Writes(OpenAIApp):
    """Writes these pieces of `tool_calls`: the last alone at once, each by itself in a stream."""

    def __init__(self, *pieces: object) -> None:
        super().__init__(lambda asked: Reply(text="", usage=COUNTS))
        self.pieces = pieces

    def _chat(self, asked: Asked, reply: Reply) -> dict[str, Any]:
        whole = super()._chat(asked, reply)
        whole["choices"][0]["message"]["tool_calls"] = self.pieces[-1]
        return whole

    def _chat_events(self, asked: Asked, reply: Reply) -> Iterator[dict[str, Any] | None]:
        first, *_, counts, mark = super()._chat_events(asked, reply)
        assert first is not None
        for piece in self.pieces:
            yield {**first, "choices": [{"index": 0, "delta": {"tool_calls": piece}, "finish_reason": None}]}
        yield {**first, "choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]}
        yield from (counts, mark)


def called(*pieces: object, stream: bool) -> Reply:
    with FakeServer(Writes(*pieces)) as server:
        model = OpenAIChat(model="fake-model", base_url=f"{server.url}/v1", stream=stream)
        try:
            return model.call_tools(ASK, [TOOL], temperature=0.0, seed=0, max_tokens=9)
        finally:
            model.close()


def piece(arguments: object, **more: object) -> dict[str, object]:
    return {"function": {"arguments": arguments}, **more}


def test_pieces_of_several_calls_are_put_together() -> None:
    """The second call's begin comes before the first one's end."""
    begin = {"index": 0, "id": "a", "type": "function", "function": {"name": "bash", "arguments": '{"x"'}}
    other = {"index": 1, "id": "b", "type": "function", "function": {"name": "bash", "arguments": ""}}
    reply = called([begin], [other], [piece(":1}", index=0)], [piece("{}", index=1)], stream=True)
    assert reply.calls == (
        ToolCall(id="a", name="bash", arguments='{"x":1}'),
        ToolCall(id="b", name="bash", arguments="{}"),
    )
    assert (reply.text, reply.stop_reason, reply.usage) == ("", "stop", COUNTS)


def test_a_server_may_leave_out_index_and_id() -> None:
    begin = {"type": "function", "function": {"name": "bash", "arguments": "{"}}
    assert called([begin], [piece("}")], stream=True).calls == (ToolCall(id="", name="bash", arguments="{}"),)


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("bad", ["bash", {"name": "bash"}, [piece(5)], [piece("{}", id=7)]])
def test_what_is_no_call_is_the_servers_fault(bad: object, stream: bool) -> None:
    with pytest.raises(InfraError, match=r"calls? of (a tool|tools)"):
        called(bad, stream=stream)


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("none", [None, []])
def test_no_calls_are_none(none: object, stream: bool) -> None:
    assert called(none, stream=stream).calls == ()
