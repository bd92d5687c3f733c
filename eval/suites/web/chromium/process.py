"""The processes that browsers are driven from. Playwright belongs to one thread, so each attempt has one to itself.

A process that an attempt has left in good order serves a later one: it takes a second to load what it needs, and holds
nothing of an attempt but the browser, which is another for each. It ends as soon as this process does, however that
happens: the other end of its standard input is then gone, and so is that of the programs that it has started.
"""

from __future__ import annotations

import atexit
import json
import os
import selectors
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from eval.suites.web.chromium.turns import machine_turns
from reasoningbank.errors import CodeError, InfraError

ROOT = Path(__file__).parents[4]
LEAVE = 5.0
"""Seconds in which it closes its browser, or ends."""
MOST_IDLE = 4

Reply = dict[str, Any]

WORKER = "eval.suites.web.chromium.worker"
"""The program of a process, unless it is another's."""

_idle: list[BrowserProcess] = []
_guard = threading.Lock()


class BrowserProcess:
    """One process, which answers a request at a time. `busy` is whether an attempt has it."""

    def __init__(self, program: str = WORKER) -> None:
        self.program = program
        self._said = tempfile.TemporaryFile()  # noqa: SIM115  # what it and its programs say, kept as long as it lives
        # it is not to hear of Ctrl-C, from its first moment on
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-m", program],
                cwd=ROOT,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._said,
            )
        except OSError as error:
            raise InfraError(f"the process of a browser cannot be started: {error}") from error
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        assert self._process.stdout is not None
        self._out = self._process.stdout.fileno()
        self._rest = b""

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    def ask(self, request: Mapping[str, object], *, within: float) -> Reply:
        """Its answer. InfraError where something around the page has failed, or it gives none `within` these seconds,
        which are more than what is asked for may take; CodeError for a mistake in its program. It is of no use then."""
        assert self._process.stdin is not None
        try:
            with machine_turns().turn():
                self._process.stdin.write(json.dumps(request).encode() + b"\n")
                self._process.stdin.flush()
                reply = json.loads(self._line(within))
        except TimeoutError as error:
            raise InfraError(f"the browser's process gives no answer within {within:g} s") from error
        except (OSError, EOFError, ValueError) as error:
            raise InfraError(f"the browser's process has ended {self._last_words()}".strip()) from error
        if "fault" in reply:
            raise (CodeError if reply["mistake"] else InfraError)(str(reply["fault"]))
        return cast(Reply, reply)

    def kill(self) -> None:
        """End it at once. The programs that it has started end with it."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            try:
                pipe.close()
            except OSError:  # what was not written is of no use to anybody
                continue
        self._said.close()

    def _line(self, within: float) -> bytes:
        until = time.monotonic() + within
        with selectors.DefaultSelector() as selector:
            selector.register(self._out, selectors.EVENT_READ)
            while b"\n" not in self._rest:
                if not selector.select(max(0.0, until - time.monotonic())):
                    raise TimeoutError
                more = os.read(self._out, 1 << 20)
                if not more:
                    raise EOFError
                self._rest += more
        line, _, self._rest = self._rest.partition(b"\n")
        return line

    def _last_words(self) -> str:
        self._said.seek(0)
        lines = self._said.read().decode("utf-8", "replace").strip().splitlines()
        return f"(it said: {' '.join(' '.join(lines[-3:]).split())[-500:]})" if lines else ""


def take(program: str = WORKER) -> BrowserProcess:
    """One for an attempt, of this program."""
    with _guard:
        for found in reversed([each for each in _idle if each.program == program]):
            _idle.remove(found)
            if found.alive:
                return found
            found.kill()
    return BrowserProcess(program)


def give_back(process: BrowserProcess, *, in_order: bool) -> None:
    """After the attempt. Its browser is closed; where that fails, or anything has failed before, it ends."""
    if in_order:
        try:
            process.ask({"do": "close"}, within=LEAVE)
        except InfraError:
            in_order = False
    with _guard:
        if in_order and len(_idle) < MOST_IDLE:
            _idle.append(process)
            return
    process.kill()


@atexit.register
def end_idle() -> None:
    """They end by themselves as their pipes do; this way nothing of them is left open."""
    while _idle:
        _idle.pop().kill()
