"""Google's wire protocol for Gemini: generateContent and streamGenerateContent, at the Gemini API's paths and at Vertex
AI's, the lists of models, and the exchange of a service account's assertion for a token.

    with FakeServer(GeminiApp(simulated(SimulatedLLM()))) as server:
        genai.Client(api_key="any", http_options={"base_url": server.url})

A reply that counts thinking tokens has a thought before its text. An error's code `STATUS:36s` brings Google's
RetryInfo.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from fakes.base import Answer, Asked, Request, Response
from fakes.openai_server import PIECE, events
from reasoningbank.types import Message, Reply, Usage

FINISH = {"stop": "STOP", "length": "MAX_TOKENS", "safety": "SAFETY", "other": "OTHER"}
THOUGHT = "Let me think about it, which is not for you to read."
TOKEN = "a-token-of-google"
PATH = re.compile(
    r"/(v1(?:beta)?/models|v1beta1/(?:projects/[^/]+/locations/[^/]+/)?publishers/google/models)/([^/:]+):(\w+)"
)
STATUSES = {400: "INVALID_ARGUMENT", 401: "UNAUTHENTICATED", 403: "PERMISSION_DENIED", 404: "NOT_FOUND"} | {
    **{429: "RESOURCE_EXHAUSTED", 499: "CANCELLED", 500: "INTERNAL", 503: "UNAVAILABLE", 504: "DEADLINE_EXCEEDED"}
}


class GeminiApp:
    """Answers both methods of any model."""

    def __init__(self, answer: Answer, *, models: tuple[str, ...] = ("fake-model",), usage: bool = True) -> None:
        self._answer = answer
        self._models = models
        self._usage = usage
        self.token_seconds = 3600
        """How long a token is good for."""

    def respond(self, request: Request, given: Reply | None) -> Response | None:
        path = request.path.partition("?")[0]
        if request.method == "GET":
            return self._listed(path)
        if path == "/token":
            return Response.json({"access_token": TOKEN, "expires_in": self.token_seconds, "token_type": "Bearer"})
        if (found := PATH.fullmatch(path)) is None or found[3] not in ("generateContent", "streamGenerateContent"):
            return None
        reply = given or self._answer(asked(found[2], request.body))
        if found[3] == "generateContent":
            return Response.json(self.whole(reply))
        assert "alt=sse" in request.path
        return events(self._pieces(reply))

    def _listed(self, path: str) -> Response | None:
        if path in ("/v1/models", "/v1beta/models"):
            return Response.json({"models": [{"name": f"models/{each}"} for each in self._models]})
        if path == "/v1beta1/publishers/google/models":
            return Response.json(
                {"publisherModels": [{"name": f"publishers/google/models/{each}"} for each in self._models]}
            )
        return None

    def empty(self, request: Request) -> Response:
        whole = {"candidates": [], **self._counts(Usage(input_tokens=10))}
        return events([whole]) if "stream" in request.path else Response.json(whole)

    def error(self, status: int, message: str, code: str) -> object:
        named, _, delay = code.partition(":")
        told: dict[str, Any] = {"code": status, "message": message, "status": named or STATUSES.get(status, "UNKNOWN")}
        if delay:
            told["details"] = [{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": delay}]
        return {"error": told}

    def finish(self, reply: Reply) -> str:
        """The reason to stop as it is told."""
        return FINISH[reply.stop_reason]

    def whole(self, reply: Reply) -> dict[str, Any]:
        candidate: dict[str, Any] = {"finishReason": self.finish(reply), "index": 0}
        if parts := [*self._thoughts(reply), *([{"text": reply.text}] if reply.text else [])]:
            candidate["content"] = {"role": "model", "parts": parts}
        return {"candidates": [candidate], "modelVersion": "fake", "responseId": "r", **self._counts(reply.usage)}

    def _pieces(self, reply: Reply) -> Iterator[dict[str, Any]]:
        starts = range(0, len(reply.text), PIECE)
        parts = [*self._thoughts(reply), *({"text": reply.text[start : start + PIECE]} for start in starts)]
        for part in parts:
            yield {"candidates": [{"content": {"role": "model", "parts": [part]}, "index": 0}], "modelVersion": "fake"}
        yield {"candidates": [{"finishReason": self.finish(reply), "index": 0}], **self._counts(reply.usage)}

    def _thoughts(self, reply: Reply) -> list[dict[str, Any]]:
        return [{"text": THOUGHT, "thought": True}] if reply.usage.thinking_tokens else []

    def _counts(self, usage: Usage) -> dict[str, Any]:
        if not self._usage:
            return {}
        counts = {
            "promptTokenCount": usage.input_tokens,
            "candidatesTokenCount": usage.output_tokens - usage.thinking_tokens,
            "totalTokenCount": usage.input_tokens + usage.output_tokens,
            "cachedContentTokenCount": usage.cached_tokens,
            "thoughtsTokenCount": usage.thinking_tokens,
        }
        return {"usageMetadata": {name: count for name, count in counts.items() if count}}


def asked(model: str, body: dict[str, Any]) -> Asked:
    """The request, whichever form of names it uses."""
    settings = body.get("generationConfig", {})
    system = body.get("systemInstruction")
    return Asked(
        model=model,
        messages=(
            *([Message(role="system", content=_text(system))] if system else []),
            *(
                Message(role="assistant" if content["role"] == "model" else "user", content=_text(content))
                for content in body["contents"]
            ),
        ),
        temperature=settings.get("temperature"),
        seed=settings.get("seed"),
        max_tokens=settings.get("maxOutputTokens"),
    )


def _text(content: dict[str, Any]) -> str:
    return "".join(part["text"] for part in content["parts"])


def service_account(token_url: str) -> str:
    """The file of a service account, with a key of its own, whose tokens come from there."""
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric import rsa

    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    pem = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    ).decode()
    account = {"type": "service_account", "project_id": "the-accounts-project", "private_key_id": "1"}
    named = {"client_email": "tests@the-accounts-project.iam.gserviceaccount.com", "client_id": "1"}
    return json.dumps({**account, **named, "private_key": pem, "token_uri": token_url})
