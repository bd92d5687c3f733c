"""Looks a bank over and says what does not fit together. It changes nothing."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import Literal

import numpy as np

from reasoningbank.bank.bank import Bank
from reasoningbank.bank.store import QUERY
from reasoningbank.types import Experience, MemoryItem, Record

FindingKind = Literal["missing_vector", "stray_vector", "wrong_vector", "duplicate_id", "ops_mismatch", "unreadable"]


class Finding(Record):
    """One thing that is wrong, and with which experience."""

    kind: FindingKind
    experience_id: str
    detail: str


def lint(bank: Bank) -> list[Finding]:
    """Every finding, in a stable order; none means that the bank is whole."""
    bodies = {str(key): str(body) for key, body in bank.store.rows("SELECT id, body FROM experiences ORDER BY seq")}
    return [*_bodies(bank, bodies), *_vectors(bank, bodies), *_ops(bank, bodies)]


def _bodies(bank: Bank, bodies: dict[str, str]) -> Iterator[Finding]:
    counts = Counter(str(row[0]) for row in bank.store.rows("SELECT id FROM experiences"))
    for key, count in counts.items():
        if count > 1:
            yield Finding(kind="duplicate_id", experience_id=key, detail=f"{count} experiences have this id")
    owners: dict[str, str] = {}
    for key, body in bodies.items():
        for item in _items(body):
            owner = owners.setdefault(item.id, key)
            if owner != key:
                detail = f"its item {item.id!r} has the id of an item of {owner!r}"
                yield Finding(kind="duplicate_id", experience_id=key, detail=detail)


def _vectors(bank: Bank, bodies: dict[str, str]) -> Iterator[Finding]:
    held: dict[str, set[object]] = {}
    for owner, item, blob in bank.store.rows("SELECT experience_id, item, vector FROM vectors ORDER BY seq"):
        key = str(owner)
        held.setdefault(key, set()).add(item)
        if key not in bodies:
            yield Finding(kind="stray_vector", experience_id=key, detail=f"vector {item} has no experience")
        if not isinstance(blob, bytes) or len(blob) != 4 * bank.dims:
            detail = f"vector {item} is not {bank.dims} float32 values"
            yield Finding(kind="wrong_vector", experience_id=key, detail=detail)
            continue
        norm = float(np.linalg.norm(np.frombuffer(blob, dtype="<f4").astype(np.float64)))
        if not (norm == 0 or abs(norm - 1) < 1e-3):
            yield Finding(kind="wrong_vector", experience_id=key, detail=f"vector {item} has length {norm:g}, not 1")
    for key, body in bodies.items():
        count = len(_items(body))
        wanted: set[object] = set()
        if count:
            wanted = {QUERY} if bank.key == "query" else set(range(count))
        for item in sorted(wanted - held.get(key, set()), key=str):
            yield Finding(kind="missing_vector", experience_id=key, detail=f"vector {item} is missing")
        for item in sorted(held.get(key, set()) - wanted, key=str):
            yield Finding(kind="stray_vector", experience_id=key, detail=f"vector {item} is of nothing in it")


def _ops(bank: Bank, bodies: dict[str, str]) -> Iterator[Finding]:
    for key, body in bodies.items():
        if _json(body) is None:
            yield Finding(kind="unreadable", experience_id=key, detail="its text is not an experience")
    for fault in bank.store.faults():
        yield Finding(kind="ops_mismatch", experience_id=fault.experience_id, detail=fault.detail)


def _items(body: str) -> tuple[MemoryItem, ...]:
    content = _json(body)
    return content.items if content is not None else ()


def _json(body: str) -> Experience | None:
    try:
        return Experience.model_validate(json.loads(body))
    except ValueError:  # ValidationError is one
        return None
