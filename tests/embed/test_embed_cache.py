"""The cache of embeddings: asked once a text, bounded, and the same across processes where it has a file."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from reasoningbank.embed.cache import CachedEmbedder
from reasoningbank.embed.hashing import HashingEmbedder
from reasoningbank.errors import InfraError, SetupError
from reasoningbank.interfaces import Embedder, Side


class Counting:
    """The hashing embedder, with an account of what it was asked; each side has vectors of its own."""

    def __init__(self, *, name: str = "counting", dims: int = 16) -> None:
        self.id = name
        self.dims = dims
        self.asymmetric = True
        self.asked: list[tuple[Side, str]] = []
        self._inner = HashingEmbedder(dims=dims)

    def embed(self, texts: Sequence[str], side: Side) -> NDArray[np.float32]:
        self.asked += [(side, text) for text in texts]
        return self._inner.embed([f"{side} {text}" for text in texts], side)


def test_each_text_is_asked_once_a_side() -> None:
    inner = Counting()
    cache = CachedEmbedder(embedder=inner)
    assert isinstance(cache, Embedder)
    assert (cache.id, cache.dims) == (inner.id, inner.dims)
    first = cache.embed(["a", "b", "a"], "query")
    second = cache.embed(["b", "c"], "query")
    other = cache.embed(["a"], "document")
    assert inner.asked == [("query", "a"), ("query", "b"), ("query", "c"), ("document", "a")]
    assert (first[0] == first[2]).all()
    assert (first[1] == second[0]).all()
    assert (other[0] != first[0]).any()


def test_changing_a_result_does_not_change_the_cache() -> None:
    cache = CachedEmbedder(embedder=Counting())
    rows = cache.embed(["a"], "query")
    kept = rows.copy()
    rows[:] = 9
    assert (cache.embed(["a"], "query") == kept).all()


def test_the_bound_drops_what_was_used_longest_ago() -> None:
    inner = Counting()
    cache = CachedEmbedder(embedder=inner, capacity=2)
    for text in ("a", "b", "a", "c", "a", "b"):
        cache.embed([text], "query")
    assert [text for _, text in inner.asked] == ["a", "b", "c", "b"]
    assert cache.embed(["p", "q", "r", "s"], "query").shape == (4, 16)


def test_a_file_outlives_the_process_and_keeps_embedders_apart(tmp_path: Path) -> None:
    path = tmp_path / "a folder" / "cache.sqlite"
    with CachedEmbedder(embedder=Counting(), path=path) as cache:
        wanted = cache.embed(["a", "lone \ud800"], "query")
    inner = Counting()
    with CachedEmbedder(embedder=inner, path=path) as again:
        assert (again.embed(["a", "lone \ud800"], "query") == wanted).all()
    assert inner.asked == []
    other = Counting(name="another", dims=8)
    with CachedEmbedder(embedder=other, path=path) as third:
        assert third.embed(["a"], "query").shape == (1, 8)
    assert len(other.asked) == 1
    assert [entry.name for entry in path.parent.iterdir()] == ["cache.sqlite"]


def test_several_processes_may_share_a_file(tmp_path: Path) -> None:
    """Each with a connection of its own, as workers have."""
    caches = [CachedEmbedder(embedder=Counting(), path=tmp_path / "cache.sqlite") for _ in range(3)]
    texts = [f"text {number}" for number in range(60)]
    with ThreadPoolExecutor(3) as pool:
        made = list(pool.map(lambda cache: [cache.embed([text], "query")[0] for text in texts], caches))
    assert all((np.stack(rows) == np.stack(made[0])).all() for rows in made)
    for cache in caches:
        cache.close()
    last = Counting()
    with CachedEmbedder(embedder=last, path=tmp_path / "cache.sqlite") as again:
        assert (again.embed(texts, "query") == np.stack(made[0])).all()
    assert last.asked == []


class Varying(Counting):
    """A server's embedder, whose vectors are never the same twice; `meanwhile` is done while it works."""

    times = count(1)

    def __init__(self, meanwhile: Callable[[], object] = lambda: None) -> None:
        super().__init__()
        self._meanwhile = meanwhile

    def embed(self, texts: Sequence[str], side: Side) -> NDArray[np.float32]:
        rows = super().embed(texts, side) + np.float32(next(self.times))
        self._meanwhile()
        return rows


