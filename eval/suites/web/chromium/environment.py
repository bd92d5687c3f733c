"""Web sites as an environment for one attempt, looked at by Chromium: the same sites, addresses, actions and evidence
as with the browser without a window."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from eval.suites.web.browser import Page
from eval.suites.web.chromium import process
from eval.suites.web.chromium.actions import PAGES, longest
from eval.suites.web.chromium.images import StepImages
from eval.suites.web.chromium.server import SiteServer
from eval.suites.web.dom import parse
from eval.suites.web.environment import probed, resolved
from eval.suites.web.evidence import LAST, WebEvidence
from eval.suites.web.transport import Site
from reasoningbank.errors import InfraError
from reasoningbank.interfaces import Observation
from reasoningbank.types import Task

PATIENCE = 30.0
"""Seconds in which a page must have loaded."""
MORE = 60.0
"""Seconds that the process may take beside what it waits for: it starts, and so does a browser."""


class BrowserEnvironment:
    """Implements `Environment` with a browser in a process of its own. `program` is Chromium's; for the rest see
    `WebEnvironment`. Every failure around the page is InfraError, after which `close` is all that works."""

    def __init__(
        self,
        *,
        open_sites: Callable[[], Mapping[str, Site]],
        program: Path,
        placeholders: Mapping[str, str] | None = None,
        probes: Sequence[tuple[str, str]] = (),
        patience: float = PATIENCE,
        screenshots: bool = False,
    ) -> None:
        self._open_sites = open_sites
        self._program = program
        self._placeholders = dict(placeholders or {})
        self._probes = tuple(probes)
        self._patience = patience
        self._images = StepImages(wanted=screenshots)
        self._sites: Mapping[str, Site] = {}
        self._server: SiteServer | None = None
        self._process: process.BrowserProcess | None = None
        self._in_order = True

    def reset(self, task: Task, seed: int) -> Observation:
        """Fresh sites, a fresh browser on the task's start page. The seed changes nothing."""
        self.close()
        self._sites = self._open_sites()
        self._server = SiteServer(self._sites)
        self._process = process.take()
        self._in_order = False
        opened = self._ask(
            "open",
            within=MORE + PAGES * self._patience,
            program=str(self._program),
            hosts=self._server.hosts,
            port=self._server.port,
            start=resolved(task.start, self._placeholders),
            patience=self._patience,
            shot=self._images.first(),
        )
        if (status := opened.pop("status")) >= 400:
            raise InfraError(f"the start page {task.start} of task {task.id} cannot be opened: HTTP {status}")
        return Observation.model_validate(opened)

    def step(self, text: str) -> Observation:
        """One or more action calls; after the first that fails the rest are left out."""
        return Observation.model_validate(
            self._ask("step", within=MORE + longest(text, self._patience), text=text, shot=self._images.next())
        )

    def keep_images(self, folder: Path) -> None:
        """Where an image of every step goes, if any are wanted: `step-000.png` is the start page."""
        self._images.keep_in(folder)

    def finish(self, answer: str | None) -> WebEvidence:
        """The evidence at the end."""
        return self.look(answer)

    def look(self, answer: str | None) -> WebEvidence:
        """Looks where it was told to, in the state that the attempt left; the attempt's own page stays as it is."""
        urls = {url: resolved(url, self._placeholders) for url, _ in self._probes if url != LAST}
        wanted = sorted(set(urls.values()))
        found = self._ask("look", within=MORE + (1 + len(wanted)) * self._patience, urls=wanted)
        pages = {address: _page(seen) for address, seen in found.items()}
        last = pages[LAST]
        assert last is not None
        probes = tuple(probed(pages[urls.get(url, url)], url, locator) for url, locator in self._probes)
        return WebEvidence(answer=answer, url=last.url, status=last.status, probes=probes)

    def close(self) -> None:
        process_, self._process = self._process, None
        if process_ is not None:
            process.give_back(process_, in_order=self._in_order)
        server, self._server = self._server, None
        if server is not None:
            server.close()
        sites, self._sites = self._sites, {}
        for site in sites.values():
            site.close()

    def _ask(self, do: str, *, within: float, **words: object) -> process.Reply:
        if self._process is None or self._server is None:
            raise InfraError("the environment is closed: call reset before step or finish")
        self._in_order = False
        try:
            reply = self._process.ask({"do": do, **words}, within=within)
        finally:
            self._server.check()  # a site that fails is why the browser does
        self._in_order = True
        return reply


def _page(seen: object) -> Page | None:
    if not isinstance(seen, dict):
        return None
    return Page(seen["url"], seen["status"], seen["html"], parse(seen["html"]))
