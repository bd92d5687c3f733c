"""Every embedder behind a network, at a fake server that speaks its protocol."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from fakes import gemini_embed_server
from fakes.base import App, FakeServer, Faults
from fakes.embedding_server import Change, OpenAIEmbeddingsApp, TEIApp
from fakes.gemini_embed_server import GeminiEmbeddingsApp

from reasoningbank.embed.gemini import GeminiEmbedder
from reasoningbank.embed.openai import OpenAIEmbedder
from reasoningbank.embed.qwen_server import QwenServerEmbedder
from reasoningbank.interfaces import RemoteEmbedder


@dataclass(frozen=True)
class Way:
    """One embedder with one protocol. `app` is made from the dims and from what is changed in its replies; `make` from
    the server's address. `texts_of` are those of a request's body."""

    app: Callable[[int, Change], App]
    make: Callable[..., RemoteEmbedder]
    path: str
    texts_of: Callable[[Any], list[str]]
    few: dict[str, Any]
    """Settings by which a call has at most two texts."""


def _openai(url: str, **more: Any) -> RemoteEmbedder:
    return OpenAIEmbedder(**{"model": "fake-embedder", "dims": 64, "base_url": f"{url}/v1", **more})


def _gemini(url: str, **more: Any) -> RemoteEmbedder:
    return GeminiEmbedder(**{"model": "gemini-fake", "dims": 64, "base_url": url, **more})


def _vertex(url: str, **more: Any) -> RemoteEmbedder:
    """With an express key, or a placeholder for one: the login is tested with the models."""
    os.environ.setdefault("EXPRESS_KEY", "any-express-key")
    return _gemini(url, **{"vertex": True, "key_env": "EXPRESS_KEY", **more})


def _google(make: Callable[..., RemoteEmbedder], method: str, model: str = "gemini-fake", **few: Any) -> Way:
    place = "/v1/models" if make is _gemini else "/v1beta1/publishers/google/models"
    return Way(
        lambda dims, change: GeminiEmbeddingsApp(dims=dims, change=change),
        lambda url, **more: make(url, **{"model": model, **more}),
        f"{place}/{model}:{method}",
        gemini_embed_server.texts_of,
        few,
    )


def _qwen(url: str, protocol: str, **more: Any) -> RemoteEmbedder:
    return QwenServerEmbedder(**{"model": "fake-embedder", "dims": 64, "base_url": url, "protocol": protocol, **more})


WAYS: dict[str, Way] = {
    "gemini": _google(_gemini, "batchEmbedContents", batch_texts=2),
    "vertex": _google(_vertex, "batchEmbedContents", batch_texts=2),
    "vertex-predict": _google(_vertex, "predict", "text-embedding-005", batch_texts=2),
    "qwen-vllm": Way(
        lambda dims, change: OpenAIEmbeddingsApp(dims=dims, change=change),
        lambda url, **more: _qwen(f"{url}/v1", "openai", **more),
        "/v1/embeddings",
        lambda body: list(body["input"]),
        {"batch_texts": 2},
    ),
    "qwen-tei": Way(
        lambda dims, change: TEIApp(dims=dims, change=change),
        lambda url, **more: _qwen(url, "tei", **more),
        "/embed",
        lambda body: list(body["inputs"]),
        {"batch_texts": 2},
    ),
    "openai": Way(
        lambda dims, change: OpenAIEmbeddingsApp(dims=dims, change=change),
        _openai,
        "/v1/embeddings",
        lambda body: list(body["input"]),
        {"batch_texts": 2},
    ),
    "openai-lists": Way(
        lambda dims, change: OpenAIEmbeddingsApp(dims=dims, base64=False, change=change),
        _openai,
        "/v1/embeddings",
        lambda body: list(body["input"]),
        {"batch_texts": 2},
    ),
}


@contextmanager
def serving(
    way: str,
    *,
    dims: int = 64,
    faults: Faults = lambda request: None,
    change: Change = lambda body: body,
    **settings: Any,
) -> Iterator[tuple[RemoteEmbedder, FakeServer]]:
    """An embedder and the server that it talks to."""
    with FakeServer(WAYS[way].app(dims, change), faults=faults) as server:
        embedder = WAYS[way].make(server.url, **{"timeout": 20.0, **settings})
        try:
            yield embedder, server
        finally:
            embedder.close()  # type: ignore[attr-defined]  # each has it, and no caller needs it
