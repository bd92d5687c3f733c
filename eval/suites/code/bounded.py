"""A program that is run within bounds: of its time, of what it prints, and of what else is looked at meanwhile."""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from reasoningbank.errors import InfraError

CHUNK = 65536
TICK = 0.25
"""Seconds from one look at what a program takes to the next."""
LEAST = 1024
"""Bytes that a file counts for at least."""
PARTING = 10.0
"""Seconds that processes have to go when they have been ended."""
MIB = 1024 * 1024


@dataclass(frozen=True)
class Ended:
    """How a program ended. `stopped` says why it was not left to end by itself."""

    output: bytes
    returncode: int
    timed_out: bool = False
    stopped: str = ""


def run_bounded(
    line: Sequence[str | Path],
    *,
    seconds: float,
    output_mb: int,
    env: Mapping[str, str],
    cwd: Path | None = None,
    pass_fds: Sequence[int] = (),
    watch: Callable[[int], str] = lambda pid: "",
) -> Ended:
    """Runs a program in a session of its own; when it has ended, or is to end, so is all of its process group.

    Its two outputs are one. `watch` is called with its process id every quarter of a second; what it says ends it. It
    is not waited for those who have taken the output along into a session of their own. InfraError where the program
    cannot be started.
    """
    try:
        process = subprocess.Popen(
            list(line),
            cwd=cwd,
            env=dict(env),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            pass_fds=tuple(pass_fds),
            start_new_session=True,
        )
    except OSError as error:
        raise InfraError(f"{line[0]} cannot be started: {error.strerror}") from error
    assert process.stdout is not None
    pieces: list[bytes] = []
    room, stopped, timed_out = output_mb * MIB, "", False
    end = time.monotonic() + seconds
    look = time.monotonic() + TICK
    try:
        with selectors.DefaultSelector() as selector:
            os.set_blocking(process.stdout.fileno(), False)
            selector.register(process.stdout, selectors.EVENT_READ)
            while True:
                now = time.monotonic()
                if now >= end:
                    stopped, timed_out = f"it was stopped after {seconds:g} s", True
                    break
                if now >= look:
                    if stopped := watch(process.pid):
                        break
                    look = time.monotonic() + TICK
                if selector.select(timeout=max(0.0, min(end, look) - now)):
                    piece = process.stdout.read(CHUNK)
                    if piece == b"":
                        break
                    pieces.append((piece or b"")[:room])
                    room -= len(piece or b"")
                    if room < 0:
                        stopped = f"it was stopped when it had printed {output_mb} MiB"
                        break
                elif process.poll() is not None:
                    break
        if not stopped:
            # its outputs may be closed long before it ends
            try:
                process.wait(timeout=max(0.0, end - time.monotonic()))
            except subprocess.TimeoutExpired:
                stopped, timed_out = f"it was stopped after {seconds:g} s", True
    finally:
        _end(process)
    return Ended(b"".join(pieces), process.returncode, timed_out, stopped)


def _end(process: subprocess.Popen[bytes]) -> None:
    """Ends all that is left of a program, and waits until it has."""
    left = family(process.pid) if process.poll() is None else []
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    for pid in left[1:]:
        with suppress(ProcessLookupError, PermissionError):
            os.kill(pid, signal.SIGKILL)
    if process.stdout is not None:
        process.stdout.close()
    process.wait()
    await_end(left[1:])


def await_end(pids: Sequence[int]) -> None:
    """Returns when processes that have been killed are no longer at work."""
    end = time.monotonic() + PARTING
    while any(map(_works, pids)) and time.monotonic() < end:
        time.sleep(0.002)


def _works(pid: int) -> bool:
    """Whether a process is there, and not only the note that it has been."""
    return _stat(pid)[:1] not in ([], ["Z"], ["X"])


def family(pid: int) -> list[int]:
    """A process and all that descend from it, at one moment: those who start others all the time are not followed."""
    children: dict[int, list[int]] = {}
    for name in os.listdir("/proc"):
        if name.isdigit() and (found := _stat(int(name))):
            children.setdefault(int(found[1]), []).append(int(name))
    found_pids = [pid]
    for parent in found_pids:
        found_pids += children.pop(parent, [])
    return found_pids


def _stat(pid: int) -> list[str]:
    """The state of a process, the number of its parent, and so on; empty where there is none."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return []
    return text.rpartition(")")[2].split()


def memory_of(pids: Sequence[int]) -> int:
    """Bytes of memory that processes hold, what they share counted for each."""
    page = os.sysconf("SC_PAGE_SIZE")
    total = 0
    for pid in pids:
        with suppress(OSError, IndexError, ValueError):
            total += int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1]) * page
    return total


def takes_more(folders: Iterable[Path | None], most: int) -> bool:
    """Whether the files below folders take more bytes on the disk. A file without content takes some too."""
    total = 0
    waiting = [str(folder) for folder in folders if folder is not None]
    while waiting and total <= most:
        with suppress(OSError), os.scandir(waiting.pop()) as entries:
            for entry in entries:
                with suppress(OSError):
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(entry.path)
                    total += max(LEAST, entry.stat(follow_symlinks=False).st_blocks * 512)
    return total > most
