"""The browser of an attempt on real sites, in a process of its own."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from eval.suites.web.chromium import process
from eval.suites.web.chromium.actions import longest
from eval.suites.webarena.session import Entrance, Looked, Opened, Place, Stepped
from reasoningbank.errors import InfraError, SetupError

WORKER = "eval.suites.webarena.worker"
MORE = 30.0
"""Seconds that a request may take beside the pages that it waits for."""


class ChromiumSession:
    """Implements `Session`. `program` is Chromium's; seconds: `patience` for a page to load, `observation_delay` after
    an action before the page is looked at, `look_wait` before one is looked at for evidence."""

    def __init__(self, *, program: Path, patience: float, observation_delay: float, look_wait: float) -> None:
        self._program = program
        self._delay = observation_delay
        self._patience = patience
        self._look_wait = look_wait
        self._process: process.BrowserProcess | None = None
        self._in_order = True

    def open(self, *, entrances: Sequence[Entrance], start: Sequence[str], image: str | None) -> Opened:
        """A new browser, signed in. SetupError where somebody is not let in."""
        self.close()
        self._process = process.take(WORKER)
        reply = self._ask(
            "enter",
            pages=3 * len(entrances) + len(start) + 1,
            program=str(self._program),
            entrances=[entrance.model_dump(mode="json") for entrance in entrances],
            start=list(start),
            patience=self._patience,
            delay=self._delay,
            shot=image,
        )
        if "refused" in reply:
            self._in_order = False
            raise SetupError(str(reply["refused"]))
        return Opened.model_validate(reply)

    def step(self, text: str, *, image: str | None) -> Stepped:
        """One or more action calls; after the first that fails the rest are left out."""
        more = longest(text, self._patience + self._delay)
        return Stepped.model_validate(self._ask("act", pages=3, more=more, text=text, shot=image))

    def look(self, places: Sequence[Place], *, trace: bool) -> Looked:
        """Looks at pages; those of the attempt stay as they are."""
        wanted = [place.model_dump(mode="json") for place in places]
        return Looked.model_validate(
            self._ask("read", pages=2 + len(wanted), places=wanted, wait=self._look_wait, trace=trace)
        )

    def close(self) -> None:
        ended, self._process = self._process, None
        if ended is not None:
            process.give_back(ended, in_order=self._in_order)
        self._in_order = True

    def _ask(self, do: str, *, pages: int, more: float = 0.0, **words: object) -> process.Reply:
        """`pages`: how many it may have to wait for; `more`: seconds that it may take beside."""
        if self._process is None:
            raise InfraError("the browser is closed: call reset before step or finish")
        self._in_order = False
        within = MORE + more + pages * (self._patience + self._look_wait)
        reply = self._process.ask({"do": do, **words}, within=within)
        self._in_order = True
        return reply
