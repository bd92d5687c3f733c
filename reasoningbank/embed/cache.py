"""Embeddings kept by (embedder id, side, text): in memory up to a bound, and in a SQLite file where one is named."""

from __future__ import annotations

import hashlib
import os
import random
import sqlite3
import threading
import time
import weakref
from collections import OrderedDict
from collections.abc import Callable, Sequence
from contextlib import closing
from itertools import islice
from pathlib import Path
from types import TracebackType
from urllib.parse import quote

import numpy as np
from numpy.typing import NDArray

from reasoningbank.errors import InfraError, SetupError
from reasoningbank.files import shortage
from reasoningbank.interfaces import Embedder, RemoteEmbedder, Side
from reasoningbank.retry import RetryPolicy, Waiting
from reasoningbank.types import canonical_json
from reasoningbank.vectors import embedded


class CachedEmbedder:
    """Another embedder, asked for each text once. It has that embedder's `id`, `dims` and `asymmetric`.

    A remote embedder is asked in batches, each tried again by the retry policy and kept as soon as it is there.
    """

    def __init__(
        self,
        *,
        embedder: Embedder,
        capacity: int = 4096,
        path: Path | None = None,
        writes: bool = True,
        retry: RetryPolicy | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """`capacity` bounds the vectors in memory, oldest use out first; `path` is a file that outlives the process,
        made when the first text is embedded; with `writes=False` it is only looked into, if it is there."""
        if capacity < 1:
            raise ValueError(f"capacity is {capacity}; it must be at least 1")
        self.id = embedder.id
        self.dims = embedder.dims
        self.asymmetric = embedder.asymmetric
        self.embedder = embedder
        self.waiting: Waiting = lambda text: None
        """Gets what is waited for, such as the end of an outage."""
        self._retry = retry or RetryPolicy()
        self._sleep = sleep
        self._capacity = capacity
        self._memory: OrderedDict[bytes, NDArray[np.float32]] = OrderedDict()
        self._lock = threading.RLock()
        self._path = path
        self._writes = writes
        self._file: sqlite3.Connection | None = None

    def embed(self, texts: Sequence[str], side: Side) -> NDArray[np.float32]:
        """Rows of shape (len(texts), dims): from the cache where it has them; the rest is embedded."""
        keys = [self._key(side, text) for text in texts]
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
        left = iter(missing)
        for batch in self._batches(list(missing.values())):
            # outside the lock: a remote embedder may take seconds, and embedding a text twice does no harm
            fresh = self._ask(batch, side)
            with self._lock:
                made = {key: vector.copy() for key, vector in zip(islice(left, len(batch)), fresh)}
                kept = self._first(made)
                found |= {key: self._keep(key, vector) for key, vector in kept.items()}
        rows = np.empty((len(texts), self.dims), dtype=np.float32)
        for row, key in zip(rows, keys, strict=True):
            row[:] = found[key]
        return rows

    def _batches(self, texts: list[str]) -> list[list[str]]:
        if isinstance(self.embedder, RemoteEmbedder):
            return self.embedder.batches(texts)
        return [texts] if texts else []

    def _ask(self, texts: list[str], side: Side) -> NDArray[np.float32]:
        def once(failures: int) -> NDArray[np.float32]:
            return embedded(self.embedder, texts, side)

        if not isinstance(self.embedder, RemoteEmbedder):
            return once(0)
        rng = random.Random(self._key(side, texts[0]))
        return self._retry.run(once, rng=rng, sleep=self._sleep, waiting=self.waiting)

    def _key(self, side: Side, text: str) -> bytes:
        """What a vector is kept under. Where both sides are the same, what was made for the one serves the other."""
        named = [self.id, side if self.asymmetric else "", text]
        return hashlib.sha256(canonical_json(named).encode("utf-8", "surrogatepass")).digest()

    def check(self) -> None:
        """SetupError or InfraError where what stands at the file's place cannot be used. Makes no file, asks nobody,
        and leaves nothing open that a process begun later would share."""
        if self._path is None or not self._path.exists():
            return
        if not self._path.is_file():
            raise SetupError(f"embedding cache {self._path}: this is no file: move it away, or set another results_dir")
        try:
            with closing(_open_as_it_is(self._path)) as file:
                file.execute("SELECT count(*) FROM sqlite_master").fetchone()
        except sqlite3.Error as error:
            raise _unusable(self._path, error) from error

    def close(self) -> None:
        """Close the file. Afterwards the cache works in memory alone."""
        with self._lock:
            self._path = None
            if self._file is not None:
                self._file.close()
                self._file = None

    def __enter__(self) -> CachedEmbedder:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _look_up(self, key: bytes) -> NDArray[np.float32] | None:
        vector = self._memory.get(key)
        if vector is not None:
            self._memory.move_to_end(key)
            return vector
        file = self._opened()
        if file is None:
            return None
        try:
            row = file.execute("SELECT vector FROM vectors WHERE key = ?", (key,)).fetchone()
        except sqlite3.Error as error:
            raise _unusable(self._path, error) from error
        vector = None if row is None else self._vector(row[0])
        return None if vector is None else self._keep(key, vector)

    def _vector(self, value: object) -> NDArray[np.float32] | None:
        """What a row holds; None where that is no vector of this embedder, which is then made anew."""
        if not isinstance(value, bytes) or len(value) != 4 * self.dims:
            return None
        vector = np.frombuffer(value, dtype="<f4").astype(np.float32)
        return vector if np.isfinite(vector).all() else None

    def _opened(self) -> sqlite3.Connection | None:
        if self._file is None and self._path is not None and (self._writes or self._path.is_file()):
            self._file = _open(self._path) if self._writes else _open_as_it_is(self._path)
            weakref.finalize(self, self._file.close)
        return self._file

    def _keep(self, key: bytes, vector: NDArray[np.float32]) -> NDArray[np.float32]:
        self._memory[key] = vector
        self._memory.move_to_end(key)
        while len(self._memory) > self._capacity:
            self._memory.popitem(last=False)
        return vector

    def _first(self, made: dict[bytes, NDArray[np.float32]]) -> dict[bytes, NDArray[np.float32]]:
        """For each key the vector that was kept first: these, or what another thread or process has made meanwhile. A
        server may give a text another vector each time, and all who ask for it here get the same."""
        file = self._opened() if self._writes else None
        if file is None:
            return {key: self._memory.get(key, vector) for key, vector in made.items()}
        kept: dict[bytes, NDArray[np.float32]] = {}
        try:
            with file:
                file.execute("BEGIN IMMEDIATE")
                for key, vector in made.items():
                    row = file.execute("SELECT vector FROM vectors WHERE key = ?", (key,)).fetchone()
                    there = None if row is None else self._vector(row[0])
                    if there is None:
                        blob = vector.astype("<f4").tobytes()
                        file.execute("INSERT OR REPLACE INTO vectors (key, vector) VALUES (?, ?)", (key, blob))
                    kept[key] = vector if there is None else there
        except sqlite3.Error as error:
            raise _unusable(self._path, error) from error
        return kept


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


def _open_as_it_is(path: Path) -> sqlite3.Connection:
    """For reading alone, also in a folder that nobody may write to."""
    unseen = path.with_name(f"{path.name}-wal").exists()
    name = f"file:{quote(os.fsencode(path.absolute()))}?mode=ro{'' if unseen else '&immutable=1'}"
    try:
        return sqlite3.connect(name, uri=True, check_same_thread=False, timeout=30)
    except sqlite3.Error as error:
        raise _unusable(path, error) from error


def _unusable(path: Path | None, error: Exception) -> SetupError | InfraError:
    """The error for a file that cannot be used: InfraError where what is around it is at fault, not what it holds."""
    code = (getattr(error, "sqlite_errorcode", None) or sqlite3.SQLITE_ERROR) & 0xFF
    if shortage(error):
        return InfraError(f"embedding cache {path}: {error}")
    if code in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR):
        return InfraError(f"embedding cache {path}: {error}: see to the disk: is there room? What it holds is whole")
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return InfraError(f"embedding cache {path}: {error}: another process holds it; wait for it, or end it")
    if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        return SetupError(f"embedding cache {path}: {error}; delete it: what it held is embedded again")
    return SetupError(f"embedding cache {path}: {error}; see to the file and its folder, or set another results_dir")
