"""What every embedder must hold, and what the two shipped ones are."""

from __future__ import annotations

import ast
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reasoningbank.embed import wordllama
from reasoningbank.embed.cache import CachedEmbedder
from reasoningbank.embed.hashing import HashingEmbedder
from reasoningbank.embed.wordllama import WordLlamaEmbedder, package_folder
from reasoningbank.errors import SetupError
from reasoningbank.interfaces import Embedder

EMBEDDERS: list[Embedder] = [
    WordLlamaEmbedder(),
    HashingEmbedder(),
    HashingEmbedder(dims=7),
    CachedEmbedder(embedder=WordLlamaEmbedder(), capacity=8),
]
TEXTS = st.lists(st.text(st.characters(codec=None), max_size=60), max_size=9)


@pytest.mark.parametrize("embedder", EMBEDDERS, ids=lambda embedder: f"{type(embedder).__name__}-{embedder.id}")
@settings(deadline=None, max_examples=60)
@given(texts=TEXTS)
def test_a_batch_equals_one_by_one(embedder: Embedder, texts: list[str]) -> None:
    batch = embedder.embed(texts, "document")
    assert batch.shape == (len(texts), embedder.dims)
    assert batch.dtype == np.float32
    assert np.isfinite(batch).all()
    for row, text in zip(batch, texts, strict=True):
        assert np.abs(embedder.embed([text], "document")[0] - row).max() <= 1e-6


@pytest.mark.parametrize("embedder", EMBEDDERS, ids=lambda embedder: f"{type(embedder).__name__}-{embedder.id}")
def test_protocol_long_and_empty_texts(embedder: Embedder) -> None:
    assert isinstance(embedder, Embedder)
    assert embedder.embed([], "query").shape == (0, embedder.dims)
    rows = embedder.embed(["", "word " * 20_000, "lone \ud800 surrogate"], "query")
    assert not rows[0].any()
    assert rows[1].any()
    assert rows[2].any()


def test_wordllama_agrees_with_its_own_package() -> None:
    package = pytest.importorskip("wordllama")
    theirs = package.WordLlama.load(cache_dir=package_folder(), disable_download=True)
    texts = ["how much did I spend on shoes in May 2023?", "write a review", "naïve 買い物 🛒", "a" * 500, "x\n\ty"]
    ours = WordLlamaEmbedder().embed(texts, "query")
    assert np.abs(theirs.embed(texts) - ours).max() <= 1e-6


def test_wordllama_puts_related_texts_nearer() -> None:
    rows = WordLlamaEmbedder().embed(
        ["how much did I spend on shoes", "total price of the boots I bought", "change my mailing address"], "query"
    )
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    assert rows[0] @ rows[1] > rows[0] @ rows[2] + 0.1


def test_wordllama_without_its_files_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wordllama, "package_folder", lambda: tmp_path)
    with pytest.raises(SetupError, match=r"l2_supercat_256.safetensors is missing; reinstall"):
        WordLlamaEmbedder().embed(["text"], "query")


def test_importing_an_embedder_loads_nothing_heavy() -> None:
    code = (
        "import sys, reasoningbank.embed.wordllama as w; w.WordLlamaEmbedder()\n"
        "print([name for name in ('wordllama', 'tokenizers', 'safetensors', 'faiss') if name in sys.modules])"
    )
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "[]"


def test_hashing_is_the_same_in_every_process() -> None:
    code = (
        "from reasoningbank.embed.hashing import HashingEmbedder as H\n"
        "print(H(dims=9).embed(['a b c'], 'query').tolist())"
    )
    here = HashingEmbedder(dims=9).embed(["a b c"], "query").tolist()
    for seed in ("1", "2"):
        there = subprocess.check_output([sys.executable, "-c", code], text=True, env={"PYTHONHASHSEED": seed})
        assert ast.literal_eval(there) == here


def test_hashing_refuses_no_dims() -> None:
    with pytest.raises(ValueError, match="dims is 0"):
        HashingEmbedder(dims=0)


def test_threads_share_one_embedder() -> None:
    embedder = WordLlamaEmbedder()
    texts = [f"order number {number}" for number in range(20)]
    results: list[np.ndarray] = []
    threads = [threading.Thread(target=lambda: results.append(embedder.embed(texts, "query"))) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 6
    assert all((result == results[0]).all() for result in results)
