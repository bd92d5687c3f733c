"""Files that are made whole or not at all, and never in the place of another: banks, lists, exports."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from eval.analysis.records import is_run
from reasoningbank.errors import SetupError
from reasoningbank.files import fsync_folder, write_atomic

BESIDE = ("-wal", "-shm", "-journal")
"""What SQLite would take for a part of a new bank."""


def check_new(path: Path, instead: str = "name another file") -> None:
    """SetupError where something is at `path`, or where a run keeps its own. `instead` is what to do."""
    for taken in (path, *(path.with_name(path.name + suffix) for suffix in BESIDE)):
        if taken.exists() or taken.is_symlink():
            raise SetupError(f"{taken} exists and is left as it is; {instead}, or move it away")
    if path.parent.exists() and not path.parent.is_dir():
        raise SetupError(f"{path.parent} is no folder; name another place")
    for folder in path.resolve().parents:
        if is_run(folder):
            raise SetupError(f"{path} is inside of the run {folder}, which nothing is added to; name another place")


@contextmanager
def new_file(path: Path) -> Iterator[Path]:
    """A path to make a file at; when the block ends well, and only then, it becomes `path`."""
    check_new(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=path.parent, prefix=f".{path.name}.") as folder:
            made = Path(folder) / "file"
            yield made
            put(made, path)
            fsync_folder(path.parent)
    except FileExistsError:
        raise SetupError(f"{path} exists by now and is left as it is; name another file") from None
    except OSError as error:
        raise SetupError(f"cannot write {path}: {error.strerror}; name another place") from error


def put(made: Path, path: Path) -> None:
    """Give a finished file its name; FileExistsError where another process was first."""
    try:
        os.link(made, path)
    except FileExistsError:
        raise
    except OSError:  # a file system without hard links
        if path.exists():
            raise
        made.replace(path)


def write_new(path: Path, content: str) -> None:
    """Write a text to a file that is not there yet."""
    with new_file(path) as made:
        write_atomic(made, content)
