"""Embeddings kept by (embedder id, side, text): in memory up to a bound, and in a SQLite file where one is named."""

from __future__ import annotations

import hashlib
import sqlite3
import threading
from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType

import numpy as np
from numpy.typing import NDArray

from reasoningbank.boundary import attempt_edge, file_of
from reasoningbank.errors import SetupError
from reasoningbank.interfaces import Embedder, Side
from reasoningbank.types import canonical_json


class CachedEmbedder:
    """Another embedder, asked for each text once. It has that embedder's `id` and `dims`."""

    def __init__(self, *, embedder: Embedder, capacity: int = 4096, path: Path | None = None) -> None:
        """`capacity` bounds the vectors in memory, oldest use out first; `path` is a file that outlives the process."""
        if capacity < 1:
            raise ValueError(f"capacity is {capacity}; it must be at least 1")
        self.id = embedder.id
        self.dims = embedder.dims
        self.embedder = embedder
        self._capacity = capacity
        self._memory: OrderedDict[bytes, NDArray[np.float32]] = OrderedDict()
        self._lock = threading.RLock()
        self._path = path
        self._file = _open(path) if path is not None else None

    def embed(self, texts: Sequence[str], side: Side) -> NDArray[np.float32]:
        """Rows of shape (len(texts), dims): from the cache where it has them, the rest embedded in one call."""
        keys = [_key(self.id, side, text) for text in texts]
        found: dict[bytes, NDArray[np.float32]] = {}
        missing: dict[bytes, str] = {}
        with self._lock:
            for key, text in zip(keys, texts, strict=True):
                if key in found:
                    continue
                vector = self._look_up(key)
                if vector is None:
                    missing[key] = text
                else:
                    found[key] = vector
        if missing:
            # outside the lock: a remote embedder may take seconds, and embedding a text twice does no harm
            made = attempt_edge(lambda: self.embedder.embed(list(missing.values()), side), source="embedder")
            fresh = self._checked(made, len(missing))
            with self._lock:
                for key, vector in zip(missing, fresh, strict=True):
                    found[key] = self._keep(key, vector.copy())
                self._write({key: found[key] for key in missing})
        rows = np.empty((len(texts), self.dims), dtype=np.float32)
        for row, key in zip(rows, keys, strict=True):
            row[:] = found[key]
        return rows

    def close(self) -> None:
        """Close the file. Afterwards the cache works in memory alone."""
        with self._lock:
            if self._file is not None:
                self._file.close()
                self._file = None

    def __enter__(self) -> CachedEmbedder:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _checked(self, made: object, count: int) -> NDArray[np.float32]:
        """Vectors as they are kept. SetupError where they are none."""
        wrong = ""
        try:
            given = np.asarray(made)
            if given.dtype.kind not in "fiu":
                raise TypeError
            with np.errstate(over="ignore"):
                rows = given.astype(np.float32)
        except (TypeError, ValueError):
            wrong = "no vectors of numbers"
        else:
            if rows.shape != (count, self.dims):
                wrong = f"shape {rows.shape}, not {(count, self.dims)}"
            elif not np.isfinite(rows).all():
                wrong = "a vector that is not finite"
        if wrong:
            raise SetupError(
                f"embedder {self.id} returned {wrong}; nothing was kept: check its settings, or mend it in "
                f"{file_of(self.embedder)}"
            )
        return rows

    def _look_up(self, key: bytes) -> NDArray[np.float32] | None:
        vector = self._memory.get(key)
        if vector is not None:
            self._memory.move_to_end(key)
            return vector
        if self._file is None:
            return None
        try:
            row = self._file.execute("SELECT vector FROM vectors WHERE key = ?", (key,)).fetchone()
        except sqlite3.Error as error:
            raise _unusable(self._path, error) from error
        # a blob of another length is no vector of this embedder: it is made anew
        if row is None or len(row[0]) != 4 * self.dims:
            return None
        return self._keep(key, np.frombuffer(row[0], dtype="<f4").astype(np.float32))

    def _keep(self, key: bytes, vector: NDArray[np.float32]) -> NDArray[np.float32]:
        self._memory[key] = vector
        self._memory.move_to_end(key)
        while len(self._memory) > self._capacity:
            self._memory.popitem(last=False)
        return vector

    def _write(self, vectors: dict[bytes, NDArray[np.float32]]) -> None:
        if self._file is None:
            return
        rows = [(key, vector.astype("<f4").tobytes()) for key, vector in vectors.items()]
        try:
            with self._file:
                self._file.executemany("INSERT OR REPLACE INTO vectors (key, vector) VALUES (?, ?)", rows)
        except sqlite3.Error as error:
            raise _unusable(self._path, error) from error


def _key(embedder_id: str, side: Side, text: str) -> bytes:
    return hashlib.sha256(canonical_json([embedder_id, side, text]).encode("utf-8", "surrogatepass")).digest()


def _open(path: Path) -> sqlite3.Connection:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        file = sqlite3.connect(path, check_same_thread=False, timeout=30)
    except (OSError, sqlite3.Error) as error:
        raise _unusable(path, error) from error
    try:
        file.execute("PRAGMA journal_mode=WAL")
        file.execute("PRAGMA synchronous=NORMAL")
        file.execute("CREATE TABLE IF NOT EXISTS vectors (key BLOB PRIMARY KEY, vector BLOB NOT NULL) WITHOUT ROWID")
    except sqlite3.Error as error:
        file.close()
        raise _unusable(path, error) from error
    return file


def _unusable(path: Path | None, error: Exception) -> SetupError:
    return SetupError(f"embedding cache {path}: {error}; delete it (it is made again) or name another file")
