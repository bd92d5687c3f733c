"""Anthropic's wire protocol: messages, at once and as a stream of events, and the list of models; the same at the paths
of Vertex AI, with the exchange of a service account's assertion for a token.

    with FakeServer(AnthropicApp(simulated(SimulatedLLM()))) as server:
        anthropic.Anthropic(base_url=server.url, api_key="any")

A reply that counts thinking tokens has a block of thinking before its text. Tokens are told as written into the cache
where the request marks what may be kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from fakes.base import Answer, Asked, Request, Response
from fakes.gemini_server import TOKEN
from fakes.openai_server import PIECE, events
from reasoningbank.types import Message, Reply, Usage

STOPS = {"stop": "end_turn", "length": "max_tokens", "safety": "refusal", "other": "tool_use"}
THOUGHT = "Let me think about it, which is not for you to read."
VERTEX = re.compile(r"/v1/projects/[^/]+/locations/[^/]+/publishers/anthropic/models/([^/:]+):(r|streamR)awPredict")
TYPES = {400: "invalid_request_error", 401: "authentication_error", 403: "permission_error", 404: "not_found_error"} | {
    **{413: "request_too_large", 429: "rate_limit_error", 500: "api_error", 529: "overloaded_error"}
}


class AnthropicApp:
    """Answers at /v1/messages and /v1/models, and at Vertex AI's paths."""

    def __init__(self, answer: Answer, *, models: tuple[str, ...] = ("fake-model",), usage: bool = True) -> None:
        self._answer = answer
        self._models = models
        self._usage = usage

    def respond(self, request: Request, given: Reply | None) -> Response | None:
        path = request.path.partition("?")[0]
        if request.method == "GET" and path == "/v1/models":
            named = [{"id": each, "type": "model", "display_name": each} for each in self._models]
            return Response.json({"data": named, "has_more": False, "first_id": None, "last_id": None})
        if path == "/token":
            return Response.json({"access_token": TOKEN, "expires_in": 3600, "token_type": "Bearer"})
        found = VERTEX.fullmatch(path)
        if request.method != "POST" or (path != "/v1/messages" and found is None):
            return None
        body = request.body
        assert (found is None) == ("anthropic_version" not in body), (
            "told in a header at Anthropic, in the body on Vertex"
        )
        assert found is None or (found[2] == "streamR") == bool(body.get("stream"))
        question = asked(found[1] if found else body["model"], body)
        reply = given or self._answer(question)
        whole = self.whole(reply, marked="cache_control" in str(body))
        return events(stream_events(whole)) if question.stream else Response.json(whole)

    def empty(self, request: Request) -> Response:
        whole = {**self.whole(Reply(text="", usage=Usage(input_tokens=10)), marked=False), "content": []}
        return events(stream_events(whole)) if request.body.get("stream") else Response.json(whole)

    def error(self, status: int, message: str, code: str) -> object:
        return {"type": "error", "error": {"type": code or TYPES.get(status, "api_error"), "message": message}}

    def stop_reason(self, reply: Reply) -> str:
        """The reason to stop as it is told."""
        return STOPS[reply.stop_reason]

    def whole(self, reply: Reply, *, marked: bool) -> dict[str, Any]:
        thoughts = (
            [{"type": "thinking", "thinking": THOUGHT, "signature": "c2ln"}] if reply.usage.thinking_tokens else []
        )
        texts = [{"type": "text", "text": reply.text}] if reply.text else []
        made = {
            "id": "m",
            "type": "message",
            "role": "assistant",
            "model": "fake-model",
            "content": [*thoughts, *texts],
        }
        counts = {"usage": self._counts(reply.usage, marked=marked)} if self._usage else {}
        return {**made, "stop_reason": self.stop_reason(reply), "stop_sequence": None, **counts}

    def _counts(self, usage: Usage, *, marked: bool) -> dict[str, Any]:
        written = usage.cache_written_tokens if marked else 0
        counts: dict[str, Any] = {
            "input_tokens": usage.input_tokens - usage.cached_tokens - written,
            "cache_creation_input_tokens": written,
            **{"cache_read_input_tokens": usage.cached_tokens, "output_tokens": usage.output_tokens},
        }
        if usage.thinking_tokens:
            counts["output_tokens_details"] = {"thinking_tokens": usage.thinking_tokens}
        return counts


def asked(model: str, body: dict[str, Any]) -> Asked:
    return Asked(
        model=model,
        messages=(
            *(Message(role="system", content=block["text"]) for block in body.get("system", [])),
            *(Message(role=message["role"], content=_text(message["content"])) for message in body["messages"]),
        ),
        temperature=body.get("temperature"),
        max_tokens=body["max_tokens"],
        stream=bool(body.get("stream")),
    )


def _text(content: str | list[dict[str, Any]]) -> str:
    return content if isinstance(content, str) else "".join(block["text"] for block in content)


def stream_events(whole: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The events of a streamed message: its blocks in pieces, then the reason to stop with the tokens written."""
    usage = whole.get("usage")
    begun = {**whole, "content": [], "stop_reason": None}
    if usage:
        begun["usage"] = {name: value for name, value in usage.items() if name != "output_tokens_details"} | {
            "output_tokens": 1
        }
    yield {"type": "message_start", "message": begun}
    for index, block in enumerate(whole["content"]):
        kind, key = ("text", "text") if block["type"] == "text" else ("thinking", "thinking")
        yield {"type": "content_block_start", "index": index, "content_block": {"type": block["type"], key: ""}}
        yield {"type": "ping"}
        for start in range(0, len(block[key]), PIECE):
            delta = {"type": f"{kind}_delta", key: block[key][start : start + PIECE]}
            yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}
    told = {"usage": {name: usage[name] for name in usage if name.startswith("output")}} if usage else {}
    yield {"type": "message_delta", "delta": {"stop_reason": whole["stop_reason"], "stop_sequence": None}, **told}
    yield {"type": "message_stop"}
