"""`llm=claude`: Anthropic's models, at Anthropic or on Vertex AI. Uses the official client library.

The system message travels as `system`. A prompt has marks up to which the provider's cache may keep it: at the end of
the system message, which the steps of an attempt and the attempts at a task have in common, and where that ends which a
step's prompt has in common with those before it. Of a conversation all is kept, since the next prompt begins with it.
The API takes no seed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from reasoningbank.errors import SetupError
from reasoningbank.llm.counted import counted
from reasoningbank.llm.sent_messages import spoken_to
from reasoningbank.providers.anthropic_client import AnthropicConnection
from reasoningbank.providers.checks import not_sent_twice
from reasoningbank.providers.connection import VERTEX_KEYS, WIRE_KEYS, Paid, Remote, Wire, whole_number
from reasoningbank.providers.faults import NO_REASON, bad_reply, body_error
from reasoningbank.types import CACHE_FIGURES, Message, Reply, StopReason, Usage

STOPS: Mapping[str, StopReason] = {
    **{"end_turn": "stop", "stop_sequence": "stop", "refusal": "safety"},
    **{"max_tokens": "length", "model_context_window_exceeded": "length"},
}
"""Others are "other": a tool that nobody offered, or a turn that is to be gone on with."""

_THINKING = "thinking to a way that the model knows, or to null"
REMEDIES = {
    "temperature": "send_temperature=false",
    "top_p": "top_p=null",
    "budget_tokens": "thinking_budget to one that the model takes, or to null",
    **dict.fromkeys(("thinking.type", "thinking", "adaptive"), _THINKING),
    "effort": "effort to one that the model knows, or to null",
    "cache_control": "cache=null",
}
SHORTEST_BUDGET = 1024
"""Tokens of thinking: the API takes no smaller budget."""


class Claude(Remote):
    """Anthropic's models. The keys are those of configs/llm/claude.yaml."""

    simulated = False

    transport_keys: ClassVar[frozenset[str]] = WIRE_KEYS | VERTEX_KEYS | {"stream", "cache"}

    def __init__(
        self,
        *,
        model: str,
        base_url: str | None = None,
        key_env: str | None = None,
        vertex: bool = False,
        project: str | None = None,
        location: str | None = None,
        timeout: Annotated[float, Field(gt=0)] = 300.0,
        connect_timeout: Annotated[float, Field(gt=0)] = 10.0,
        max_connections: Annotated[int, Field(ge=1)] = 128,
        top_p: Annotated[float, Field(gt=0, le=1)] | None = None,
        thinking: Literal["adaptive", "disabled"] | None = None,
        thinking_budget: Annotated[int, Field(ge=SHORTEST_BUDGET)] | None = None,
        effort: Literal["low", "medium", "high", "xhigh", "max"] | None = None,
        send_temperature: bool = True,
        cache: Literal["5m", "1h"] | None = "5m",
        stream: bool = False,
        extra_body: dict[str, Any] | None = None,
        extra_headers: dict[str, str] | None = None,
        where: str = "llm",
    ) -> None:
        if thinking is not None and thinking_budget is not None:
            raise SetupError(
                f"{where}.thinking and {where}.thinking_budget are both set: older models take a budget, and later "
                "ones adapt; set the other to null"
            )
        self.connection = AnthropicConnection(
            Wire(
                where=where,
                model=model,
                base_url=base_url,
                key_env=key_env,
                vertex=vertex,
                project=project,
                location=location,
                timeout=timeout,
                connect_timeout=connect_timeout,
                max_connections=max_connections,
                remedies=REMEDIES,
                extra_body=extra_body,
                extra_headers=extra_headers,
            )
        )
        self.id = self.connection.id("anthropic")
        self.thinks = thinking == "adaptive" or thinking_budget is not None
        self._budget = thinking_budget or 0
        self._mark: dict[str, Any] | None = None
        self._for_an_hour = cache == "1h"
        if cache is not None:
            self._mark = {"type": "ephemeral"} if cache == "5m" else {"type": "ephemeral", "ttl": cache}
        # a model that thinks takes no other temperature than its own
        self._send_temperature = send_temperature and thinking != "adaptive" and thinking_budget is None
        self._stream = stream
        self._fixed: dict[str, Any] = {"model": model, "timeout": timeout}
        if thinking is not None:
            self._fixed["thinking"] = {"type": thinking}
        if thinking_budget is not None:
            self._fixed["thinking"] = {"type": "enabled", "budget_tokens": thinking_budget}
        if effort is not None:
            self._fixed["output_config"] = {"effort": effort}
        if stream:
            self._fixed["stream"] = True
        sent = {
            **{"model": f"set {where}.model", "max_tokens": "set max_tokens.ROLE", "stream": f"set {where}.stream"},
            **dict.fromkeys(("messages", "system"), "what is asked is that of prompts.pack"),
            **({"temperature": "set temperature.ROLE"} if self._send_temperature else {}),
            **({"thinking": f"set {where}.thinking or {where}.thinking_budget"} if "thinking" in self._fixed else {}),
            **({"output_config": f"set {where}.effort, or null"} if effort is not None else {}),
            **({"top_p": f"set {where}.top_p"} if top_p is not None else {}),
        }
        not_sent_twice(where, extra_body, sent)
        self._body: dict[str, Any] = dict(extra_body or {})
        if top_p is not None:
            self._body["top_p"] = top_p

    def complete(self, messages: Sequence[Message], *, temperature: float, seed: int, max_tokens: int) -> Reply:
        """One call, without a retry. `max_tokens` is the room beside a thinking budget. The seed is not sent.

        A prompt that the provider declines is a reply with stop reason "safety".
        """
        system, turns = spoken_to(messages)
        request = {
            **self._fixed,
            "messages": turns_of(turns, self._mark),
            "max_tokens": max_tokens + self._budget,
            # the library's own arguments leave out what the latest models do
            "extra_body": {**self._body, **({"temperature": temperature} if self._send_temperature else {})},
        }
        if system:
            block = {"type": "text", "text": system}
            request["system"] = [block if self._mark is None else {**block, "cache_control": self._mark}]
        client = self.connection.client
        with Paid() as paid:
            try:
                answer = client.messages.create(**request)
                reply = self._streamed(answer, paid) if self._stream else self._whole(answer, paid)
            except self.connection.faults as error:
                return self.connection.declined_or_raise(error)
        return counted(messages, self.connection.kept(reply), self.id)

    def _whole(self, answer: Any, paid: Paid) -> Reply:
        paid.usage = self._usage(getattr(answer, "usage", None))
        content, reason = getattr(answer, "content", None), getattr(answer, "stop_reason", None)
        if getattr(answer, "type", None) == "error":
            raise body_error(self.connection.endpoint, {"error": getattr(answer, "error", None)})
        if not isinstance(content, list) or reason is None:
            kind = "text that is no JSON object" if isinstance(answer, str) else NO_REASON
            raise bad_reply(self.connection.endpoint, kind)
        texts = [self._written(block, "text") for block in content]
        return _reply(texts, reason, paid.usage)

    def _streamed(self, events: Any, paid: Paid) -> Reply:
        texts: list[str] = []
        reason: object = None
        ended = False
        with events:
            for event in self.connection.read(events):
                match getattr(event, "type", None):
                    case "message_start":
                        paid.usage = self._usage(getattr(getattr(event, "message", None), "usage", None))
                    case "content_block_start":
                        texts.append(self._written(getattr(event, "content_block", None), "text"))
                    case "content_block_delta":
                        texts.append(self._written(getattr(event, "delta", None), "text_delta"))
                    case "message_delta":
                        reason = getattr(getattr(event, "delta", None), "stop_reason", None) or reason
                        if (told := getattr(event, "usage", None)) is not None:
                            paid.usage = later(paid.usage, self._usage(told))
                    case "message_stop":
                        ended = True
                    case kind if not isinstance(kind, str):
                        raise bad_reply(self.connection.endpoint, "an event of a stream without a type")
        if not ended or reason is None:
            raise bad_reply(self.connection.endpoint, NO_REASON)
        return _reply(texts, reason, paid.usage)

    def _written(self, block: Any, kind: str) -> str:
        """The text of a block, or a piece of one, of this kind; none for others. InfraError for what is no block."""
        found = getattr(block, "type", None)
        if not isinstance(found, str):
            raise bad_reply(self.connection.endpoint, "a block that is none")
        return self.connection.text(getattr(block, "text", None)) if found == kind else ""

    def _usage(self, usage: Any) -> Usage:
        return usage_of(usage, for_an_hour=self._for_an_hour)


