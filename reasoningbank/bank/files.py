"""A bank's file: its schema, how it is made, and what must hold before it is opened for writing.

An existing file is first looked at without SQLite and then through a connection that cannot write, so that a file
which is refused stays as it was to the byte, with nothing new beside it.
"""

from __future__ import annotations

import errno
import os
import sqlite3
import tempfile
import threading
from contextlib import ExitStack, closing
from itertools import chain
from pathlib import Path
from urllib.parse import quote

from reasoningbank.bank.content import CREATE, Fault, faults, made_digest, shared_item_ids
from reasoningbank.errors import BankError, InfraError
from reasoningbank.files import SHORTAGES, fsync_folder, shortage, write_atomic

BANK_SCHEMA = 1
APPLICATION_ID = 0x52424E4B  # "RBNK", at a fixed place in SQLite's header

_HEADER = 100
_MAGIC = b"SQLite format 3\x00"

SCHEMA = f"""
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE experiences (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    position INTEGER NOT NULL,
    attempt INTEGER NOT NULL,
    task_id TEXT NOT NULL,
    template_id TEXT NOT NULL,
    items INTEGER NOT NULL,       -- how many; without any, an experience is never a search result
    body TEXT NOT NULL            -- the whole experience, JSON
);
CREATE INDEX experiences_position ON experiences (position);
CREATE TABLE vectors (
    seq INTEGER PRIMARY KEY,
    experience_id TEXT NOT NULL REFERENCES experiences (id),
    item INTEGER NOT NULL,        -- number of the item the vector is of; -1: of the query
    vector BLOB NOT NULL,         -- float32, little-endian, of length 1; all zeros for a text without words
    UNIQUE (experience_id, item)
);
CREATE TABLE ops (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    op TEXT NOT NULL,
    experience_id TEXT NOT NULL,
    detail TEXT NOT NULL          -- for `create` and `add` a SHA-256 of what was written, see content.py
);
CREATE TRIGGER ops_no_update BEFORE UPDATE ON ops BEGIN SELECT RAISE(ABORT, 'ops is append-only'); END;
CREATE TRIGGER ops_no_delete BEFORE DELETE ON ops BEGIN SELECT RAISE(ABORT, 'ops is append-only'); END;
PRAGMA application_id = {APPLICATION_ID};
PRAGMA user_version = {BANK_SCHEMA};
"""


def write_schema(db: sqlite3.Connection, meta: dict[str, str]) -> None:
    """Make an empty database an empty bank."""
    db.executescript(SCHEMA)
    db.executemany("INSERT INTO meta (key, value) VALUES (?, ?)", sorted(meta.items()))
    db.execute("INSERT INTO ops (op, experience_id, detail) VALUES (?, '', ?)", (CREATE, made_digest(db)))
    db.commit()


