"""Google's wire protocol for embeddings: batchEmbedContents at the Gemini API's paths; embedContent, batchEmbedContents
and predict at Vertex AI's. Vectors are those of the hashing embedder; shortened ones are not brought to unit length.

    with FakeServer(GeminiEmbeddingsApp(dims=64)) as server:
        genai.Client(api_key="any", http_options={"base_url": server.url}).models.embed_content(...)
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from fakes.base import Request, Response
from fakes.embedding_server import Change, vectors
from fakes.gemini_server import STATUSES
from reasoningbank.types import Reply

PATH = re.compile(
    r"/(?:(?P<api>v1(?:beta)?)|v1beta1/(?:projects/[^/]+/locations/[^/]+/)?publishers/google)"
    r"/models/(?P<model>[^/:]+):(?P<method>\w+)"
)


class GeminiEmbeddingsApp:
    """Answers the methods that each API has. `counts`: Vertex AI tells tokens and the Gemini API tells none."""

    def __init__(self, *, dims: int = 64, change: Change = lambda body: body) -> None:
        self._dims = dims
        self._change = change

    def respond(self, request: Request, given: Reply | None) -> Response | None:
        path = request.path.partition("?")[0]
        if request.method == "GET" and path in ("/v1/models", "/v1beta/models"):
            return Response.json({"models": [{"name": "models/fake-embedder"}]})
        found = PATH.fullmatch(path)
        if request.method != "POST" or found is None:
            return None
        answer = self._answer(found["method"], request.body, vertex=found["api"] is None)
        return None if answer is None else Response.json(self._change(answer))

    def _answer(self, method: str, body: Any, *, vertex: bool) -> Any:
        texts = texts_of(body)
        assert all(text.strip() for text in texts), "the server takes no empty text"
        rows = vectors(texts, self._dims, shorter(body)).tolist()
        tokens = [len(text.split()) for text in texts]
        match method:
            case "batchEmbedContents":
                return {"embeddings": [{"values": row} for row in rows]}
            case "embedContent" if vertex:
                return {"embedding": {"values": rows[0]}, "usageMetadata": {"promptTokenCount": tokens[0]}}
            case "predict" if vertex:
                made = [
                    {"embeddings": {"values": row, "statistics": {"token_count": count, "truncated": False}}}
                    for row, count in zip(rows, tokens, strict=True)
                ]
                return {"predictions": made}
        return None

    def empty(self, request: Request) -> Response:
        return Response.json({})

    def error(self, status: int, message: str, code: str) -> object:
        return {"error": {"code": status, "message": message, "status": code or STATUSES.get(status, "UNKNOWN")}}


def texts_of(body: Mapping[str, Any]) -> list[str]:
    """The texts of a request, whichever method it is for."""
    if "instances" in body:
        return [each["content"] for each in body["instances"]]
    contents = [each["content"] for each in body["requests"]] if "requests" in body else [body["content"]]
    return ["".join(part["text"] for part in content["parts"]) for content in contents]


def tasks_of(body: Mapping[str, Any]) -> list[str | None]:
    """The task type of each of a request's texts."""
    if "instances" in body:
        return [each.get("task_type") for each in body["instances"]]
    return [config.get("taskType") for config in _configs(body)]


def shorter(body: Mapping[str, Any]) -> int | None:
    """How many dims are asked for, where it is said: of every text alike."""
    if "instances" in body:
        asked = {body.get("parameters", {}).get("outputDimensionality")}
    else:
        asked = {config.get("outputDimensionality") for config in _configs(body)}
    [dims] = asked
    return None if dims is None else int(dims)


def _configs(body: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    each = body.get("requests", [body])
    return [one.get("embedContentConfig", one) for one in each]
