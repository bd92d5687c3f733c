"""A bank copied from a file that stays as it is, and the content of a bank that nobody writes to."""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from reasoningbank.bank import files
from reasoningbank.bank.bank import wanted_meta
from reasoningbank.bank.content import Fault
from reasoningbank.bank.store import compare, parse
from reasoningbank.errors import BankError
from reasoningbank.files import write_atomic
from reasoningbank.interfaces import Embedder
from reasoningbank.types import Experience, digest

_PARTS = ("", "-wal", "-journal")  # what SQLite may keep a database's content in
_TRIES = 20


class Content(NamedTuple):
    """What a bank holds: its settings, and its experiences in the order of addition."""

    meta: dict[str, str]
    experiences: list[Experience]

    @property
    def scope(self) -> str:
        """The world that the task ids are of; empty where nobody knows."""
        return self.meta.get("scope", "")

    def digest(self) -> str:
        """SHA-256 of it all: equal for banks of equal content, however their files lie on disk."""
        return digest([self.meta, [experience.model_dump(mode="json") for experience in self.experiences]])


def copy_bank(source: Path, target: Path) -> None:
    """Make `target` a whole, verified copy, in one file, of the bank `source`, which is left as it is to the byte.

    BankError where the source is no bank, is damaged, or is written to all the time.
    """
    if not source.exists():
        raise BankError(f"no bank at {source}; check the path")
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=f".{target.name}.") as folder:
        held = Path(folder) / "bank.sqlite"
        _copy_still(source, held)
        files.check(held, name=source)
        try:
            with closing(sqlite3.connect(held)) as db, closing(sqlite3.connect(":memory:")) as whole:
                db.backup(whole)
                content = whole.serialize()
        except sqlite3.Error as error:
            raise files.refusal(source, error) from error
        write_atomic(target, content)


def read_bank(path: Path, embedder: Embedder, *, key: str, name: Path | None = None) -> Content:
    """The verified content of a bank that is one file, and that nobody writes to. Errors call it `name`.

    BankError also where it was made with another embedder, dims, metric or key.
    """
    name = name or path
    meta = files.check(path, name=name)
    compare(name, meta, wanted_meta(embedder, key))
    with closing(files.read_only(path)) as db:
        rows = db.execute("SELECT id, body FROM experiences ORDER BY seq").fetchall()
    return Content(meta, [parse(name, *row) for row in rows])


def examine(source: Path) -> list[Fault]:
    """All that is wrong with the bank `source`, which is left as it is to the byte.

    BankError where it is no bank, or is written to all the time.
    """
    if not source.exists():
        raise BankError(f"no bank at {source}; check the path")
    with tempfile.TemporaryDirectory(prefix="reasoningbank-") as folder:
        held = Path(folder) / "bank.sqlite"
        _copy_still(source, held)
        return files.list_faults(held, name=source)


def _copy_still(source: Path, target: Path) -> None:
    """Copy the file and what lies beside it, as they were at one moment."""
    parts = {files.sibling(source, suffix): files.sibling(target, suffix) for suffix in _PARTS}
    for _ in range(_TRIES):
        try:
            before = [files.stamp(part) for part in parts]
            for part, copy in parts.items():
                copy.unlink(missing_ok=True)
                if part.exists():
                    shutil.copyfile(part, copy)
            if before == [files.stamp(part) for part in parts]:
                return
        except FileNotFoundError:  # folded in and removed meanwhile
            continue
        except OSError as error:
            raise BankError(f"bank {source} cannot be copied: {error}; check the path and its permissions") from error
    raise BankError(f"bank {source} is being written to; close what uses it, and run again")
