"""Servers of the sites, one writer at a time: an attempt has one of each of its sites to itself and waits for it.

Locks and the throttle's clocks are files, so that they hold for all threads, worker processes and runs of a machine;
whoever dies holds nothing any more.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import struct
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

from reasoningbank.errors import SetupError

LOOK_AGAIN = 0.1
"""Seconds between looks for a server that is free."""


def lock_folder() -> Path:
    """Where the locks of this machine's user are."""
    folder = Path(tempfile.gettempdir()) / f"reasoningbank-sites-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    if folder.is_symlink() or folder.stat().st_uid != os.getuid():
        raise SetupError(f"{folder} belongs to somebody else: remove it, or set TMPDIR to another folder")
    return folder


class Lease:
    """Servers that are held, by the names of their sites, until `release`."""

    def __init__(self, held: Mapping[str, str], release: ExitStack) -> None:
        self.addresses = dict(held)
        self._release = release

    def release(self) -> None:
        """Others may have them. A second time does nothing."""
        self._release.close()


class Backends:
    """The servers of each site, by its name."""

    def __init__(
        self,
        urls: Mapping[str, Sequence[str]],
        *,
        folder: Path | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.urls = {name: tuple(each) for name, each in urls.items()}
        self._folder = folder
        self._sleep = sleep

    def addresses(self, sites: Iterable[str]) -> dict[str, tuple[str, ...]]:
        """Those of some sites. SetupError where one has none."""
        found = {}
        for name in sites:
            if not self.urls.get(name):
                raise SetupError(
                    f"the address of {name} is not known: set WA_{name.upper()}, or suite.urls.{name}=http://HOST:PORT"
                )
            found[name] = self.urls[name]
        return found

    def lease(self, sites: Iterable[str]) -> Lease:
        """One server of each site, waited for as long as it takes. Sites are taken in one order by everybody, so that
        no two wait for each other; sites that share a server share its lock."""
        wanted = self.addresses(sorted(set(sites)))
        held: dict[str, str] = {}
        with ExitStack() as stack:
            taken: set[str] = set()
            for name, urls in wanted.items():
                held[name] = self._take(urls, taken, stack)
            return Lease(held, stack.pop_all())

    def lease_all(self, sites: Iterable[str]) -> Lease:
        """All servers of some sites, each as `site url`: nobody works on them meanwhile."""
        every = self.addresses(sorted(set(sites)))
        with ExitStack() as stack:
            taken: set[str] = set()
            held = {f"{name} {url}": self._take((url,), taken, stack) for name, urls in every.items() for url in urls}
            return Lease(held, stack.pop_all())

    def _take(self, urls: Sequence[str], taken: set[str], stack: ExitStack) -> str:
        while True:
            for url in urls:
                if url in taken:
                    return url
                handle = os.open(self._path(url, "lock"), os.O_RDWR | os.O_CREAT, 0o600)
                try:
                    fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    os.close(handle)
                    continue
                stack.callback(os.close, handle)
                taken.add(url)
                return url
            self._sleep(LOOK_AGAIN)

    def _path(self, name: str, kind: str) -> Path:
        folder = self._folder or lock_folder()
        return folder / f"{hashlib.sha256(name.encode()).hexdigest()[:32]}.{kind}"


class Throttle:
    """Lets actions on a site through no faster than one in so many seconds, whoever asks. Its clock is the machine's,
    which every process reads alike."""

    def __init__(
        self,
        seconds: Mapping[str, float],
        *,
        folder: Path | None = None,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._seconds = {name: least for name, least in seconds.items() if least > 0}
        self._folder = folder
        self._clock = clock
        self._sleep = sleep
        self._turn = threading.Lock()

    def wait(self, sites: Iterable[str]) -> None:
        """Until an action may go to all of these sites."""
        for name in sorted(set(sites) & self._seconds.keys()):
            path = (self._folder or lock_folder()) / f"throttle-{name}.clock"
            with self._turn:
                handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
                try:
                    fcntl.flock(handle, fcntl.LOCK_EX)
                    self._pass(handle, self._seconds[name])
                finally:
                    os.close(handle)

    def _pass(self, handle: int, least: float) -> None:
        kept = os.pread(handle, 8, 0)
        now = self._clock()
        last = struct.unpack("<d", kept)[0] if len(kept) == 8 else -least
        # a clock that was started anew with the machine is no reason to wait
        left = last + least - now if last <= now else 0.0
        if left > 0:
            self._sleep(left)
        os.pwrite(handle, struct.pack("<d", self._clock()), 0)
