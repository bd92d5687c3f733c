"""The bank's rows in SQLite: an experience, its vectors and the operation that added them are one transaction."""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from pydantic import ValidationError

from reasoningbank.bank import files
from reasoningbank.bank.content import ADD, RESERVE, row_digest, vector_digest
from reasoningbank.errors import BankError
from reasoningbank.failpoints import failpoint
from reasoningbank.types import Experience

QUERY = -1  # the item number of a vector that is of the query


class VectorRow(NamedTuple):
    """A stored vector with what a search must know of its experience."""

    seq: int
    experience_id: str
    item: int
    position: int
    attempt: int
    task_id: str
    template_id: str
    date: str
    vector: NDArray[np.float32]


class Store:
    """One connection, used by one thread at a time under its lock. Every sqlite3.Error leaves as a BankError or,
    where the system is short of something, an InfraError."""

    def __init__(
        self, db: sqlite3.Connection, *, name: str, dims: int, meta: dict[str, str], path: Path | None = None
    ) -> None:
        self.name = name
        self.meta = meta
        self._path = path and path.absolute()
        self._file = path and files.identity(path)
        self._db: sqlite3.Connection | None = db
        self._dims = dims
        self._lock = threading.RLock()

    @classmethod
    def open(
        cls, path: Path | None, meta: dict[str, str], *, notes: Mapping[str, str], dims: int, create: bool
    ) -> Store:
        """The store at `path` (None: in memory), made with `meta` and `notes` where there is none. Refuses one with
        other meta (a key of the file that `meta` lacks may be anything), and one whose content is not what was written.
        """
        made = {"scope": "", **notes, **meta}
        if path is None:
            db = sqlite3.connect(":memory:", check_same_thread=False, isolation_level=None)
            files.write_schema(db, made)
            return cls(db, name="in memory", dims=dims, meta=made)
        if not path.exists():
            if not create:
                raise BankError(f"no bank at {path}; check the path")
            files.create(path, made)
        found = files.check(path)
        compare(path, found, meta)
        try:
            db = sqlite3.connect(path, check_same_thread=False, isolation_level=None, timeout=30)
        except sqlite3.Error as error:
            raise files.refusal(path, error) from error
        try:
            db.execute("PRAGMA journal_mode=WAL")
            db.execute("PRAGMA synchronous=FULL")  # an experience that `add` returned from survives a power cut
            db.execute("PRAGMA foreign_keys=ON")
        except sqlite3.Error as error:
            db.close()
            raise files.refusal(path, error) from error
        return cls(db, name=str(path), dims=dims, meta=found, path=path)

    def add(self, experience: Experience, vectors: Sequence[tuple[int, NDArray[np.float32]]]) -> bool:
        """Write an experience with its (item number, vector)s. False: it was there already, with equal content."""
        with self._writing() as db:
            known = db.execute("SELECT body FROM experiences WHERE id = ?", (experience.id,)).fetchone()
            if known is not None:
                self._same(experience, known[0])
                return False
            self._insert(db, experience, vectors)
            failpoint("bank.commit")
        return True

    def next_position(self) -> int:
        """One more than any position that is stored or was given out by this, by whichever process."""
        with self._writing() as db:
            stored = db.execute("SELECT max(position) FROM experiences").fetchone()[0]
            given = db.execute("SELECT detail FROM ops WHERE op = ? ORDER BY seq DESC LIMIT 1", (RESERVE,)).fetchone()
            position = 1 + max(-1, -1 if stored is None else stored, -1 if given is None else int(given[0]))
            db.execute("INSERT INTO ops (op, experience_id, detail) VALUES (?, '', ?)", (RESERVE, str(position)))
        return position

    def get(self, experience_id: str) -> Experience:
        """The experience of that id. BankError where there is none."""
        with self._using() as db:
            row = db.execute("SELECT body FROM experiences WHERE id = ?", (experience_id,)).fetchone()
        if row is None:
            raise BankError(f"bank {self.name} has no experience {experience_id!r}; list its ids to find the right one")
        return self._parse(experience_id, row[0])

    def all(self, before: int | None = None) -> list[Experience]:
        """Every experience (of a position before `before`), in the order of addition."""
        with self._using() as db:
            rows = db.execute(
                "SELECT id, body FROM experiences WHERE ?1 IS NULL OR position < ?1 ORDER BY seq", (before,)
            ).fetchall()
        return [self._parse(*row) for row in rows]

    def ids(self) -> list[tuple[int, str]]:
        """(position, experience id) of every experience, in the order of addition."""
        with self._using() as db:
            return db.execute("SELECT position, id FROM experiences ORDER BY seq").fetchall()

    def bodies(self) -> list[tuple[str, str]]:
        """(experience id, its JSON as stored) of every experience, in the order of addition."""
        with self._using() as db:
            return db.execute("SELECT id, body FROM experiences ORDER BY seq").fetchall()

    def vectors_after(self, seq: int) -> list[VectorRow]:
        """The vectors added after row `seq` whose experience has items, in the order of addition."""
        with self._using() as db:
            rows = db.execute(
                "SELECT v.seq, v.experience_id, v.item, e.position, e.attempt, e.task_id, e.template_id, "
                # no column: banks from before there were dates are read as they are
                "coalesce(json_extract(e.body, '$.date'), ''), v.vector "
                "FROM vectors v JOIN experiences e ON e.id = v.experience_id "
                "WHERE v.seq > ? AND e.items > 0 ORDER BY v.seq",
                (seq,),
            ).fetchall()
        for row in rows:
            if not isinstance(row[-1], bytes) or len(row[-1]) != 4 * self._dims:
                raise files.damaged(self.name, f"the vector of {row[1]!r} is not {self._dims} float32 values")
        return [VectorRow._make((*row[:-1], np.frombuffer(row[-1], dtype="<f4"))) for row in rows]

    def version(self) -> int:
        """A number that changes when another connection has changed the file."""
        with self._using() as db:
            return int(db.execute("PRAGMA data_version").fetchone()[0])

    def close(self) -> None:
        """Close the file; SQLite then folds the -wal into it. Closing twice is no error."""
        with self._lock:
            if self._db is not None:
                self._db.close()
                self._db = None

    @contextmanager
    def _using(self) -> Iterator[sqlite3.Connection]:
        with self._lock:
            if self._db is None:
                raise BankError(f"bank {self.name} is closed; open it again to use it")
            try:
                yield self._db
            except sqlite3.Error as error:
                raise files.refusal(self.name, error) from error
            except UnicodeEncodeError as error:
                raise BankError(f"bank {self.name}: an id is not valid text: {error}; nothing was changed") from error
            except UnicodeDecodeError as error:
                raise files.refusal(self.name, error) from error

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """One transaction: all of it is durable at the end, or, where something was raised, none."""
        with self._using() as db:
            if self._path is not None and files.identity(self._path) != self._file:
                raise BankError(
                    f"bank {self.name} was deleted, moved or replaced while it was open; nothing was stored, since "
                    "nobody would find it: put the file back, and open it again"
                )
            db.execute("BEGIN IMMEDIATE")
            try:
                yield db
                db.execute("COMMIT")
            finally:
                if db.in_transaction:
                    db.execute("ROLLBACK")

    def _insert(
        self, db: sqlite3.Connection, experience: Experience, vectors: Sequence[tuple[int, NDArray[np.float32]]]
    ) -> None:
        columns = (
            experience.id,
            experience.position,
            experience.attempt,
            experience.task_id,
            experience.template_id,
            len(experience.items),
        )
        body = dump(experience)
        blobs = [(item, vector.astype("<f4").tobytes()) for item, vector in vectors]
        db.execute(
            "INSERT INTO experiences (id, position, attempt, task_id, template_id, items, body) VALUES (?,?,?,?,?,?,?)",
            (*columns, body),
        )
        db.executemany(
            "INSERT INTO vectors (experience_id, item, vector) VALUES (?, ?, ?)",
            [(experience.id, item, blob) for item, blob in blobs],
        )
        written = row_digest(columns, body, [vector_digest(*each) for each in blobs])
        db.execute("INSERT INTO ops (op, experience_id, detail) VALUES (?, ?, ?)", (ADD, experience.id, written))

    def _same(self, experience: Experience, body: str) -> None:
        known = self._parse(experience.id, body)
        if known == experience:
            return
        raise BankError(
            f"bank {self.name} already has an experience {experience.id!r} with another "
            f"{differing(known, experience)}; "
            "nothing was changed: an experience is never overwritten, give the new one its own id"
        )

    def _parse(self, experience_id: str, body: str) -> Experience:
        return parse(self.name, experience_id, body)


def dump(experience: Experience) -> str:
    """An experience as it is stored: equal ones give equal text."""
    # escaped, since SQLite's text cannot hold a lone surrogate
    return json.dumps(experience.model_dump(mode="json"), sort_keys=True, separators=(",", ":"))


def parse(name: Path | str, experience_id: str, body: str) -> Experience:
    """What `dump` made, from the bank `name`."""
    try:
        return Experience.model_validate(json.loads(body))
    except (ValidationError, ValueError, TypeError) as error:
        raise files.damaged(name, f"experience {experience_id!r}: {error}") from error


def differing(one: Experience, other: Experience) -> str:
    """The fields in which two experiences differ."""
    return ", ".join(name for name in Experience.model_fields if getattr(one, name) != getattr(other, name))


def compare(path: Path, found: dict[str, str], wanted: dict[str, str]) -> None:
    """BankError where a bank's meta is not what is wanted."""
    changed = [name for name in wanted if found.get(name) != wanted[name]]
    if changed:
        values = "; ".join(f"{name} is {found.get(name)!r} there, {wanted[name]!r} here" for name in changed)
        raise BankError(
            f"bank {path} was made by other settings: {values}. The file was left as it is: "
            "use the settings it was made with, or name another bank"
        )
