"""`llm=openai`: a model behind OpenAI's chat completions, at OpenAI or at any server that speaks them.

vLLM, Ollama, OpenRouter and others are reached by `llm.base_url`. Uses the official client library.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from reasoningbank.errors import ReasoningBankError
from reasoningbank.llm.counted import counted
from reasoningbank.llm.openai_tools import CallPieces, chat_message, joined, offered, tool_calls
from reasoningbank.llm.sent_messages import folded
from reasoningbank.providers.checks import not_sent_twice
from reasoningbank.providers.connection import WIRE_KEYS, Paid, Remote, Wire, whole_number
from reasoningbank.providers.endpoint import wire_seed
from reasoningbank.providers.faults import NO_REASON, bad_reply, body_error
from reasoningbank.providers.openai_client import OpenAIConnection, thinks
from reasoningbank.types import Message, Reply, StopReason, Tool, ToolCall, Usage

STOPS: Mapping[str, StopReason] = {"stop": "stop", "length": "length", "content_filter": "safety"}
THINKING = ("thinking", "reasoning")
"""Parts of a message that led to the answer."""

REMEDIES = {
    "temperature": "send_temperature=false",
    "seed": "send_seed=false",
    "max_tokens": "max_tokens_key=max_completion_tokens",
    "max_completion_tokens": "max_tokens_key=max_tokens",
    "top_p": "top_p=null",
    "reasoning_effort": "reasoning_effort to one that the model knows, or to null",
    "stream_options": "stream=false",
    "stream": "stream=false",
    "system": "system_as=user",
}


class OpenAIChat(Remote):
    """Chat completions. The keys are those of configs/llm/openai.yaml."""

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
        reasoning_effort: Annotated[str, Field(min_length=1)] | None = None,
        send_seed: bool = True,
        send_temperature: bool = True,
        max_tokens_key: Literal["max_tokens", "max_completion_tokens"] = "max_completion_tokens",
        system_as: Literal["system", "developer", "user"] = "system",
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
        self.id = self.connection.id("openai")
        self.thinks = thinks(model, reasoning_effort)
        self._max_tokens_key = max_tokens_key
        self._system_as = system_as
        self._send_seed = send_seed
        self._send_temperature = send_temperature
        self._stream = stream
        self._fixed: dict[str, Any] = {"model": model}
        if top_p is not None:
            self._fixed["top_p"] = top_p
        if reasoning_effort is not None:
            self._fixed["reasoning_effort"] = reasoning_effort
        if stream:
            self._fixed |= {"stream": True, "stream_options": {"include_usage": True}}
        sent: dict[str, str] = {
            **{"model": f"set {where}.model", "messages": "what is asked is that of prompts.pack"},
            **dict.fromkeys(("max_tokens", "max_completion_tokens"), f"set max_tokens.ROLE, or {where}.max_tokens_key"),
            **dict.fromkeys(("stream", "stream_options"), f"set {where}.stream"),
            **({"temperature": f"set temperature.ROLE, or {where}.send_temperature=false"} if send_temperature else {}),
            **({"seed": f"set seed, or {where}.send_seed=false"} if send_seed else {}),
            **{key: f"set {where}.{key}" for key in ("top_p", "reasoning_effort") if key in self._fixed},
        }
        not_sent_twice(where, extra_body, sent)
        if extra_body:
            self._fixed["extra_body"] = extra_body

    def complete(self, messages: Sequence[Message], *, temperature: float, seed: int, max_tokens: int) -> Reply:
        """One call, without a retry. A prompt that the provider declines is a reply with stop reason "safety"."""
        return self._completed(messages, {}, temperature, seed, max_tokens)

    def call_tools(
        self, messages: Sequence[Message], tools: Sequence[Tool], *, temperature: float, seed: int, max_tokens: int
    ) -> Reply:
        """The same with tools, of which the model may call some."""
        return self._completed(messages, {"tools": offered(tools)}, temperature, seed, max_tokens)

    def _completed(
        self, messages: Sequence[Message], more: dict[str, Any], temperature: float, seed: int, max_tokens: int
    ) -> Reply:
        request = {**self._fixed, **more, "messages": chat_messages(messages, self._system_as)}
        request[self._max_tokens_key] = max_tokens
        if self._send_temperature:
            request["temperature"] = temperature
        if self._send_seed:
            request["seed"] = wire_seed(seed)
        client = self.connection.client
        with Paid() as paid:
            try:
                answer = client.chat.completions.create(**request)
                if self._stream:
                    with closing(answer) as pieces:  # and its connection, wherever reading it ends
                        reply = self._streamed(pieces, paid)
                else:
                    reply = self._whole(answer, paid)
            except self.connection.faults as error:
                return self.connection.declined_or_raise(error)
        if reply.calls and not more:  # of tools that nobody has offered
            reply = reply.model_copy(update={"calls": (), "stop_reason": "other"})
        return counted(messages, self.connection.kept(reply), self.id)

    def _whole(self, answer: Any, paid: Paid) -> Reply:
        paid.usage = usage_of(getattr(answer, "usage", None))
        choices = self._choices(answer)
        if not choices:
            raise self._without_choice(answer)
        message, finish = getattr(choices[0], "message", None), getattr(choices[0], "finish_reason", None)
        if finish is None:
            raise bad_reply(self.connection.endpoint, NO_REASON)
        return reply_of(
            text=self._written(getattr(message, "content", None)),
            refusal=self.connection.text(getattr(message, "refusal", None)),
            finish=self._ended(finish, choices[0]),
            usage=paid.usage,
            calls=tool_calls(getattr(message, "tool_calls", None), self.connection.endpoint),
        )

    def _streamed(self, pieces: Iterable[Any], paid: Paid) -> Reply:
        texts: list[str] = []
        refusals: list[str] = []
        called: dict[int, CallPieces] = {}
        finish: str | None = None
        connection = self.connection
        for piece in connection.read(pieces):
            if told := getattr(piece, "usage", None):
                paid.usage = usage_of(told)
            choices = getattr(piece, "choices", None)
            if not isinstance(choices, list) and not (choices is None and told):
                raise bad_reply(connection.endpoint, "a piece of a stream without a list of choices")
            for choice in choices[:1] if choices else ():
                delta, ended = getattr(choice, "delta", None), getattr(choice, "finish_reason", None)
                joined(called, getattr(delta, "tool_calls", None), connection.endpoint)
                if not hasattr(delta, "content") and not called and not ended:
                    raise bad_reply(connection.endpoint, "a choice that brings nothing and does not end")
                texts.append(self._written(getattr(delta, "content", None)))
                refusals.append(connection.text(getattr(delta, "refusal", None)))
                finish = ended or finish
        if finish is None:
            raise bad_reply(self.connection.endpoint, NO_REASON)
        text, refusal = "".join(texts), "".join(refusals)
        calls = tuple(called[index].whole() for index in sorted(called))
        return reply_of(text=text, refusal=refusal, finish=self._ended(finish, None), usage=paid.usage, calls=calls)

    def _written(self, content: object) -> str:
        """The text of a message, whole or in parts, as some servers send it. What it has of thinking is none."""
        if not isinstance(content, list):
            return self.connection.text(content)
        texts: list[str] = []
        for part in content:
            kind, text = (part.get("type"), part.get("text")) if isinstance(part, Mapping) else (None, None)
            if kind == "text" and isinstance(text, str):
                texts.append(text)
            elif kind not in THINKING:
                raise bad_reply(self.connection.endpoint, "a part of another kind in the place of a text")
        return "".join(texts)

    def _ended(self, finish: object, choice: Any) -> object:
        """The reason to stop. Some servers say "error" there for a reply that broke off behind them."""
        if finish == "error":
            raise body_error(self.connection.endpoint, getattr(choice, "error", None) or "broken off behind the server")
        return finish

    def _choices(self, answer: Any) -> list[Any]:
        choices = getattr(answer, "choices", None)
        return choices if isinstance(choices, list) else []

    def _without_choice(self, answer: Any) -> ReasoningBankError:
        """The error for such a reply: some servers tell of one with status 200."""
        told = getattr(answer, "error", None)
        if told:
            return body_error(self.connection.endpoint, told)
        kind = "text that is no JSON object" if isinstance(answer, str) else "a reply without a choice"
        return bad_reply(self.connection.endpoint, kind)


def chat_messages(messages: Sequence[Message], system_as: str) -> list[dict[str, Any]]:
    """The messages on the wire. Where a model's template knows no system message, its text begins the first other."""
    if system_as == "user":
        return [chat_message(message) for message in folded(messages)]
    return [
        {**chat_message(message), "role": system_as} if message.role == "system" else chat_message(message)
        for message in messages
    ]


def reply_of(*, text: str, refusal: str, finish: object, usage: Usage, calls: tuple[ToolCall, ...] = ()) -> Reply:
    """The reply that a choice tells."""
    stop = "stop" if calls and finish == "tool_calls" else STOPS.get(str(finish), "other")
    return Reply(text=text, usage=usage, stop_reason="safety" if refusal and not text else stop, calls=calls)


def usage_of(usage: Any) -> Usage:
    """The tokens that the server counted; zeros where it did not. Thinking is part of the output, also for servers
    that count it beside."""
    tokens_in = whole_number(getattr(usage, "prompt_tokens", None))
    tokens_out = whole_number(getattr(usage, "completion_tokens", None))
    total = whole_number(getattr(usage, "total_tokens", None))
    cached = whole_number(getattr(getattr(usage, "prompt_tokens_details", None), "cached_tokens", None))
    thinking = whole_number(getattr(getattr(usage, "completion_tokens_details", None), "reasoning_tokens", None))
    if thinking and total == tokens_in + tokens_out + thinking:
        tokens_out += thinking
    return Usage(
        calls=1, input_tokens=tokens_in, output_tokens=tokens_out, cached_tokens=cached, thinking_tokens=thinking
    )
