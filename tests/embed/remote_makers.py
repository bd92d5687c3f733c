"""Every embedder behind a network, at a fake server that speaks its protocol."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from fakes.base import App, FakeServer, Faults
from fakes.embedding_server import Change, OpenAIEmbeddingsApp

from reasoningbank.embed.openai import OpenAIEmbedder
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


WAYS: dict[str, Way] = {
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
