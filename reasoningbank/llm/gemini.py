"""`llm=gemini_flash`, `llm=gemini_pro`: Google's models, by the Gemini API or Vertex AI.

Uses the official client library. The system message travels as the system instruction. Thinking counts as output, and
its tokens apart too; what is cached counts as input.
"""

from __future__ import annotations

import json
import re
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, cast

from pydantic import Field

from reasoningbank.errors import SetupError
from reasoningbank.llm.counted import counted
from reasoningbank.llm.sent_messages import folded, spoken_to
from reasoningbank.providers.checks import not_sent_twice
from reasoningbank.providers.connection import VERTEX_KEYS, WIRE_KEYS, Paid, Remote, Wire, whole_number
from reasoningbank.providers.endpoint import wire_seed
from reasoningbank.providers.faults import NO_REASON, bad_reply, body_error
from reasoningbank.providers.google_client import GoogleConnection
from reasoningbank.types import Message, Reply, StopReason, Usage

if TYPE_CHECKING:
    from google.genai.types import Content, GenerateContentConfig, GenerateContentResponse

STOPS: Mapping[str, StopReason] = {
    "STOP": "stop",
    "MAX_TOKENS": "length",
    **dict.fromkeys(
        ("SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "LANGUAGE", "MODEL_ARMOR", "ESCALATION"),
        "safety",
    ),
}
"""What Google withholds for its content is declined. Others (OTHER, MALFORMED_RESPONSE, calls of tools nobody offered)
may come out well when asked again."""

THINKS = re.compile(r"gemini-(2\.5-(?!flash-lite)|[3-9]|(pro|flash)-latest)")
"""Models that think unless they are told not to."""

_BUDGET = "thinking_budget to one that the model takes, or to null"
_LEVEL = "thinking_level to one that the model knows, or to null"
REMEDIES = {
    **dict.fromkeys(("thinking_level", "thinkingLevel", "thinking level", "Thinking level"), _LEVEL),
    **dict.fromkeys(("thinking_budget", "thinkingBudget", "thinking budget", "Budget", "thinking"), _BUDGET),
    "temperature": "send_temperature=false",
    "seed": "send_seed=false",
    "top_p": "top_p=null",
    "topP": "top_p=null",
    "system_instruction": "system_as=user",
    "Developer instruction": "system_as=user",
}


class Gemini(Remote):
    """Google's models. The keys are those of configs/llm/gemini_flash.yaml."""

    simulated = False

    transport_keys: ClassVar[frozenset[str]] = WIRE_KEYS | VERTEX_KEYS | {"stream"}

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
        thinking_budget: Annotated[int, Field(ge=-1)] | None = None,
        thinking_level: Literal["minimal", "low", "medium", "high", "xhigh"] | None = None,
        send_seed: bool = True,
        send_temperature: bool = True,
        system_as: Literal["system", "user"] = "system",
        stream: bool = False,
        extra_body: dict[str, Any] | None = None,
        extra_headers: dict[str, str] | None = None,
        where: str = "llm",
    ) -> None:
        if thinking_budget is not None and thinking_level is not None:
            raise SetupError(
                f"{where}.thinking_budget and {where}.thinking_level are both set: Gemini 2.5 takes the first and "
                "later models the second; set the other to null"
            )
        self.connection = GoogleConnection(
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
        self.id = self.connection.id("gemini")
        told = None if thinking_budget is None and thinking_level is None else thinking_budget != 0
        self.thinks = bool(THINKS.search(model)) if told is None else told
        self._model = model
        self._send_seed = send_seed
        self._send_temperature = send_temperature
        self._system_as = system_as
        self._stream = stream
        self._fixed: dict[str, Any] = {"automatic_function_calling": {"disable": True}, "automatic_continuation": False}
        if not stream:
            # the reply as it came: the library warns of a reason to stop that it does not know, and takes longer
            self._fixed["should_return_http_response"] = True
        if top_p is not None:
            self._fixed["top_p"] = top_p
        if thinking_budget is not None:
            self._fixed["thinking_config"] = {"thinking_budget": thinking_budget}
        if thinking_level is not None:
            self._fixed["thinking_config"] = {"thinking_level": thinking_level.upper()}
        sent = dict.fromkeys(("contents", "systemInstruction"), "what is asked is that of prompts.pack")
        not_sent_twice(where, extra_body, {**sent, "model": f"set {where}.model"})
        for name, inner in (extra_body or {}).items():
            if name.replace("_", "").lower() != "generationconfig":
                continue
            if not isinstance(inner, Mapping):
                raise SetupError(f"{where}.extra_body.{name} is no mapping: write it as {{topK: 40}}")
            sent = {
                "maxOutputTokens": "set max_tokens.ROLE",
                **(
                    {"temperature": f"set temperature.ROLE, or {where}.send_temperature=false"}
                    if send_temperature
                    else {}
                ),
                **({"seed": f"set seed, or {where}.send_seed=false"} if send_seed else {}),
                **(
                    {"thinkingConfig": f"set {where}.thinking_budget or {where}.thinking_level"}
                    if "thinking_config" in self._fixed
                    else {}
                ),
                **({"topP": f"set {where}.top_p"} if top_p is not None else {}),
            }
            not_sent_twice(where, inner, sent, inside=f"{name}.")
        if extra_body:
            self._fixed["http_options"] = {"extra_body": extra_body}

    def complete(self, messages: Sequence[Message], *, temperature: float, seed: int, max_tokens: int) -> Reply:
        """One call, without a retry. A prompt that the provider blocks is a reply with stop reason "safety"."""
        client = self.connection.client
        config, contents = self._request(messages, temperature=temperature, seed=seed, max_tokens=max_tokens)
        with Paid() as paid:
            try:
                if self._stream:
                    made = client.models.generate_content_stream(model=self._model, contents=contents, config=config)
                    with closing(cast("Generator[GenerateContentResponse]", made)) as pieces:  # and its connection
                        told = (
                            each.model_dump(mode="json", by_alias=True, exclude_none=True)
                            for each in self.connection.read(pieces)
                        )
                        reply = self._reply(told, paid)
                else:
                    answer = client.models.generate_content(model=self._model, contents=contents, config=config)
                    assert answer.sdk_http_response is not None
                    reply = self._reply([json.loads(answer.sdk_http_response.body or "")], paid)
            except self.connection.faults as error:
                return self.connection.declined_or_raise(error)
        return counted(messages, self.connection.kept(reply), self.id)

    def _request(
        self, messages: Sequence[Message], *, temperature: float, seed: int, max_tokens: int
    ) -> tuple[GenerateContentConfig, list[Content]]:
        from google.genai.types import Content, GenerateContentConfig, Part

        system, turns = spoken_to(messages) if self._system_as == "system" else ("", folded(messages))
        given = {**self._fixed, "max_output_tokens": max_tokens}
        if system:
            given["system_instruction"] = system
        if self._send_temperature:
            given["temperature"] = temperature
        if self._send_seed:
            given["seed"] = wire_seed(seed)
        contents = [
            Content(role="model" if turn.role == "assistant" else "user", parts=[Part(text=turn.content)])
            for turn in turns
        ]
        return GenerateContentConfig(**given), contents

    def _reply(self, pieces: Iterable[Any], paid: Paid) -> Reply:
        """The reply that one piece, or those of a stream, tell."""
        endpoint = self.connection.endpoint
        texts: list[str] = []
        finish: str | None = None
        blocked = began = False
        for piece in pieces:
            if not isinstance(piece, Mapping):
                raise bad_reply(endpoint, "JSON that is no object")
            if told := _mapping(piece.get("usageMetadata")):
                paid.usage = usage_of(told)
            if piece.get("error"):
                raise body_error(endpoint, piece)
            blocked = blocked or bool(_mapping(piece.get("promptFeedback")).get("blockReason"))
            candidates = piece.get("candidates")
            if not isinstance(candidates, list) and not (candidates is None and CANDIDATELESS & set(piece)):
                raise bad_reply(endpoint, "a reply without a candidate")
            for candidate in candidates[:1] if candidates else ():
                began = True
                content, ended = _mapping(candidate).get("content"), _mapping(candidate).get("finishReason")
                # of a content in another form the library leaves an empty one
                if not (isinstance(content, Mapping) and content) and not (content in (None, {}) and ended):
                    raise bad_reply(endpoint, "a candidate that brings nothing and does not end")
                texts.extend(map(self.connection.text, spoken(content)))
                finish = ended or finish
        if blocked and not began:
            return Reply(text="", usage=paid.usage, stop_reason="safety")
        if not began:
            raise bad_reply(endpoint, "a reply without a candidate")
        if finish is None:
            raise bad_reply(endpoint, NO_REASON)
        return Reply(text="".join(texts), usage=paid.usage, stop_reason=STOPS.get(str(finish), "other"))


CANDIDATELESS = {"promptFeedback", "usageMetadata"}
"""What a piece may bring in the place of a candidate."""


def spoken(content: Any) -> Iterator[object]:
    """The texts of a candidate's parts. Thoughts are none: they are what led to the answer."""
    parts = _mapping(content).get("parts")
    for part in [] if parts is None else parts if isinstance(parts, list) else [parts]:
        if not isinstance(part, Mapping):
            yield [part]  # no text, whatever it is
        elif not part.get("thought"):
            yield part.get("text")


def usage_of(usage: Mapping[str, Any]) -> Usage:
    """The tokens that Google counted; zeros where it did not. Its candidates are counted without the thinking."""
    given = {name: whole_number(usage.get(f"{name}TokenCount")) for name in COUNTS}
    tokens_in = given["prompt"] + given["toolUsePrompt"]
    tokens_out, thinking = given["candidates"], given["thoughts"]
    if given["total"] != tokens_in + tokens_out:  # else a server has counted the thinking among the candidates
        tokens_out += thinking
    return Usage(
        calls=1,
        input_tokens=tokens_in,
        output_tokens=tokens_out,
        cached_tokens=given["cachedContent"],
        thinking_tokens=thinking,
    )


COUNTS = ("prompt", "toolUsePrompt", "candidates", "thoughts", "total", "cachedContent")


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
