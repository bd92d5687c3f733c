"""Whether a bank's rows are what was written: `ops` has a digest of each addition, and of the bank as it was made."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from reasoningbank.types import digest

CREATE, ADD, RESERVE = "create", "add", "reserve"
"""The operations: the bank was made, an experience was added, a position was given out."""


class Fault(NamedTuple):
    """Something that is not as it was written. `experience_id` is empty where it is of no single experience."""

    experience_id: str
    detail: str


def made_digest(db: sqlite3.Connection) -> str:
    """SHA-256 of the settings and the tables of a bank, which nothing changes after it was made."""
    meta = db.execute("SELECT key, value FROM meta ORDER BY key").fetchall()
    schema = db.execute(
        "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite%' ORDER BY name"
    ).fetchall()
    return digest([[str(value) for value in row] for row in (*meta, *schema)])


def vectors_hash(vectors: Iterable[tuple[object, object]]) -> hashlib._Hash:
    """A hash of (item number, vector)s in their order, to which more can be added."""
    hasher = hashlib.sha256()
    for item, vector in vectors:
        _update(hasher, item, vector)
    return hasher


def row_digest(columns: Sequence[object], body: object, vectors: bytes) -> str:
    """SHA-256 of an experience's row and of the hash of its vectors."""
    hasher = hashlib.sha256(json.dumps([*columns], default=repr).encode())
    hasher.update(body.encode("utf-8", "surrogatepass") if isinstance(body, str) else repr(body).encode())
    hasher.update(vectors)
    return hasher.hexdigest()


def faults(db: sqlite3.Connection) -> Iterator[Fault]:
    """Every difference between the rows and what `ops` says of them."""
    made: list[str] = []
    added: dict[str, str] = {}
    for op, key, detail in db.execute("SELECT op, experience_id, detail FROM ops ORDER BY seq"):
        if op == ADD and key not in added:
            added[key] = detail
        elif op == CREATE:
            made.append(detail)
        elif op != RESERVE:
            yield Fault(str(key), f"operation {op!r} cannot be" if op != ADD else "was added twice")
    if made != [made_digest(db)]:
        yield Fault("", "its settings or tables are not as they were made")

    hashes: dict[str, hashlib._Hash] = {}
    owners: list[str] = []
    for key, item, vector in db.execute("SELECT experience_id, item, vector FROM vectors ORDER BY seq"):
        if not owners or owners[-1] != key:
            owners.append(key)
        if key in hashes:
            _update(hashes[key], item, vector)
        else:
            hashes[key] = vectors_hash([(item, vector)])

    none = vectors_hash(())
    there: list[str] = []
    for *columns, body in db.execute(
        "SELECT id, position, attempt, task_id, template_id, items, body FROM experiences ORDER BY seq"
    ):
        key = columns[0]
        there.append(key)
        if key not in added:
            yield Fault(str(key), "there, but no operation added it")
        elif row_digest(columns, body, hashes.get(key, none).digest()) != added[key]:
            yield Fault(str(key), "its content or its vectors are not what was added")
    held = set(there)
    yield from (Fault(str(key), "added by an operation, but not there") for key in added if key not in held)
    yield from (Fault(str(key), "a vector of it is there without it") for key in hashes if key not in held)
    if there != [key for key in added if key in held]:
        yield Fault("", "its experiences are not in the order of addition")
    if [key for key in owners if key in held] != [key for key in there if key in hashes]:
        yield Fault("", "its vectors are not in the order of addition")


def _update(hasher: hashlib._Hash, item: object, vector: object) -> None:
    content = vector if isinstance(vector, bytes) else repr(vector).encode()
    hasher.update(f"{item!r} {type(vector).__name__} {len(content)} ".encode())
    hasher.update(content)
