"""What the client libraries look for in the environment chooses nothing of what is sent: settings alone say it."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from fakes.base import FakeServer, Request
from fakes.embedding_server import OpenAIEmbeddingsApp
from fakes.gemini_embed_server import GeminiEmbeddingsApp
from provider_models import Way, ask, each_way, serving

from reasoningbank.embed.gemini import GeminiEmbedder
from reasoningbank.embed.openai import OpenAIEmbedder

VARIABLE = re.compile(r"[\"']((?:OPENAI|ANTHROPIC|GEMINI|GOOGLE_(?:API|GENAI|GEMINI|VERTEX))_[A-Z_]+)[\"']")
SECRET = "planted-somewhere-0001"
VALUES = {
    **dict.fromkeys(
        ("OPENAI_CUSTOM_HEADERS", "ANTHROPIC_CUSTOM_HEADERS"), f"Authorization: Bearer {SECRET}\nx-more: {SECRET}"
    ),
    **dict.fromkeys(("GOOGLE_GENAI_USE_VERTEXAI", "GOOGLE_GENAI_USE_ENTERPRISE"), "true"),
    "GOOGLE_GENAI_CLIENT_MODE": "replay",
    "GOOGLE_GENAI_HTTP_CLIENT": "auto",
    **dict.fromkeys(("OPENAI_LOG", "ANTHROPIC_LOG"), "info"),
}


@cache
def variables() -> frozenset[str]:
    """All that the libraries' sources name."""
    found: set[str] = set()
    for library in ("openai", "anthropic", "google.genai"):
        spec = importlib.util.find_spec(library)
        assert spec is not None
        for place in spec.submodule_search_locations or ():
            for path in (each for part in ("*", "_utils/*", "lib/**/*") for each in Path(place).glob(f"{part}.py")):
                found |= set(VARIABLE.findall(path.read_text(encoding="utf-8")))
    assert {"OPENAI_ORG_ID", "OPENAI_PROJECT_ID", "GOOGLE_GENAI_API_VERSION", *VALUES} <= found
    return frozenset(found)


def planted(patch: pytest.MonkeyPatch) -> None:
    for name in variables():
        patch.setenv(name, VALUES.get(name, SECRET))


def sent(request: Request, server: FakeServer) -> tuple[str, Mapping[str, str], bytes]:
    headers = {name: value.replace(server.url.partition("//")[2], "HOST") for name, value in request.headers.items()}
    return request.path, headers, request.raw


@each_way
@pytest.mark.parametrize("key_env", [None, "A_KEY"])
def test_no_variable_of_a_library_changes_a_request(
    way: Way, key_env: str | None, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("A_KEY", "the-key-that-is-meant")
    settings: dict[str, Any] = {} if key_env is None else {"key_env": key_env}
    with serving(way, **settings) as (model, server):
        ask(model)
        plain = sent(server.requests[0], server)
    with serving(way, **settings) as (model, server):
        planted(monkeypatch)
        ask(model)
        assert sent(server.requests[0], server) == plain
    assert SECRET not in str(plain)
    told = capfd.readouterr()
    assert "GOOGLE_API_KEY" not in told.err
    assert SECRET not in told.out + told.err


@pytest.mark.parametrize("kind", [OpenAIEmbedder, GeminiEmbedder])
def test_nor_one_of_an_embedder(
    kind: type[OpenAIEmbedder | GeminiEmbedder], monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    planted(monkeypatch)
    app, path = (OpenAIEmbeddingsApp, "/v1") if kind is OpenAIEmbedder else (GeminiEmbeddingsApp, "")
    with FakeServer(app(dims=64)) as server:
        embedder = kind(model="fake-embedder", dims=64, base_url=f"{server.url}{path}")
        embedder.embed(["a text"], "query")
        embedder.close()
        assert server.requests[0].path.startswith("/v1/")
        assert SECRET not in str(server.requests[0])
    assert "GOOGLE_API_KEY" not in capfd.readouterr().err
