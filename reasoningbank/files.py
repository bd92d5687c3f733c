"""Files: written so that a reader, or a restart after a crash, sees the old content or the new and never a part; and
hashed by their content, where a result depends on it."""

from __future__ import annotations

import errno
import hashlib
import os
import re
import tempfile
from collections.abc import Iterable
from pathlib import Path

from reasoningbank.text import storable

_PLAIN_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")

SOURCES = (".py", ".sql", ".html", ".css", ".js")
"""What code and pages are made of: the endings that a digest of a folder reads."""

SHORTAGES = {
    errno.ENOSPC: "free some space",
    errno.EDQUOT: "free some space",
    errno.EFBIG: "allow larger files (ulimit -f)",
    errno.EMFILE: "allow more open files (ulimit -n), or set a smaller k",
    errno.ENFILE: "close some programs",
    errno.ENOMEM: "free some memory, or set smaller k or concurrency.workers",
    errno.EAGAIN: "allow more processes (ulimit -u), or set smaller k or concurrency.workers",
    errno.EIO: "see to the disk",
    errno.EROFS: "make the disk writable",
    errno.ESTALE: "see to the disk",
}
"""What the system may be short of, or fail in, in the midst of anything; and what helps."""


def shortage(error: BaseException) -> bool:
    """Whether it says something of the system, whichever code it hit."""
    return isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno in SHORTAGES)


def write_atomic(path: Path, data: bytes | str) -> None:
    """Write through a temporary file in the same folder, fsync it, then replace `path` and fsync the folder.

    Text is stored as UTF-8 with its line ends as they are, and lone surrogates written out.
    """
    raw = storable(data).encode() if isinstance(data, str) else data
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".tmp")
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from error
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            os.fchmod(file.fileno(), 0o644)
            file.write(raw)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except OSError as error:
        # the system names the temporary file, or none at all
        raise OSError(error.errno, error.strerror, str(path)) from error
    finally:
        temporary.unlink(missing_ok=True)  # gone already when the replacement went well
    fsync_folder(path.parent)


def remove_temporary(folder: Path) -> None:
    """Remove what `write_atomic` left in `folder` in processes that were killed. Nobody may be writing there now."""
    for path in folder.glob(".*.tmp"):
        path.unlink(missing_ok=True)


def path_name(text: str) -> str:
    """The name of a file or folder that stands for `text`, such as a task's id. Different texts have different names.

    A plain text is its own name. Any other, such as `../a` or `django/django`, becomes what is plain in it and a hash.
    """
    if _PLAIN_NAME.fullmatch(text):
        return text
    plain = re.sub(r"[^A-Za-z0-9._-]+", "-", text).strip(".-")[:40]
    return f"{plain}~{hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()[:32]}"


def fsync_folder(folder: Path) -> None:
    """Make creations, renames and removals in `folder` survive a power loss."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def source_digest(folders: Iterable[Path], *, without: Iterable[str] = ()) -> str:
    """A short hash of the sources below the folders, but for the files and folders directly in them named `without`."""
    left_out = frozenset(without)
    hasher = hashlib.sha256()
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            name = path.relative_to(folder)
            if path.suffix in SOURCES and name.parts[0] not in left_out:
                hasher.update(f"{folder.name}/{name.as_posix()}\0".encode() + path.read_bytes() + b"\0")
    return hasher.hexdigest()[:16]
