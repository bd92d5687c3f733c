"""Embedding servers: OpenAI's protocol, and that of text-embeddings-inference. Vectors are those of the hashing
embedder, so that what shares words is near.

    with FakeServer(OpenAIEmbeddingsApp(dims=64)) as server:
        openai.OpenAI(base_url=f"{server.url}/v1", api_key="any").embeddings.create(...)

`change` is done to the body of each reply.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fakes.base import Request, Response
from reasoningbank.embed.hashing import HashingEmbedder
from reasoningbank.types import Reply

Change = Callable[[Any], Any]


def vectors(texts: Sequence[str], dims: int, shorter: int | None = None) -> NDArray[np.float32]:
    """Of unit length; `shorter` keeps the first of their numbers, as models with nested dims do."""
    rows = HashingEmbedder(dims=dims).embed(texts, "query")
    rows /= np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)
    return rows if shorter is None else rows[:, :shorter]


class OpenAIEmbeddingsApp:
    """Answers at /v1/embeddings, vectors in backward order: their index tells whose they are."""

    def __init__(self, *, dims: int = 64, base64: bool = True, change: Change = lambda body: body) -> None:
        self._dims = dims
        self._base64 = base64
        self._change = change

    def respond(self, request: Request, given: Reply | None) -> Response | None:
        if request.method == "GET" and request.path == "/v1/models":
            return Response.json({"object": "list", "data": [{"id": "fake-embedder", "object": "model"}]})
        if request.method != "POST" or request.path != "/v1/embeddings":
            return None
        body = request.body
        assert all(text.strip() for text in body["input"]), "the server takes no empty text"
        rows = vectors(body["input"], self._dims, body.get("dimensions"))
        packed = self._base64 and body.get("encoding_format") == "base64"
        data = [
            {
                "object": "embedding",
                "index": number,
                "embedding": base64.b64encode(row.tobytes()).decode() if packed else row.tolist(),
            }
            for number, row in enumerate(rows)
        ]
        tokens = sum(len(text.split()) for text in body["input"])
        usage = {"prompt_tokens": tokens, "total_tokens": tokens}
        return Response.json(
            self._change({"object": "list", "data": data[::-1], "model": body["model"], "usage": usage})
        )

    def empty(self, request: Request) -> Response:
        return Response.json({"object": "list", "data": [], "model": "m", "usage": {}})

    def error(self, status: int, message: str, code: str) -> object:
        return {"error": {"message": message, "type": "error", "param": None, "code": code or None}}


class TEIApp:
    """Answers at /embed with a bare list of lists, in the order of the texts."""

    def __init__(self, *, dims: int = 64, change: Change = lambda body: body) -> None:
        self._dims = dims
        self._change = change

    def respond(self, request: Request, given: Reply | None) -> Response | None:
        if request.method == "GET" and request.path == "/info":
            return Response.json({"model_id": "fake-embedder", "max_client_batch_size": 32})
        if request.method != "POST" or request.path != "/embed":
            return None
        texts = request.body["inputs"]
        assert all(text.strip() for text in texts)
        return Response.json(self._change(vectors(texts, self._dims).tolist()))

    def empty(self, request: Request) -> Response:
        return Response.json([])

    def error(self, status: int, message: str, code: str) -> object:
        return {"error": message, "error_type": code or "backend"}
