"""What each embedder behind a network sends: dims, task types, instructions, keys; and what its id says of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fakes import gemini_embed_server
from fakes.base import FakeServer, plain
from fakes.embedding_server import vectors
from fakes.gemini_embed_server import GeminiEmbeddingsApp
from fakes.gemini_server import TOKEN, GeminiApp, service_account
from remote_makers import WAYS, serving

from reasoningbank.bank.bank import Bank
from reasoningbank.embed.cache import CachedEmbedder
from reasoningbank.embed.gemini import GeminiEmbedder
from reasoningbank.embed.openai import OpenAIEmbedder
from reasoningbank.embed.qwen import QwenEmbedder
from reasoningbank.embed.qwen_model import INSTRUCTION
from reasoningbank.embed.qwen_server import QwenServerEmbedder
from reasoningbank.errors import BankError, SetupError

EVERY = pytest.mark.parametrize("way", WAYS)
GOOGLE = pytest.mark.parametrize("way", ["gemini", "vertex", "vertex-predict"])
QWEN = pytest.mark.parametrize("way", ["qwen-vllm", "qwen-tei"])


@GOOGLE
@pytest.mark.parametrize("count", [1, 2])
def test_google_is_told_the_task_of_every_text(way: str, count: int) -> None:
    texts = ["how much did I spend", "change my address"][:count]
    with serving(way) as (embedder, server):
        for side in ("query", "document"):
            embedder.embed(texts, side)
    tasks = [gemini_embed_server.tasks_of(request.body) for request in server.requests]
    assert tasks == [["RETRIEVAL_QUERY"] * count, ["RETRIEVAL_DOCUMENT"] * count]
    assert embedder.asymmetric


@GOOGLE
def test_googles_task_types_are_settings(way: str) -> None:
    told: dict[str, Any] = {"query_task": "SEMANTIC_SIMILARITY", "document_task": "SEMANTIC_SIMILARITY"}
    with serving(way, **told) as (embedder, server):
        embedder.embed(["a b"], "query")
        assert not embedder.asymmetric
    with serving(way, query_task=None, document_task=None, query_instruction="Find it: ") as (other, bare):
        other.embed(["a b"], "query")
        other.embed(["a b"], "document")
        assert other.asymmetric
    assert gemini_embed_server.tasks_of(server.requests[0].body) == ["SEMANTIC_SIMILARITY"]
    assert [gemini_embed_server.tasks_of(request.body) for request in bare.requests] == [[None], [None]]
    sent = [gemini_embed_server.texts_of(request.body)[0] for request in bare.requests]
    assert sent == ["Find it: a b", "a b"]
    assert len({embedder.id, other.id, GeminiEmbedder(model="gemini-fake", dims=64).id}) == 3


@GOOGLE
def test_googles_shortened_vectors_are_brought_to_unit_length(way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reasoningbank.embed.gemini.DIMS", {"gemini-fake": 64, "text-embedding-005": 64})
    with serving(way, dims=64) as (whole, server):
        assert np.abs(np.linalg.norm(whole.embed(["a b c"], "query"), axis=1) - 1).max() <= 1e-6
        assert gemini_embed_server.shorter(server.requests[0].body) is None
        fewer = WAYS[way].make(server.url, dims=16)
        rows = fewer.embed(["a b c d e f g"], "query")
        assert gemini_embed_server.shorter(server.requests[1].body) == 16
        sent = vectors(["a b c d e f g"], 64, 16)
        assert np.linalg.norm(sent) < 0.9, "what came is no unit vector"
        assert np.abs(rows - sent / np.linalg.norm(sent)).max() <= 1e-6
        fewer.close()  # type: ignore[attr-defined]
        with pytest.raises(SetupError, match=r"embedder.dims=65: .* has vectors of 64 dims"):
            WAYS[way].make(server.url, dims=65)


def test_vertex_with_a_login(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("GOOGLE_CLOUD_PROJECT", "GOOGLE_CLOUD_LOCATION", "GEMINI_API_KEY", "GOOGLE_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    with FakeServer(GeminiApp(lambda asked: plain("no"))) as tokens, FakeServer(GeminiEmbeddingsApp()) as server:
        (tmp_path / "account.json").write_text(service_account(f"{tokens.url}/token"))
        monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", str(tmp_path / "account.json"))
        embedder = GeminiEmbedder(model="gemini-fake", dims=64, vertex=True, base_url=server.url, location="us-east1")
        assert CachedEmbedder(embedder=embedder).embed(["a b", "c d"], "query").shape == (2, 64)
        embedder.close()
    place = "/v1beta1/projects/the-accounts-project/locations/us-east1/publishers/google/models/gemini-fake"
    assert [request.path for request in server.requests] == [f"{place}:embedContent"] * 2
    assert {request.headers["authorization"] for request in server.requests} == {f"Bearer {TOKEN}"}


@QWEN
def test_qwens_instruction_is_put_before_queries_alone(way: str) -> None:
    with serving(way) as (embedder, server):
        embedder.embed(["a b"], "query")
        embedder.embed(["a b"], "document")
    sent = [WAYS[way].texts_of(request.body) for request in server.requests]
    assert sent == [[f"Instruct: {INSTRUCTION}\nQuery:a b"], ["a b"]]
    with serving(way, instruction="") as (bare, server):
        bare.embed(["a b"], "query")
        assert not bare.asymmetric
    assert WAYS[way].texts_of(server.requests[0].body) == ["a b"]


@QWEN
def test_qwens_first_dims_are_taken_here(way: str) -> None:
    named: dict[str, Any] = {"model": "Qwen/Qwen3-Embedding-0.6B", "instruction": ""}
    with FakeServer(WAYS[way].app(1024, lambda body: body)) as server:
        whole, fewer = (WAYS[way].make(server.url, **{**named, "dims": dims}) for dims in (None, 32))
        text = "words " + " ".join(f"w{number}" for number in range(400))
        first = vectors([text], 1024, 32)
        assert whole.embed([text], "query").shape == (1, 1024)
        assert np.abs(fewer.embed([text], "query") - first / np.linalg.norm(first)).max() <= 1e-6
        other = WAYS[way].make(server.url, model="Qwen/Qwen3-Embedding-4B", dims=None)
        with pytest.raises(SetupError, match="vectors of 1024 dims, not 2560"):
            CachedEmbedder(embedder=other).embed([text], "query")
        for each in (whole, fewer, other):
            each.close()  # type: ignore[attr-defined]


def test_openais_dims_are_asked_for_where_they_are_fewer() -> None:
    with serving("openai") as (whole, server):
        whole.embed(["a b"], "query")
        fewer = WAYS["openai"].make(server.url, model="text-embedding-3-small", dims=16)
        assert fewer.embed(["a b c d e f g"], "query").shape == (1, 16)
        fewer.close()  # type: ignore[attr-defined]
    assert [request.body.get("dimensions") for request in server.requests] == [None, 16]
    for wrong in ({"dims": 1537}, {"model": "text-embedding-ada-002", "dims": 256}):
        with pytest.raises(SetupError, match=r"has vectors of 1536 dims"):
            OpenAIEmbedder(**wrong)


def test_openais_long_texts_keep_their_ends() -> None:
    with serving("openai", max_tokens=100) as (embedder, server):
        embedder.embed(["first " + "middle " * 500 + "last"], "query")
    [sent] = server.requests[0].body["input"]
    assert sent.startswith("first")
    assert sent.endswith("last")
    assert len(sent) <= 200


@pytest.mark.parametrize("cls", [OpenAIEmbedder, GeminiEmbedder, QwenServerEmbedder])
def test_dims_that_nobody_knows_must_be_given(cls: Any) -> None:
    with pytest.raises(SetupError, match=r"embedder.dims is not set: .*embedder.model=some/other"):
        cls(model="some/other")
    assert cls(model="some/other", dims=77).dims == 77


@EVERY
def test_before_a_call_it_says_what_it_goes_by(way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("A_KEY", "planted-secret-1234567890")
    with serving(way, key_env="A_KEY", extra_headers={"x-team": "blue"}) as (embedder, server):
        assert embedder.check() == "key: A_KEY"  # type: ignore[attr-defined]
        assert not server.requests
        embedder.embed(["a b"], "query")
        assert server.requests[0].headers["x-team"] == "blue"
        monkeypatch.delenv("A_KEY")
        with pytest.raises(SetupError, match="set the environment variable A_KEY"):
            embedder.check()  # type: ignore[attr-defined]


@pytest.mark.parametrize("way", [way for way in WAYS if not way.startswith("vertex")])
def test_a_server_tells_its_models(way: str) -> None:
    with serving(way) as (embedder, _):
        assert embedder.models() == ["fake-embedder"]  # type: ignore[attr-defined]


def test_a_swap_of_embedders_is_refused_with_both_ids(tmp_path: Path) -> None:
    gemini, qwen = GeminiEmbedder(), QwenServerEmbedder(model="Qwen/Qwen3-Embedding-8B")
    assert (gemini.dims, qwen.dims) == (3072, 4096)
    with Bank.open(tmp_path / "bank.sqlite", CachedEmbedder(embedder=gemini)):
        pass
    before = (tmp_path / "bank.sqlite").read_bytes()
    for other in (qwen, QwenEmbedder(), GeminiEmbedder(dims=768), GeminiEmbedder(query_task="RETRIEVAL_DOCUMENT")):
        with pytest.raises(BankError) as caught:
            Bank.open(tmp_path / "bank.sqlite", CachedEmbedder(embedder=other))
        assert gemini.id in str(caught.value)
        assert other.id in str(caught.value)
    assert (tmp_path / "bank.sqlite").read_bytes() == before


@pytest.mark.parametrize("profile", ["paper", "official_code"])
def test_a_profile_says_how_google_is_asked(profile: str) -> None:
    from eval.build import build
    from eval.config.load import load_config

    with FakeServer(GeminiEmbeddingsApp()) as server:
        words = ["embedder=gemini", "embedder.model=gemini-fake", "embedder.dims=64", f"embedder.base_url={server.url}"]
        embedder = build("embedder", load_config([f"profile={profile}", *words]).embedder, [], {})
        for side in ("query", "document"):
            embedder.embed(["a b"], side)
        embedder.close()
    tasks = [task for request in server.requests for task in gemini_embed_server.tasks_of(request.body)]
    [[query], [document]] = [gemini_embed_server.texts_of(request.body) for request in server.requests]
    assert document == "a b"
    if profile == "paper":
        assert (query, tasks) == ("a b", ["RETRIEVAL_QUERY", "RETRIEVAL_DOCUMENT"])
    else:
        assert tasks == ["RETRIEVAL_DOCUMENT"] * 2
        assert query.startswith("Instruct: ")
        assert query.endswith("\nQuery: a b")
