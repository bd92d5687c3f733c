"""The facade of the bank: add experiences, search them, look at them as they were before a position.

with Bank.open(Path("bank.sqlite"), embedder) as bank:
    bank.add(experience)
    hits = bank.search("how much did I spend in May", 1, exclude_task="17")
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from reasoningbank.bank.index import VectorIndex
from reasoningbank.bank.store import QUERY, Store, differing, dump
from reasoningbank.errors import BankError, InfraError
from reasoningbank.interfaces import Embedder, Side
from reasoningbank.types import Experience, Hit
from reasoningbank.vectors import embedded

Key = Literal["query", "item"]
METRIC = "cosine"


class Bank:
    """Experiences in the order they were learnt. Thread-safe. Use `Bank.open`."""

    def __init__(self, store: Store, embedder: Embedder, *, key: Key) -> None:
        self.key = key
        self.dims = embedder.dims
        self.embedder_id = embedder.id
        self.scope = store.meta.get("scope", "")
        self.store = store
        self._embedder = embedder
        self._index = VectorIndex(dims=embedder.dims)
        self._follow_lock = threading.Lock()
        self._seen = 0
        self._version = store.version()
        self._follow()

    @classmethod
    def open(
        cls,
        path: Path | str | None,
        embedder: Embedder,
        *,
        key: Key = "query",
        create: bool = True,
        scope: str | None = None,
        notes: Mapping[str, str] | None = None,
    ) -> Bank:
        """The bank at `path`, made where there is none (None: a bank in memory). `key` is what search ranks by:
        an experience's query, or each item's title and description. `scope` names the world that task ids are of
        (None: whichever the file has; a new one has the empty scope, a world that nobody knows). `notes` is what else
        a new file says of itself in its meta, such as what made it; a file that is there keeps its own.

        BankError: not a bank, damaged, of a newer schema, or made with another embedder, dims, metric, key or scope.
        The file is then as it was to the byte.
        """
        meta = wanted_meta(embedder, key)
        if scope is not None:
            meta["scope"] = scope
        place = Path(path) if path is not None else None
        store = Store.open(place, meta, notes=notes or {}, dims=embedder.dims, create=create)
        try:
            return cls(store, embedder, key=key)
        except (BankError, InfraError):
            store.close()
            raise

    def add(self, experience: Experience) -> bool:
        """Store an experience with its vectors, durably, in one transaction. False: it was there, with equal content.

        BankError where the id is taken by other content. An experience without items is kept but never a search
        result; so is one whose text has no words, and thus no direction.
        """
        if self.key == "query":
            texts = [(QUERY, experience.query)] if experience.items else []
        else:
            texts = [(number, f"{item.title}\n{item.description}") for number, item in enumerate(experience.items)]
        vectors = self._embed([text for _, text in texts], "document") if texts else []
        numbers = [number for number, _ in texts]
        added = self.store.add(experience, list(zip(numbers, vectors, strict=True)))
        self._follow()
        return added

    def search(
        self,
        query: str,
        k: int,
        *,
        exclude_task: str | None = None,
        exclude_template: str | None = None,
        not_after: str | None = None,
    ) -> list[Hit]:
        """The k best hits by cosine, best first; nothing of an excluded task or template takes a place, and with the
        date `not_after` nothing of a later date or of none.

        key=query: experiences, each with all its items. key=item: items, each a hit of its own. Equal scores come
        earliest (position, attempt) first. Writes nothing.
        """
        return self._search(query, k, exclude_task, exclude_template, not_after, None)

    def next_position(self) -> int:
        """A position that no other caller gets or has, in whichever process: for ids that must differ."""
        return self.store.next_position()

    def get(self, experience_id: str) -> Experience:
        """The experience of that id. BankError where there is none."""
        return self.store.get(experience_id)

    def all(self) -> list[Experience]:
        """Every experience, in the order of addition."""
        return self.store.all()

    def ids(self) -> list[tuple[int, str]]:
        """(position, experience id) of every experience, in the order of addition."""
        return self.store.ids()

    def pending(self, learnt: Iterable[Experience]) -> list[Experience]:
        """Of the experiences a journal has, in its order, those this bank lacks: the tail to `add` again.

        BankError where the bank is not a beginning of that order, with equal content: then it belongs to another
        journal.
        """
        wanted = list(learnt)
        held = self.store.bodies()
        for number, (name, body) in enumerate(held):
            if number < len(wanted) and dump(wanted[number]) == body:
                continue
            if number >= len(wanted):
                there = "the journal ends before it"
            elif wanted[number].id != name:
                there = f"the journal has {wanted[number].id!r} (position {wanted[number].position})"
            else:
                there = f"the journal has it with another {differing(self.get(name), wanted[number])}"
            raise BankError(
                f"bank {self.store.name} does not belong to this journal: its entry {number} is {name!r}, where "
                f"{there}; nothing was changed: name the run's own bank, or move it away (with its -wal) and the bank "
                "is filled again from the journal"
            )
        return wanted[len(held) :]

    def snapshot(self, position: int) -> Snapshot:
        """A reader that sees only what was learnt at earlier positions, whatever is added meanwhile."""
        return Snapshot(self, position)

    def close(self) -> None:
        """Close the file. Closing twice is no error; any other use afterwards is a BankError."""
        self.store.close()

    def __enter__(self) -> Bank:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __len__(self) -> int:
        return len(self.ids())

    def _search(
        self,
        query: str,
        k: int,
        exclude_task: str | None,
        exclude_template: str | None,
        not_after: str | None,
        before: int | None,
    ) -> list[Hit]:
        if k < 0:
            raise ValueError(f"k is {k}; it must be 0 or more")
        version = self.store.version()
        if version != self._version:  # another process has added something
            self._version = version
            self._follow()
        if k == 0 or not len(self._index):
            return []
        vector = self._embed([query], "query")[0]
        if not vector.any():
            return []
        hits = []
        for found in self._index.search(
            vector,
            k,
            exclude_task=exclude_task,
            exclude_template=exclude_template,
            not_after=not_after,
            before=before,
        ):
            experience = self.store.get(found.experience_id)
            items = experience.items if found.item == QUERY else (experience.items[found.item],)
            hits.append(Hit(experience=experience, items=items, score=found.score))
        return hits

    def _follow(self) -> None:
        """Bring what the store has and the index lacks into the index."""
        with self._follow_lock:
            rows = self.store.vectors_after(self._seen)
            if not rows:
                return
            norms = np.linalg.norm(np.stack([row.vector for row in rows]), axis=1)
            for row, norm in zip(rows, norms, strict=True):
                if not (norm == 0 or abs(norm - 1) < 1e-3):
                    raise BankError(
                        f"bank {self.store.name} is damaged: the vector of {row.experience_id!r} has length {norm}, "
                        "not 1; the file was left as it is: restore it from a copy"
                    )
            self._index.extend(rows)
            self._seen = rows[-1].seq

    def _embed(self, texts: list[str], side: Side) -> list[NDArray[np.float32]]:
        """Rows of unit length, or of zeros."""
        rows = embedded(self._embedder, texts, side).astype(np.float64)
        norms = np.linalg.norm(rows, axis=1, keepdims=True)
        return list(np.divide(rows, norms, out=np.zeros_like(rows), where=norms > 0).astype(np.float32))


def wanted_meta(embedder: Embedder, key: str) -> dict[str, str]:
    """What a bank's file must say to be used with these settings."""
    if key not in ("query", "item"):
        raise BankError(f"retrieval key is {key!r}; it must be 'query' or 'item'")
    return {"embedder": embedder.id, "dims": str(embedder.dims), "metric": METRIC, "key": key}


class Snapshot:
    """A bank as it was before one position. A BankReader."""

    def __init__(self, bank: Bank, position: int) -> None:
        self._bank = bank
        self._position = position

    def search(
        self,
        query: str,
        k: int,
        *,
        exclude_task: str | None,
        exclude_template: str | None = None,
        not_after: str | None = None,
    ) -> list[Hit]:
        """As `Bank.search`, among earlier positions. A method must say whose lessons it leaves out."""
        return self._bank._search(query, k, exclude_task, exclude_template, not_after, self._position)

    def get(self, experience_id: str) -> Experience:
        """As `Bank.get`; BankError also for what was learnt at this position or later."""
        experience = self._bank.get(experience_id)
        if experience.position >= self._position:
            raise BankError(
                f"experience {experience_id!r} is of position {experience.position}, after this view of the bank, "
                f"which ends before position {self._position}"
            )
        return experience

    def all(self) -> list[Experience]:
        """The experiences of earlier positions, in the order of addition."""
        return self._bank.store.all(self._position)
