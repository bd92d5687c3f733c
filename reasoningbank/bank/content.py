"""Whether a bank's rows are what was written: `ops` has a digest of each addition, and of the bank as it was made."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterator, Sequence
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


def vector_digest(item: object, vector: object) -> str:
    """An item's number with the SHA-256 of its vector."""
    return f"{item!r} {hashlib.sha256(vector if isinstance(vector, bytes) else repr(vector).encode()).hexdigest()}"


def row_digest(columns: Sequence[object], body: object, vectors: Sequence[str]) -> str:
    """SHA-256 of an experience's row and of what `vector_digest` says of its vectors, in their order."""
    text = body if isinstance(body, str) else repr(body)
    row = f"{list(columns)!a}\n{list(vectors)!a}\n{text}"
    return hashlib.sha256(row.encode("utf-8", "surrogatepass")).hexdigest()


def shared_item_ids(db: sqlite3.Connection) -> Iterator[Fault]:
    """Items that have another item's id: so they may have been added, and nothing can tell them apart."""
    owners: dict[str, str] = {}
    for key, body in db.execute("SELECT id, body FROM experiences ORDER BY seq"):
        for item in _item_ids(body):
            if item in owners:
                yield Fault(str(key), f"its item {item!r} has the id of an item of {owners[item]!r}")
            owners.setdefault(item, str(key))


def _item_ids(body: object) -> list[str]:
    """None of a body that is no experience, which differs from what was added anyway."""
    try:
        return [str(item["id"]) for item in json.loads(str(body))["items"]]
    except (ValueError, KeyError, TypeError, RecursionError):
        return []


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

    vectors: dict[str, list[str]] = {}
    owners: list[str] = []
    last: object = None
    for key, item, vector in db.execute("SELECT experience_id, item, vector FROM vectors ORDER BY seq"):
        if key != last:
            owners.append(key)
            last = key
        vectors.setdefault(key, []).append(vector_digest(item, vector))

    there: list[str] = []
    for *columns, body in db.execute(
        "SELECT id, position, attempt, task_id, template_id, items, body FROM experiences ORDER BY seq"
    ):
        key = columns[0]
        there.append(key)
        if key not in added:
            yield Fault(str(key), "there, but no operation added it")
        elif row_digest(columns, body, vectors.get(key, ())) != added[key]:
            yield Fault(str(key), "its content or its vectors are not what was added")
    held = set(there)
    yield from (Fault(str(key), "added by an operation, but not there") for key in added if key not in held)
    yield from (Fault(str(key), "a vector of it is there without it") for key in vectors if key not in held)
    if there != [key for key in added if key in held]:
        yield Fault("", "its experiences are not in the order of addition")
    if [key for key in owners if key in held] != [key for key in there if key in vectors]:
        yield Fault("", "its vectors are not in the order of addition")
