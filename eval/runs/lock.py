"""One process a run: a lock file in its folder, held by the operating system and thus gone with its process."""

from __future__ import annotations

import fcntl
import json
import os
import socket
from contextlib import suppress
from pathlib import Path

from reasoningbank.errors import SetupError


class RunLock:
    """Holds `<folder>/run.lock` until `release`, or until the process ends in whatever way."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "run.lock"
        self._handle = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            fcntl.flock(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.pread(self._handle, 1000, 0).decode(errors="replace") or "unknown"
            os.close(self._handle)
            raise SetupError(f"another process runs in {folder} ({holder}); wait for it, or end it") from None
        # whom to name to others: a full disk is told, and cleared up after, by the first file that matters
        with suppress(OSError):
            os.ftruncate(self._handle, 0)
            os.pwrite(self._handle, json.dumps({"pid": os.getpid(), "host": socket.gethostname()}).encode(), 0)

    def release(self) -> None:
        os.close(self._handle)
