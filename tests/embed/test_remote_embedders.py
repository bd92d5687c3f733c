"""What every embedder behind a network must hold: order, batches, faults by what is done about them, and nothing paid
for twice."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fakes.base import Fault, always, at, at_random
from fakes.embedding_server import vectors
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from remote_makers import WAYS, serving

from reasoningbank.embed.cache import CachedEmbedder
from reasoningbank.embed.remote import BatchLimits, shortened
from reasoningbank.errors import InfraError, Outage, RateLimited, SetupError
from reasoningbank.interfaces import Embedder, RemoteEmbedder
from reasoningbank.retry import RetryPolicy
from reasoningbank.tokens import most_tokens

EVERY = pytest.mark.parametrize("way", WAYS)
TEXTS = ["how much did I spend on shoes", "change my address", "", "  \n", "naïve 買い物 🛒", "lone \ud800 surrogate"]
AT_ONCE = RetryPolicy(first_wait=0.0)


def cached(embedder: Embedder, **more: Any) -> CachedEmbedder:
    return CachedEmbedder(embedder=embedder, retry=AT_ONCE, **more)


def unit(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    made: NDArray[np.float32] = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)
    return made


@EVERY
def test_vectors_are_the_servers_in_the_order_of_the_texts(way: str) -> None:
    with serving(way, **WAYS[way].few) as (embedder, server):
        assert isinstance(embedder, RemoteEmbedder)
        rows = cached(embedder).embed(TEXTS, "document")
        assert rows.shape == (len(TEXTS), embedder.dims)
        assert rows.dtype == np.float32
        assert not rows[2:4].any(), "a text without words has no direction"
        sent = [text for request in server.requests for text in WAYS[way].texts_of(request.body)]
        assert sent == [TEXTS[0], TEXTS[1], TEXTS[4], "lone ? surrogate"]
        assert np.abs(unit(rows[[0, 1, 4, 5]]) - unit(vectors(sent, 64))).max() <= 1e-6
        assert [len(WAYS[way].texts_of(request.body)) for request in server.requests] == [2, 2]
        assert {request.path.partition("?")[0] for request in server.requests} == {WAYS[way].path}
        assert server.connections == 1


@EVERY
def test_nothing_is_paid_for_twice(way: str, tmp_path: Path) -> None:
    path = tmp_path / "cache.sqlite"
    with serving(way, **WAYS[way].few) as (embedder, server):
        with cached(embedder, path=path) as cache:
            first = cache.embed(["a b", "c d", "a b"], "query")
            cache.embed(["c d"], "query")
            other = cache.embed(["c d"], "document")
        with cached(embedder, path=path) as again:
            assert (again.embed(["a b", "c d", "a b"], "query") == first).all()
            assert (again.embed(["c d"], "document") == other).all()
        assert len(server.requests) == (2 if embedder.asymmetric else 1)


@EVERY
def test_a_batch_that_arrived_is_kept_when_a_later_one_fails(way: str, tmp_path: Path) -> None:
    texts = [f"text number {number}" for number in range(6)]
    with serving(way, faults=always(Fault("status", status=500)), **WAYS[way].few) as (embedder, server):
        server.faults = lambda request: Fault("status", status=500) if request.number >= 3 else None
        cache = cached(embedder, path=tmp_path / "cache.sqlite")
        with pytest.raises(InfraError, match="answered 500"):
            cache.embed(texts, "query")
        assert len(server.requests) == 2 + AT_ONCE.attempts
        server.faults = lambda request: None
        rows = cache.embed(texts, "query")
        assert len(server.requests) == 3 + AT_ONCE.attempts
        assert np.abs(rows - cached(embedder).embed(texts, "query")).max() <= 1e-6


FAULTS = [
    *(Fault("status", status=429), Fault("status", status=429, headers=(("retry-after", "0"),))),
    *(Fault("status", status=500), Fault("status", status=503), Fault("reset"), Fault("half")),
    *(Fault("invalid_json"), Fault("wrong_type"), Fault("empty")),
]


@EVERY
def test_faults_that_pass_change_nothing(way: str) -> None:
    texts = [f"text number {number}" for number in range(40)]
    with serving(way, faults=at_random(0.3, FAULTS, seed=3), **WAYS[way].few) as (embedder, server):
        rows = cached(embedder).embed(texts, "query")
        assert len(server.failed) >= 3
        server.faults = lambda request: None
        assert (rows == cached(embedder).embed(texts, "query")).all()


@EVERY
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: f"{fault.kind}-{fault.status}-{len(fault.headers)}")
def test_what_passes_is_an_infra_error_and_tried_again(way: str, fault: Fault) -> None:
    with serving(way, faults=at({1: fault})) as (embedder, server):
        with pytest.raises(InfraError) as caught:
            embedder.embed(["a b"], "query")
        assert isinstance(caught.value, RateLimited) == (fault.status == 429)
        assert "embedder" in str(caught.value)
        assert embedder.embed(["a b"], "query").shape == (1, 64)
        assert len(server.requests) == 2


SETUP = {
    "400": (Fault("status", status=400, message="no such thing"), "compare the keys of embedder"),
    "401": (Fault("status", status=401, message="Incorrect API key"), "environment variable A_KEY"),
    "403": (Fault("status", status=403, message="not for you"), "set embedder.model"),
    "404": (Fault("status", status=404, message="The model `x` does not exist"), "set embedder.model"),
    "413": (Fault("status", status=413, message="input too long"), r"embedder.(max_tokens|batch_t)"),
    "money": (Fault("status", status=429, message="insufficient_quota"), "nothing left to spend"),
}


@EVERY
@pytest.mark.parametrize("name", SETUP)
def test_what_the_user_must_mend_is_told_at_once(way: str, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("A_KEY", "planted-secret-1234567890")
    fault, found = SETUP[name]
    with serving(way, faults=always(fault), key_env="A_KEY") as (embedder, server):
        with pytest.raises(SetupError, match=found) as caught:
            cached(embedder).embed(["a b"], "query")
        assert len(server.requests) == 1
        assert "planted-secret" in str(server.requests[0].headers)
        assert "planted-secret" not in str(caught.value)
        assert "\n" not in str(caught.value)


@EVERY
def test_a_server_that_hangs_or_is_gone(way: str) -> None:
    hang = always(Fault("hang", seconds=30.0))
    with serving(way, faults=hang, timeout=0.3) as (embedder, _), pytest.raises(InfraError, match=r"embedder.timeout"):
        embedder.embed(["a b"], "query")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        gone = WAYS[way].make(f"http://127.0.0.1:{taken.getsockname()[1]}", timeout=5.0)
        with pytest.raises(Outage, match="cannot be reached"):
            gone.embed(["a b"], "query")
        gone.close()  # type: ignore[attr-defined]


def test_an_outage_is_waited_out_and_told() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        gone = WAYS["openai"].make(f"http://127.0.0.1:{taken.getsockname()[1]}", timeout=5.0)
    heard: list[str] = []
    patient = RetryPolicy(attempts=1, outage_wait=20.0)
    cache = CachedEmbedder(embedder=gone, retry=patient, sleep=lambda seconds: None)
    cache.waiting = heard.append
    with pytest.raises(Outage):
        cache.embed(["a b"], "query")
    assert any(heard)
    gone.close()  # type: ignore[attr-defined]


@EVERY
def test_a_missing_key_is_told_before_anything_is_sent(way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("A_KEY", raising=False)
    with serving(way, key_env="A_KEY") as (embedder, server):
        with pytest.raises(SetupError, match="set the environment variable A_KEY"):
            embedder.embed(["a b"], "query")
        assert not server.requests


@EVERY
def test_another_number_of_dims_is_the_users_to_mend(way: str) -> None:
    with serving(way, dims=32) as (embedder, server):
        with pytest.raises(SetupError, match=r"vectors of 32 dims, not 64; nothing was kept: set embedder.dims=32"):
            cached(embedder).embed(["a b"], "query")
        assert len(server.requests) == 1


def less(body: Any) -> Any:
    """A reply without its last vector."""
    if isinstance(body, list):
        return body[:-1]
    key = next(key for key in ("data", "embeddings", "predictions") if isinstance(body.get(key), list))
    return {**body, key: body[key][:-1]}


@EVERY
def test_a_reply_that_lacks_a_vector_is_tried_again_and_nothing_is_kept(way: str) -> None:
    with serving(way, change=less, **WAYS[way].few) as (embedder, server):
        with pytest.raises(InfraError):
            cached(embedder).embed(["a b", "c d"], "query")
        assert len(server.requests) == AT_ONCE.attempts


TEXT = st.text(st.characters(codec=None), max_size=200)


@settings(deadline=None, max_examples=60)
@given(st.lists(TEXT, max_size=30), st.integers(1, 5), st.integers(1, 120), st.none() | st.integers(1, 50))
def test_batches_are_all_texts_in_order_within_the_limits(
    texts: list[str], most: int, tokens: int, of_each: int | None
) -> None:
    batches = BatchLimits(texts=most, tokens=tokens, of_each=of_each).batches(texts)
    assert [text for batch in batches for text in batch] == texts
    for batch in batches:
        assert 1 <= len(batch) <= most
        sizes = [min(most_tokens(text), of_each or 10**6) for text in batch]
        assert len(batch) == 1 or sum(sizes) <= tokens


@settings(deadline=None, max_examples=60)
@given(TEXT, st.integers(40, 200))
def test_a_shortened_text_is_within_its_tokens_and_keeps_its_ends(text: str, tokens: int) -> None:
    short = shortened(text * 20, tokens)
    assert most_tokens(short) <= tokens
    assert shortened(text, None) == text


NUMBERS = st.lists(st.floats() | st.integers() | st.none() | st.text(max_size=3), max_size=5)
ANY: st.SearchStrategy[Any] = st.none() | st.booleans() | st.integers() | st.text(max_size=5) | NUMBERS | st.just({})


def some(**keys: Any) -> st.SearchStrategy[Any]:
    """An object with any of these keys, each with what belongs there or with anything."""
    return st.fixed_dictionaries({}, optional={key: value | ANY for key, value in keys.items()}) | ANY


COUNTS = some(token_count=ANY, truncated=ANY)
VECTOR = some(values=NUMBERS, statistics=COUNTS)
BODIES = (
    ANY
    | st.lists(NUMBERS | ANY, max_size=3)
    | some(data=st.lists(some(index=ANY | st.just(0), embedding=NUMBERS), max_size=2), usage=some(prompt_tokens=ANY))
    | some(embeddings=st.lists(VECTOR, max_size=2), usageMetadata=some(promptTokenCount=ANY))
    | some(predictions=st.lists(some(embeddings=VECTOR), max_size=2))
    | some(embedding=VECTOR, usageMetadata=some(promptTokenCount=ANY))
)
"""Replies in the forms of all protocols, with wrong parts."""


@EVERY
@settings(deadline=None, max_examples=60)
@given(body=BODIES)
def test_whatever_a_server_sends_is_vectors_or_an_error_of_ours(way: str, body: Any) -> None:
    embedder, replies = LASTING.of(way)
    replies.append(body)
    with suppress(InfraError, SetupError):
        rows = embedder.embed(["a b"], "query")
        assert rows.dtype == np.float32
        assert rows.ndim == 2


class Lasting:
    """A server and an embedder for each way, for tests with many examples."""

    def __init__(self) -> None:
        self._stack = ExitStack()
        self._made: dict[str, tuple[RemoteEmbedder, list[Any]]] = {}

    def of(self, way: str) -> tuple[RemoteEmbedder, list[Any]]:
        """The embedder, and a list whose last entry the server sends."""
        if way not in self._made:
            replies: list[Any] = []
            embedder, _ = self._stack.enter_context(serving(way, change=lambda body: replies[-1]))
            self._made[way] = embedder, replies
        return self._made[way]

    def close(self) -> None:
        self._stack.close()


LASTING = Lasting()


@pytest.fixture(scope="module", autouse=True)
def _closed() -> Iterator[None]:
    yield
    LASTING.close()