@pytest.mark.parametrize("shared", ["file", "file, a torn vector in it", "memory"])
def test_whoever_embeds_a_text_at_the_same_time_gets_the_vector_that_was_kept_first(
    shared: str, tmp_path: Path
) -> None:
    path = None if shared == "memory" else tmp_path / "cache.sqlite"
    if path is not None and "torn" in shared:
        with CachedEmbedder(embedder=Counting(), path=path) as cache:
            cache.embed(["a", "b"], "query")
        with sqlite3.connect(path) as file:
            file.execute("UPDATE vectors SET vector = x'00'")
        file.close()
    met: list[NDArray[np.float32]] = []

    def other_asks() -> None:
        if not met:
            met.append(np.empty(0, dtype=np.float32))
            met[0] = second.embed(["a", "b"], "query")

    first = CachedEmbedder(embedder=Varying(other_asks), path=path)
    second = first if path is None else CachedEmbedder(embedder=Varying(), path=path)
    mine = first.embed(["b", "a", "c"], "query")
    assert (mine[:2] == met[0][::-1]).all()
    assert (first.embed(["a", "b"], "query") == met[0]).all()
    assert (second.embed(["c"], "query") == mine[2:]).all()
    first.close()
    second.close()
    if path is not None:
        with CachedEmbedder(embedder=Varying(), path=path) as resumed:
            assert (resumed.embed(["b", "a", "c"], "query") == mine).all()


def test_an_unusable_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "cache.sqlite"
    path.write_bytes(b"this is not a database" * 100)
    with pytest.raises(SetupError, match="delete it"):
        CachedEmbedder(embedder=Counting(), path=path).embed(["a"], "query")
    assert path.read_bytes() == b"this is not a database" * 100
    with pytest.raises(ValueError, match="capacity is 0"):
        CachedEmbedder(embedder=Counting(), capacity=0)


def test_what_is_around_a_file_is_no_reason_to_delete_it(tmp_path: Path) -> None:
    path = tmp_path / "cache.sqlite"
    with CachedEmbedder(embedder=Counting(), path=path) as cache:
        cache.embed(["a"], "query")
        with sqlite3.connect(path) as other:
            [pages] = other.execute("PRAGMA page_count").fetchone()
        full = cache._opened()
        assert full is not None
        full.execute(f"PRAGMA max_page_count={pages}")
        with pytest.raises(InfraError, match=r"full: see to the disk: is there room\? What it holds is whole"):
            cache.embed([f"text {number}" for number in range(500)], "query")
    inner = Counting()
    with CachedEmbedder(embedder=inner, path=path) as again:
        again.embed(["a"], "query")
    assert inner.asked == []


def test_a_file_that_is_only_looked_into_stays_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "there" / "cache.sqlite"
    looked = CachedEmbedder(embedder=Counting(), path=path, writes=False)
    looked.embed(["a"], "query")
    assert not path.parent.exists()
    with CachedEmbedder(embedder=Counting(), path=path) as cache:
        kept = cache.embed(["a"], "query")
    before = {each.name: each.read_bytes() for each in path.parent.iterdir()}
    with CachedEmbedder(embedder=Counting(), path=path, writes=False) as cache:
        assert (cache.embed(["a", "b"], "query")[0] == kept[0]).all()
    assert {each.name: each.read_bytes() for each in path.parent.iterdir()} == before


def test_closing_leaves_a_cache_in_memory(tmp_path: Path) -> None:
    inner = Counting()
    cache = CachedEmbedder(embedder=inner, path=tmp_path / "cache.sqlite")
    cache.embed(["a"], "query")
    cache.close()
    cache.close()
    cache.embed(["a", "b"], "query")
    assert [text for _, text in inner.asked] == ["a", "b"]


def test_an_embedder_that_returns_another_shape_is_told_and_nothing_is_kept() -> None:
    for rows in (1, 3):
        inner = Counting()
        cache = CachedEmbedder(embedder=inner)
        good = inner.embed
        inner.embed = lambda texts, side, rows=rows: np.ones((rows, 1), dtype=np.float32)  # type: ignore[method-assign, misc]
        with pytest.raises(SetupError, match=rf"embedder counting returned shape \({rows}, 1\), not \(2, 16\)"):
            cache.embed(["a", "b"], "query")
        inner.embed = good  # type: ignore[method-assign]
        assert cache.embed(["a", "b"], "query").shape == (2, 16)


@pytest.mark.parametrize(
    "value", [5, 5.5, "text", b"", b"short", np.full(16, np.nan, "<f4").tobytes(), np.full(16, np.inf, "<f4").tobytes()]
)
def test_what_is_no_vector_is_made_anew(value: object, tmp_path: Path) -> None:
    path = tmp_path / "vectors.sqlite"
    with CachedEmbedder(embedder=Counting(), path=path) as cache:
        whole = cache.embed(["a", "b"], "query")
    with sqlite3.connect(path) as file:
        assert file.execute("UPDATE vectors SET vector = ?", (value,)).rowcount == 2
    for asked in (2, 0):
        inner = Counting()
        with CachedEmbedder(embedder=inner, path=path) as cache:
            assert (cache.embed(["a", "b"], "query") == whole).all()
        assert len(inner.asked) == asked
