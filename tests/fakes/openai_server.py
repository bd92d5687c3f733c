"""OpenAI's wire protocol: chat completions and responses, at once and as a stream of events, and the list of models.

    with FakeServer(OpenAIApp(simulated(SimulatedLLM()))) as server:
        openai.OpenAI(base_url=f"{server.url}/v1", api_key="any")

`usage=False` leaves the counts out, as some servers do.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from fakes.base import Answer, Asked, Request, Response
from reasoningbank.types import Message, Reply, ToolCall, Usage

FINISH = {"stop": "stop", "length": "length", "safety": "content_filter", "other": "tool_calls"}
PIECE = 7
"""Characters of a reply that one event of a stream brings."""


class OpenAIApp:
    """Answers at /v1/chat/completions, /v1/responses and /v1/models."""

    def __init__(self, answer: Answer, *, models: tuple[str, ...] = ("fake-model",), usage: bool = True) -> None:
        self._answer = answer
        self._models = models
        self._usage = usage

    def respond(self, request: Request, given: Reply | None) -> Response | None:
        path = request.path.partition("?")[0]
        if request.method == "GET" and path == "/v1/models":
            return Response.json({"object": "list", "data": [{"id": each, "object": "model"} for each in self._models]})
        if request.method == "POST" and path == "/v1/chat/completions":
            asked = chat_asked(request.body)
            reply = given or self._answer(asked)
            return events(self._chat_events(asked, reply)) if asked.stream else Response.json(self._chat(asked, reply))
        if request.method == "POST" and path == "/v1/responses":
            asked = responses_asked(request.body)
            reply = given or self._answer(asked)
            whole = self._response(asked, reply)
            return events(response_events(whole, reply)) if asked.stream else Response.json(whole)
        return None

    def empty(self, request: Request) -> Response:
        stream = bool(request.body.get("stream"))
        if request.path.endswith("/responses"):
            whole = {**self._response(responses_asked(request.body), Reply(text="", usage=Usage())), "output": []}
            return events(response_events(whole, Reply(text="", usage=Usage()))) if stream else Response.json(whole)
        whole = {"id": "c", "object": "chat.completion", "created": 0, "model": "fake-model", "choices": []}
        return events([{**whole, "object": "chat.completion.chunk"}, None]) if stream else Response.json(whole)

    def error(self, status: int, message: str, code: str) -> object:
        return {"error": {"message": message, "type": "error", "param": None, "code": code or None}}

    def _counts(self, usage: Usage, *, chat: bool) -> dict[str, Any]:
        first, second = ("prompt", "completion") if chat else ("input", "output")
        return {
            f"{first}_tokens": usage.input_tokens,
            f"{second}_tokens": usage.output_tokens,
            "total_tokens": usage.input_tokens + usage.output_tokens,
            f"{first}_tokens_details": {"cached_tokens": usage.cached_tokens},
            f"{second}_tokens_details": {"reasoning_tokens": usage.thinking_tokens},
        }

    def _chat(self, asked: Asked, reply: Reply) -> dict[str, Any]:
        message: dict[str, Any] = {"role": "assistant", "content": reply.text or None}
        if reply.calls:
            message["tool_calls"] = called(reply)
        choice = {"index": 0, "message": message, "finish_reason": finish_of(reply)}
        whole = {"id": "c", "object": "chat.completion", "created": 0, "model": asked.model, "choices": [choice]}
        return {**whole, "usage": self._counts(reply.usage, chat=True)} if self._usage else whole

    def _chat_events(self, asked: Asked, reply: Reply) -> Iterator[dict[str, Any] | None]:
        base = {"id": "c", "object": "chat.completion.chunk", "created": 0, "model": asked.model}

        def piece(delta: dict[str, Any], finish: str | None = None) -> dict[str, Any]:
            return {**base, "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}

        yield piece({"role": "assistant", "content": ""})
        for start in range(0, len(reply.text), PIECE):
            yield piece({"content": reply.text[start : start + PIECE]})
        for index, call in enumerate(called(reply)):
            arguments = call["function"]["arguments"]
            yield piece({"tool_calls": [{**call, "index": index, "function": {**call["function"], "arguments": ""}}]})
            for start in range(0, len(arguments), PIECE):
                part = {"arguments": arguments[start : start + PIECE]}
                yield piece({"tool_calls": [{"index": index, "function": part}]})
        yield piece({}, finish_of(reply))
        if self._usage:
            yield {**base, "choices": [], "usage": self._counts(reply.usage, chat=True)}
        yield None

    def _response(self, asked: Asked, reply: Reply) -> dict[str, Any]:
        reason = {"length": "max_output_tokens", "safety": "content_filter"}.get(reply.stop_reason)
        part = {"type": "output_text", "text": reply.text, "annotations": []}
        item = {"type": "message", "id": "m", "role": "assistant", "status": "completed", "content": [part]}
        whole: dict[str, Any] = {
            **{"id": "r", "object": "response", "created_at": 0, "model": asked.model, "tools": []},
            "status": "completed" if reason is None else "incomplete",
            "incomplete_details": None if reason is None else {"reason": reason},
            **{"error": None, "tool_choice": "auto", "parallel_tool_calls": True},
            "output": [{"type": "reasoning", "id": "t", "summary": []}, *([item] if reply.text else [])],
        }
        return {**whole, "usage": self._counts(reply.usage, chat=False)} if self._usage else whole


def finish_of(reply: Reply) -> str:
    return "tool_calls" if reply.calls and reply.stop_reason == "stop" else FINISH[reply.stop_reason]


def called(reply: Reply) -> list[dict[str, Any]]:
    """The calls of tools that a reply holds."""
    return [
        {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
        for call in reply.calls
    ]


def chat_message(message: dict[str, Any]) -> Message:
    """A message off the wire."""
    if message["role"] == "tool":
        return Message(role="user", content=message["content"], answers=message["tool_call_id"])
    calls = tuple(
        ToolCall(id=call["id"], name=call["function"]["name"], arguments=call["function"]["arguments"])
        for call in message.get("tool_calls", ())
    )
    return Message(role=message["role"], content=message["content"] or "", calls=calls)


def chat_asked(body: dict[str, Any]) -> Asked:
    return Asked(
        model=body["model"],
        messages=tuple(chat_message(message) for message in body["messages"]),
        temperature=body.get("temperature"),
        seed=body.get("seed"),
        max_tokens=body.get("max_tokens", body.get("max_completion_tokens")),
        stream=bool(body.get("stream")),
    )


def responses_asked(body: dict[str, Any]) -> Asked:
    system = [Message(role="system", content=body["instructions"])] if body.get("instructions") else []
    return Asked(
        model=body["model"],
        messages=(*system, *(Message.model_validate(message) for message in body["input"])),
        temperature=body.get("temperature"),
        max_tokens=body.get("max_output_tokens"),
        stream=bool(body.get("stream")),
    )


def response_events(whole: dict[str, Any], reply: Reply) -> Iterator[dict[str, Any]]:
    """The events of a streamed response: its text in pieces, and at last all of it."""
    yield {"type": "response.created", "sequence_number": 0, "response": {**whole, "status": "in_progress"}}
    starts = range(0, len(reply.text), PIECE)
    for number, start in enumerate(starts, 1):
        yield {
            **{"type": "response.output_text.delta", "item_id": "m", "output_index": 1, "content_index": 0},
            **{"delta": reply.text[start : start + PIECE], "sequence_number": number, "logprobs": []},
        }
    yield {"type": f"response.{whole['status']}", "sequence_number": len(starts) + 1, "response": whole}


def events(made: Any) -> Response:
    """Server-sent events; None stands for the mark at the end."""
    pieces = []
    for event in made:
        name = f"event: {event['type']}\n" if event is not None and "type" in event else ""
        data = "[DONE]" if event is None else json.dumps(event)
        pieces.append(f"{name}data: {data}\n\n".encode())
    return Response(tuple(pieces), "text/event-stream")
