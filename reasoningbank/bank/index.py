"""Exact nearest vectors by cosine, with FAISS, in an order that never depends on chance.

FAISS finds the candidates; their scores are then computed once more in double precision and rounded, so that equal
texts score equally whatever lies beside them in memory, and ties are broken by (position, attempt), earliest first.
"""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from reasoningbank.bank.store import VectorRow

DECIMALS = 6  # of a score: what float32 vectors can carry

_SLACK = 8  # candidates asked for beyond k, to see whether a tie goes on past k
_ERROR = 1e-4  # above any difference between FAISS's float32 scores and ours


class Ranked(NamedTuple):
    """One result: whose vector, of which item, and its cosine similarity."""

    experience_id: str
    item: int
    score: float


class _Row(NamedTuple):
    experience_id: str
    item: int
    position: int
    attempt: int
    date: str


class VectorIndex:
    """Follows the store: rows are appended, never moved. Thread-safe."""

    def __init__(self, *, dims: int) -> None:
        import faiss

        self._faiss: Any = faiss
        self._index: Any = faiss.IndexFlatIP(dims)
        self._lock = threading.Lock()
        self._rows: list[_Row] = []
        self._by_task: dict[str, list[int]] = defaultdict(list)
        self._by_template: dict[str, list[int]] = defaultdict(list)
        self._latest = -1

    def __len__(self) -> int:
        return len(self._rows)

    def extend(self, rows: Sequence[VectorRow]) -> None:
        """Append vectors of unit length. A zero vector has no direction and is left out: no search finds it."""
        if not rows:
            return
        matrix = np.stack([row.vector for row in rows]).astype(np.float32, copy=False)
        pointed = np.any(matrix != 0, axis=1)
        if not pointed.all():
            rows = [row for row, keep in zip(rows, pointed.tolist(), strict=True) if keep]
            matrix = matrix[pointed]
        with self._lock:
            for number, row in enumerate(rows, start=len(self._rows)):
                self._rows.append(_Row(row.experience_id, row.item, row.position, row.attempt, row.date))
                self._by_task[row.task_id].append(number)
                self._by_template[row.template_id].append(number)
                self._latest = max(self._latest, row.position)
            self._index.add(matrix)

    def search(
        self,
        query: NDArray[np.float32],
        k: int,
        *,
        exclude_task: str | None = None,
        exclude_template: str | None = None,
        not_after: str | None = None,
        before: int | None = None,
    ) -> list[Ranked]:
        """The k best of what is allowed for a `query` of unit length: exclusions come before the ranking."""
        with self._lock:
            allowed = self._allowed(exclude_task, exclude_template, not_after, before)
            size = len(self._rows) if allowed is None else int(allowed.sum())
            k = min(k, size)
            if k < 1:
                return []
            numbers = self._candidates(query[np.newaxis].astype(np.float32), k, size, allowed)
            vectors = self._index.reconstruct_batch(numbers)
            rows = [self._rows[number] for number in numbers]
        # the products of float32s are exact in float64, and each row is summed by itself
        scores = (vectors.astype(np.float64) * query.astype(np.float64)).sum(axis=1).round(DECIMALS) + 0.0
        ranked = sorted(
            zip(scores.tolist(), rows, numbers.tolist(), strict=True),
            key=lambda found: (-found[0], found[1].position, found[1].attempt, found[2]),
        )
        return [Ranked(row.experience_id, row.item, score) for score, row, _ in ranked[:k]]

    def _allowed(
        self, task: str | None, template: str | None, not_after: str | None, before: int | None
    ) -> NDArray[np.bool_] | None:
        excluded = self._by_task.get(task, []) if task is not None else []
        # experiences without a template are not of one template
        same = self._by_template.get(template, []) if template else []
        later = before if before is not None and before <= self._latest else None
        if not (excluded or same or later is not None or not_after is not None):
            return None
        if later is not None:
            positions = np.fromiter((row.position for row in self._rows), dtype=np.int64, count=len(self._rows))
            mask = positions < later
        else:
            mask = np.ones(len(self._rows), dtype=np.bool_)
        if not_after is not None:
            mask &= np.fromiter(("" < row.date <= not_after for row in self._rows), dtype=np.bool_, count=len(mask))
        mask[excluded] = False
        mask[same] = False
        return mask

    def _candidates(
        self, query: NDArray[np.float32], k: int, size: int, allowed: NDArray[np.bool_] | None
    ) -> NDArray[np.int64]:
        """Row numbers of every vector that can be among the first k."""
        parameters = None
        if allowed is not None:
            bits = np.packbits(allowed, bitorder="little")  # must outlive the search
            parameters = self._faiss.SearchParameters(sel=self._faiss.IDSelectorBitmap(bits))
        # the setting belongs to the calling thread; without it FAISS starts as many threads as there are cores
        self._faiss.omp_set_num_threads(1)
        wanted = min(k + _SLACK, size)
        scores, numbers = self._index.search(query, wanted, params=parameters)
        edge = float(scores[0, k - 1]) - _ERROR
        if wanted < size and scores[0, -1] >= edge:
            _, _, found = self._index.range_search(query, edge, params=parameters)
            return np.asarray(found, dtype=np.int64)
        return np.asarray(numbers[0], dtype=np.int64)
