"""`llm=openai_responses`: a model behind OpenAI's responses API. Uses the official client library.

That API takes no seed, and nothing is stored at the provider (`store=false`). The system message travels as its
`instructions`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import closing
from typing import Annotated, Any, ClassVar

from pydantic import Field

from reasoningbank.llm.counted import counted
from reasoningbank.llm.sent_messages import split
from reasoningbank.providers.checks import not_sent_twice
from reasoningbank.providers.connection import WIRE_KEYS, Paid, Remote, Wire, whole_number
from reasoningbank.providers.faults import bad_reply, body_error, declined
from reasoningbank.providers.openai_client import OpenAIConnection, thinks
from reasoningbank.types import Message, Reply, StopReason, Usage

REMEDIES = {
    "temperature": "send_temperature=false",
    "top_p": "top_p=null",
    "reasoning": "reasoning_effort to one that the model knows, or to null",
    "reasoning.effort": "reasoning_effort to one that the model knows, or to null",
    "stream": "stream=false",
}
LEAST_ROOM = 16
"""The API takes no smaller limit of output tokens."""


class OpenAIResponses(Remote):
    """Responses. The keys are those of configs/llm/openai_responses.yaml."""

    simulated = False

    transport_keys: ClassVar[frozenset[str]] = WIRE_KEYS | {"stream"}

    def __init__(
        self,
        *,
        model: str,
        base_url: str | None = None,
        key_env: str | None = None,
        timeout: Annotated[float, Field(gt=0)] = 300.0,
        connect_timeout: Annotated[float, Field(gt=0)] = 10.0,
        max_connections: Annotated[int, Field(ge=1)] = 128,
        top_p: Annotated[float, Field(gt=0, le=1)] | None = None,
        reasoning_effort: Annotated[str, Field(min_length=1)] | None = "low",
        send_temperature: bool = False,
        stream: bool = False,
        extra_body: dict[str, Any] | None = None,
        extra_headers: dict[str, str] | None = None,
        where: str = "llm",
    ) -> None:
        self.connection = OpenAIConnection(
            Wire(
                where=where,
                model=model,
                base_url=base_url,
                key_env=key_env,
                timeout=timeout,
                connect_timeout=connect_timeout,
                max_connections=max_connections,
                remedies=REMEDIES,
                extra_body=extra_body,
                extra_headers=extra_headers,
            )
        )
        self.id = self.connection.id("openai_responses")
        self.thinks = thinks(model, reasoning_effort)
        self._send_temperature = send_temperature
        self._stream = stream
        self._fixed: dict[str, Any] = {"model": model, "store": False}
        if top_p is not None:
            self._fixed["top_p"] = top_p
        if reasoning_effort is not None:
            self._fixed["reasoning"] = {"effort": reasoning_effort}
        if stream:
            self._fixed["stream"] = True
        sent = {
            **{"model": f"set {where}.model", "store": "nothing is to be stored at the provider"},
            **dict.fromkeys(("input", "instructions"), "what is asked is that of prompts.pack"),
            **{"max_output_tokens": "set max_tokens.ROLE", "stream": f"set {where}.stream"},
            **({"temperature": f"set temperature.ROLE, or {where}.send_temperature=false"} if send_temperature else {}),
            **({"reasoning": f"set {where}.reasoning_effort, or null"} if reasoning_effort is not None else {}),
            **({"top_p": f"set {where}.top_p"} if top_p is not None else {}),
        }
        not_sent_twice(where, extra_body, sent)
        if extra_body:
            self._fixed["extra_body"] = extra_body

    def complete(self, messages: Sequence[Message], *, temperature: float, seed: int, max_tokens: int) -> Reply:
        """One call, without a retry. A prompt that the provider declines is a reply with stop reason "safety"."""
        system, rest = split(messages)
        turns = [{"role": each.role, "content": each.content} for each in rest]
        request = {**self._fixed, "input": turns, "max_output_tokens": max(LEAST_ROOM, max_tokens)}
        if system:
            request["instructions"] = system
        if self._send_temperature:
            request["temperature"] = temperature
        client = self.connection.client
        with Paid() as paid:
            try:
                answer = client.responses.create(**request)
                if self._stream:
                    with closing(answer) as events:  # and its connection, wherever reading it ends
                        answer = self._last(events, paid)
                reply = self._reply(answer, paid)
            except self.connection.faults as error:
                return self.connection.declined_or_raise(error)
        return counted(messages, self.connection.kept(reply), self.id)

    def _last(self, events: Iterable[Any], paid: Paid) -> Any:
        """The whole response, which the last event of a stream brings."""
        last: Any = None
        for event in self.connection.read(events):
            kind = getattr(event, "type", None)
            if not isinstance(kind, str):
                raise bad_reply(self.connection.endpoint, "an event of a stream without a type")
            if told := getattr(getattr(event, "response", None), "usage", None):
                paid.usage = usage_of(told)
            if kind == "error":
                told = {"code": getattr(event, "code", None), "message": getattr(event, "message", None)}
                raise body_error(self.connection.endpoint, told)
            if kind in ("response.completed", "response.incomplete", "response.failed"):
                last = getattr(event, "response", None)
        if last is None:
            raise bad_reply(self.connection.endpoint, "a stream that ends without its last event")
        return last

    def _reply(self, response: Any, paid: Paid) -> Reply:
        paid.usage = usage_of(getattr(response, "usage", None))
        endpoint, status = self.connection.endpoint, getattr(response, "status", None)
        if status == "failed" or (status is None and getattr(response, "error", None)):
            error = getattr(response, "error", None)
            told = {"code": getattr(error, "code", None), "message": getattr(error, "message", None)}
            if declined(told):
                return Reply(text="", usage=paid.usage, stop_reason="safety")
            raise body_error(endpoint, told)
        output = getattr(response, "output", None)
        if status not in ("completed", "incomplete") or not isinstance(output, list):
            kind = "text that is no JSON object" if isinstance(response, str) else f"a response of status {status}"
            raise bad_reply(endpoint, kind)
        if not output:
            raise bad_reply(endpoint, "a response without output")
        parts = self._parts(output)
        text = "".join(self.connection.text(part.text) for part in parts if part.type == "output_text")
        stop: StopReason = "stop"
        if status == "incomplete":
            reason = getattr(getattr(response, "incomplete_details", None), "reason", None)
            stop = {"max_output_tokens": "length", "content_filter": "safety"}.get(str(reason), "other")  # type: ignore[assignment]
        if not text and any(part.type == "refusal" for part in parts):
            stop = "safety"
        return Reply(text=text, usage=paid.usage, stop_reason=stop)

    def _parts(self, output: list[Any]) -> list[Any]:
        """The parts of all messages. InfraError where some cannot be told: the rest would pass for the whole."""
        parts: list[Any] = []
        for item in output:
            content = getattr(item, "content", None) if getattr(item, "type", None) == "message" else []
            if not isinstance(getattr(item, "type", None), str) or not isinstance(content, list):
                raise bad_reply(self.connection.endpoint, "an output that is none")
            parts += content
        for part in parts:
            kind = getattr(part, "type", None)
            if not isinstance(kind, str) or (
                kind == "output_text" and not isinstance(getattr(part, "text", None), str)
            ):
                raise bad_reply(self.connection.endpoint, "a part of a message that is none")
        return parts


def usage_of(usage: Any) -> Usage:
    """The tokens that the server counted; zeros where it did not. Thinking is part of the output."""
    cached = getattr(getattr(usage, "input_tokens_details", None), "cached_tokens", None)
    thinking = getattr(getattr(usage, "output_tokens_details", None), "reasoning_tokens", None)
    return Usage(
        calls=1,
        input_tokens=whole_number(getattr(usage, "input_tokens", None)),
        output_tokens=whole_number(getattr(usage, "output_tokens", None)),
        cached_tokens=whole_number(cached),
        thinking_tokens=whole_number(thinking),
    )