def turns_of(turns: Sequence[Message], mark: dict[str, Any] | None) -> list[dict[str, Any]]:
    """The turns on the wire. Where there are several, the last one's end has the cache's mark, unless its heads do."""
    sent: list[dict[str, Any]] = [{"role": turn.role, "content": content_of(turn, mark)} for turn in turns]
    last = turns[-1].content
    if mark is not None and len(turns) > 1 and not turns[-1].heads and last.strip():
        sent[-1]["content"] = [{"type": "text", "text": last, "cache_control": mark}]
    return sent


def content_of(turn: Message, mark: dict[str, Any] | None) -> str | list[dict[str, Any]]:
    """The text, or where some of it recurs its blocks: each head ends one, and the last head has the cache's mark.

    The provider finds what it keeps by blocks that are the same, so that all heads before stay as they were.
    """
    if mark is None or not turn.heads:
        return turn.content
    ends = (0, *turn.heads, len(turn.content))
    texts = [turn.content[start:end] for start, end in pairwise(ends)]
    if not all(map(str.strip, texts)):  # such blocks are refused
        return turn.content
    blocks: list[dict[str, Any]] = [{"type": "text", "text": text} for text in texts]
    blocks[-2]["cache_control"] = mark
    return blocks


def _reply(texts: Iterable[str], reason: object, usage: Usage) -> Reply:
    return Reply(text="".join(texts), usage=usage, stop_reason=STOPS.get(str(reason), "other"))


def usage_of(usage: Any, *, for_an_hour: bool = False) -> Usage:
    """The tokens that the server counted; zeros where it did not. It counts what is read from its cache, and what is
    written into it (`for_an_hour`, or for minutes), beside the input; thinking is part of the output."""
    read = whole_number(getattr(usage, "cache_read_input_tokens", None))
    written = whole_number(getattr(usage, "cache_creation_input_tokens", None))
    return Usage(
        calls=1,
        input_tokens=whole_number(getattr(usage, "input_tokens", None)) + read + written,
        output_tokens=whole_number(getattr(usage, "output_tokens", None)),
        cached_tokens=read,
        cache_written_tokens=written,
        cache_written_1h_tokens=written if for_an_hour else 0,
        thinking_tokens=whole_number(
            getattr(getattr(usage, "output_tokens_details", None), "thinking_tokens", None),
        ),
    )


def later(first: Usage, last: Usage) -> Usage:
    """The counts of a stream, as its end has them. Those of the input may have been told at its start alone."""
    if last.input_tokens >= first.input_tokens:
        return last
    return last.model_copy(update={name: getattr(first, name) for name in ("input_tokens", *CACHE_FIGURES)})
