"""Servers of the sites, one writer at a time: an attempt has one of each of its sites to itself and waits for it. A
stream uses all of its sites' servers as long as it runs, together with other streams, but is alone to put them back.

Locks and the throttle's clocks are files, so that they hold for all threads, worker processes and runs of a machine;
whoever dies holds nothing any more.
"""

from __future__ import annotations

import fcntl
import hashlib
import logging
import os
import struct
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

from reasoningbank.errors import SetupError

_log = logging.getLogger("reasoningbank")
LOOK_AGAIN = 0.1
"""Seconds between looks for a server that is free."""


def lock_folder() -> Path:
    """Where the locks of this machine's user are."""
    folder = Path(tempfile.gettempdir()) / f"reasoningbank-sites-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    if folder.is_symlink() or folder.stat().st_uid != os.getuid():
        raise SetupError(f"{folder} belongs to somebody else: remove it, or set TMPDIR to another folder")
    return folder


def locked(handle: int, how: int) -> bool:
    """Whether a file's lock could be had at once."""
    try:
        fcntl.flock(handle, how | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


class Lease:
    """Servers that are held, by the names of their sites, until `release`."""

    def __init__(self, held: Mapping[str, str], release: ExitStack) -> None:
        self.addresses = dict(held)
        self._release = release

    def release(self) -> None:
        """Others may have them. A second time does nothing."""
        self._release.close()


class Use:
    """Servers that a stream uses, until `release`."""

    def __init__(self, handles: Sequence[int], release: ExitStack, sleep: Callable[[float], None]) -> None:
        self._handles = tuple(handles)
        self._release = release
        self._sleep = sleep

    def share(self) -> None:
        """Others may use them too from now on."""
        for handle in self._handles:
            while not locked(handle, fcntl.LOCK_SH):  # somebody was quicker, and puts them back at this moment
                self._sleep(LOOK_AGAIN)

    def release(self) -> None:
        """Others may have them alone. A second time does nothing."""
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
        """One server of each site, waited for as long as it takes; sites that share a server share its lock.

        Whoever waits for one of some servers has none that comes after all of these, so that no two wait for each
        other, whatever the sites are called: who has the last server that anybody has waits for a later one.
        """
        wanted = self.addresses(sites)
        held: dict[str, str] = {}
        with ExitStack() as stack:
            taken: set[str] = set()
            for name, urls in sorted(wanted.items(), key=lambda pair: (max(pair[1]), pair[0])):
                held[name] = self._take(urls, taken, stack)
            return Lease(dict(sorted(held.items())), stack.pop_all())

    def lease_all(self, sites: Iterable[str]) -> Lease:
        """All servers of some sites, each as `site url`: nobody works on them meanwhile."""
        pairs = sorted((url, name) for name, urls in self.addresses(sites).items() for url in urls)
        with ExitStack() as stack:
            taken: set[str] = set()
            held = {f"{name} {url}": self._take((url,), taken, stack) for url, name in pairs}
            return Lease(held, stack.pop_all())

    def use(self, sites: Iterable[str], *, alone: bool) -> Use:
        """All servers of some sites, for as long as a stream runs: beside other streams, or `alone`, which is waited
        for until no other uses any of them."""
        urls = sorted({url for urls in self.addresses(sites).values() for url in urls})
        handles = []
        with ExitStack() as stack:
            for url in urls:
                handles.append(os.open(self._path(url, "use"), os.O_RDWR | os.O_CREAT, 0o600))
                stack.callback(os.close, handles[-1])
                told = False
                while not locked(handles[-1], fcntl.LOCK_EX if alone else fcntl.LOCK_SH):
                    if not told:
                        _log.warning("%s is %s by another stream: waiting for it", url, "used" if alone else "put back")
                    told = True
                    self._sleep(LOOK_AGAIN)
            return Use(handles, stack.pop_all(), self._sleep)

    def _take(self, urls: Sequence[str], taken: set[str], stack: ExitStack) -> str:
        while True:
            for url in urls:
                if url in taken:
                    return url
                handle = os.open(self._path(url, "lock"), os.O_RDWR | os.O_CREAT, 0o600)
                if not locked(handle, fcntl.LOCK_EX):
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