def create(path: Path, meta: dict[str, str]) -> None:
    """Put an empty bank at `path` in one step: it is there whole or not at all. An existing file is left alone."""
    wal = sibling(path, "-wal")
    if wal.exists() and not path.exists():  # SQLite would mix it into the new file
        raise BankError(f"bank {path} is gone, but {wal.name} is there: put the bank back, or move {wal.name} away too")
    db = sqlite3.connect(":memory:")
    try:
        write_schema(db, meta)
        content = db.serialize()
    finally:
        db.close()
    fresh = path.with_name(f".{path.name}.{os.getpid()}.{threading.get_ident()}.new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            write_atomic(fresh, content)
            _put(fresh, path)
        finally:
            fresh.unlink(missing_ok=True)
    except OSError as error:
        if shortage(error):
            raise short(path, error) from error
        raise BankError(f"bank {path} cannot be made: {error}; name a folder that can be written") from error


def _put(fresh: Path, path: Path) -> None:
    """Give the finished file its name, unless another process was first: its bank is then checked like any other."""
    try:
        os.link(fresh, path)
    except FileExistsError:
        return
    except OSError:  # a file system without hard links
        if not path.exists():
            fresh.replace(path)
    fsync_folder(path.parent)


def sibling(path: Path, suffix: str) -> Path:
    """The file that SQLite keeps beside `path` under that suffix."""
    return path.with_name(path.name + suffix)


def check(path: Path, *, name: Path | None = None) -> dict[str, str]:
    """Meta of the bank at `path`, whose whole content is verified. Errors call it `name`.

    BankError where it is no bank, damaged, or newer than this code.
    """
    name = name or path
    _check_header(path, name)
    wal, shm = sibling(path, "-wal"), sibling(path, "-shm")
    # Without a -wal the file is the whole database, and immutable promises to touch nothing.
    while not wal.exists():
        before = stamp(path)
        try:
            return _read(path, "ro&immutable=1", name)
        except (BankError, InfraError):
            if stamp(path) == before and not wal.exists():
                raise  # and not because another process wrote meanwhile
    ours = not shm.exists()
    try:
        return _read(path, "ro", name)
    except (BankError, InfraError):
        if ours:
            shm.unlink(missing_ok=True)
        raise


def stamp(path: Path) -> tuple[int, int, int] | None:
    """What changes when a file is written to. None where there is none."""
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns


def identity(path: Path) -> tuple[int, int] | None:
    """What tells a file from any other that has its name later. None where there is none."""
    try:
        found = path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    return found.st_dev, found.st_ino


def _read(path: Path, mode: str, name: Path) -> dict[str, str]:
    try:
        with closing(read_only(path, mode)) as db:
            db.execute("BEGIN")  # one state for all that is read
            found = db.execute("PRAGMA integrity_check(1)").fetchone()[0]
            if found != "ok":
                raise damaged(name, found)
            if (fault := next(faults(db), None)) is not None:
                raise damaged(name, f"experience {fault.experience_id!r}: {fault.detail}" if fault[0] else fault.detail)
            return dict(db.execute("SELECT key, value FROM meta").fetchall())
    except (sqlite3.Error, UnicodeError) as error:
        raise refusal(name, error) from error


def list_faults(path: Path, *, name: Path | None = None) -> list[Fault]:
    """All that is wrong with the bank at `path`, a file of one's own; none means that it is whole.

    BankError where it is no bank at all.
    """
    name = name or path
    _check_header(path, name)
    found: list[Fault] = []
    try:
        with closing(read_only(path, "ro")) as db:
            db.text_factory = lambda raw: raw.decode("utf-8", "surrogateescape")  # what is no text is shown as well
            whole = [str(row[0]) for row in db.execute("PRAGMA integrity_check")]
            found += [Fault("", " ".join(line.split())) for line in whole if line != "ok"]
            for fault in chain(faults(db), shared_item_ids(db)):
                found.append(fault)  # one by one: reading on may fail
    except sqlite3.Error as error:
        found.append(Fault("", f"cannot be read to its end: {error}"))
    return found


def read_only(path: Path, mode: str = "ro&immutable=1") -> sqlite3.Connection:
    """A connection that cannot write. By default for a file that nobody writes to."""
    return sqlite3.connect(f"file:{quote(os.fsencode(path.absolute()))}?mode={mode}", uri=True, isolation_level=None)


def damaged(path: Path | str, found: object) -> BankError:
    """The error for a bank whose content cannot be trusted."""
    return BankError(
        f"bank {path} is damaged: {str(found).strip()}; the file was left as it is: restore it from a copy, "
        "or move it away (with its -wal) to start with an empty bank; a run's own bank is then filled again from the "
        "run's journal by the same command"
    )


def refusal(path: Path | str, error: sqlite3.Error | UnicodeError) -> BankError | InfraError:
    """The error for what SQLite raised: the content is at fault, or what is around the file (locks, rights). InfraError
    where the system is short of something, as far as that can be told: SQLite does not say of what."""
    code = (getattr(error, "sqlite_errorcode", None) or sqlite3.SQLITE_ERROR) & 0xFF
    if code in (sqlite3.SQLITE_ERROR, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        return damaged(path, error)
    if code in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN):
        cause = _no_more_files(Path(path).parent)
        if cause is not None and shortage(cause):
            return short(path, cause)
        if code == sqlite3.SQLITE_FULL:
            return InfraError(f"bank {path}: {error}: {SHORTAGES[errno.ENOSPC]}; what is stored is whole")
        if code == sqlite3.SQLITE_IOERR:
            return InfraError(
                f"bank {path}: {error}: see to the disk: is there room, may files be larger (ulimit -f)? What is "
                "stored is whole"
            )
    return BankError(f"bank {path}: {error}; nothing was changed: mend that and run again")


def short(path: Path | str, error: OSError) -> InfraError:
    """The error for what the system is short of."""
    number = error.errno or errno.EIO
    return InfraError(f"bank {path}: {os.strerror(number)}: {SHORTAGES[number]}; what is stored is whole")


def _no_more_files(folder: Path) -> OSError | None:
    """What keeps files from being opened in a folder, as many as SQLite has beside a bank; None where nothing does."""
    with ExitStack() as opened:
        try:
            for _ in range(3):
                opened.enter_context(tempfile.TemporaryFile(dir=folder))
        except OSError as error:
            return error
    return None


def _check_header(path: Path, name: Path) -> None:
    if path.is_dir():
        raise BankError(f"bank {name} is a folder, not a file; name the bank's file")
    try:
        with path.open("rb") as file:
            header = file.read(_HEADER)
    except OSError as error:
        if shortage(error):
            raise short(name, error) from error
        raise BankError(f"bank {name} cannot be read: {error}; check the path and its permissions") from error
    advice = "the file was left as it is: name another path, or move it away to start with an empty bank"
    if not header:
        raise BankError(f"bank {name} is an empty file, not a bank; {advice}")
    if not header.startswith(_MAGIC) or len(header) < _HEADER:
        raise BankError(f"bank {name} is not a bank: it begins with {header[:16]!r}; {advice}")
    if int.from_bytes(header[68:72], "big") != APPLICATION_ID:
        raise BankError(f"bank {name} is a SQLite database, but not a bank of this project; {advice}")
    version = int.from_bytes(header[60:64], "big")
    if version > BANK_SCHEMA:
        raise BankError(
            f"bank {name} has schema version {version}, newer than the {BANK_SCHEMA} this code reads; "
            "the file was left as it is: update reasoningbank, or name another path"
        )
    if version < 1:
        raise damaged(name, f"schema version {version}")
