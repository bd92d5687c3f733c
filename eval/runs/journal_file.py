"""A stream's journal on the disk: opened by one process alone, each line appended and fsynced."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from pathlib import Path

from eval.journal import VERSIONS, JournalLine, Lines, chained
from reasoningbank.errors import SetupError
from reasoningbank.files import fsync_folder
from reasoningbank.types import canonical_json


def check_journal(path: Path) -> None:
    """SetupError where the journal at `path` is broken, as opening it would raise; nothing where there is none.

    Costs a tenth of reading it: lines that are JSON and have the right hashes are looked at no closer.
    """
    try:
        raw = path.read_bytes()
    except FileNotFoundError:
        return
    before = ""
    try:
        for piece in raw.split(b"\n")[:-1]:
            data = json.loads(piece)
            if data["schema_version"] not in VERSIONS or data["sha256"] != chained(before, data["result"]):
                raise ValueError
            before = data["sha256"]
    except (ValueError, KeyError, TypeError, RecursionError):
        Lines().read(raw, path)  # tells what is wrong, if anything is: an end may be torn, old lines have no hash


class JournalFile:
    """A stream's journal, open for appending by one process alone. Opening reads and checks what is there."""

    def __init__(self, path: Path) -> None:
        """Open `path`, made where there is none. `repaired` tells what a crash left torn at its end, or is empty.

        The torn end stays in the file until a line takes its place, so that what else is refused finds it unchanged.
        SetupError: another process has it open, a line is broken or of a newer schema, or positions do not count up.
        """
        import fcntl

        self.path = path
        self.repaired = ""
        self._lines = Lines()
        # unbuffered: what cannot be written must not be tried again when the file is closed
        self._file = path.open("a+b", buffering=0)
        fsync_folder(path.parent)  # a new file's name must outlive a power loss as its lines do
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self._file.close()
            raise SetupError(f"{path} is being written by another process; wait for it, or end it") from None
        try:
            self._size = self._read()
        except SetupError:
            self._file.close()
            raise

    @property
    def lines(self) -> list[JournalLine]:
        """Those of the file as it was opened, by position; where a skipped episode was done later, that line.

        What is appended is not kept, and these may be cleared: a line takes many times its text in memory.
        """
        return self._lines.newest

    @property
    def count(self) -> int:
        """Positions that have a line, those appended too."""
        return self._lines.count

    def append(self, line: JournalLine) -> None:
        """Add one line, with its hash, and see it onto the disk. OSError, and no part of it, where that fails.

        It is the next position's, or supersedes the line of an episode that was skipped.
        """
        if not self._lines.may_follow(line):
            raise ValueError(f"position {line.result.position} cannot follow {self.count} lines")
        line = line.model_copy(update={"sha256": chained(self._lines.last, line.result.model_dump(mode="json"))})
        raw = canonical_json(line.model_dump(mode="json")).encode() + b"\n"
        try:
            self._file.truncate(self._size)
            left = memoryview(raw)
            while left:
                left = left[self._file.write(left) :]
            os.fsync(self._file.fileno())
        except OSError as error:
            with suppress(OSError):  # what stays of it is a torn end
                self._file.truncate(self._size)
            raise OSError(error.errno, error.strerror, str(self.path)) from error
        self._size += len(raw)
        self._lines.follow(line)

    def close(self) -> None:
        self._file.close()

    def _read(self) -> int:
        """Read all whole lines; the number of bytes they take."""
        self._file.seek(0)
        raw = self._file.read()
        good = self._lines.read(raw, self.path)
        if good < len(raw):
            number = raw.count(b"\n", 0, good) + 1
            self.repaired = f"{self.path}: line {number} is torn and counts for nothing; its task runs again"
        return good
