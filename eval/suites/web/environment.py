"""Web sites as an environment for one attempt: every attempt opens its own copy of each site."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from eval.suites.web.browser import Page, TextBrowser
from eval.suites.web.controls import is_text_field, option_text, selected_options, value_of
from eval.suites.web.dom import Element, parse
from eval.suites.web.evidence import LAST, Probe, WebEvidence
from eval.suites.web.names import whole_text
from eval.suites.web.transport import Site
from reasoningbank.agents.actions import ActionSyntaxError, parse_actions
from reasoningbank.errors import InfraError
from reasoningbank.interfaces import Observation
from reasoningbank.types import Task


class WebEnvironment:
    """Implements `Environment` with the browser that needs no window.

    `open_sites` makes fresh sites by their base URL, `placeholders` says what stands for them in URLs
    (`__SHOPPING__`), and `probes` are the (url, CSS locator) pairs to look at in the end; what should be found there
    is not known here.
    """

    def __init__(
        self,
        *,
        open_sites: Callable[[], Mapping[str, Site]],
        placeholders: Mapping[str, str] | None = None,
        probes: Sequence[tuple[str, str]] = (),
    ) -> None:
        self._open_sites = open_sites
        self._placeholders = dict(placeholders or {})
        self._probes = tuple(probes)
        self._sites: Mapping[str, Site] = {}
        self._browser: TextBrowser | None = None

    def reset(self, task: Task, seed: int) -> Observation:
        """Fresh sites, the task's start page. The seed changes nothing: the worlds are the suite's."""
        self.close()
        self._sites = self._open_sites()
        self._browser = TextBrowser(self._sites)
        error = self._browser.goto(self._resolved(task.start))
        if not error and self._browser.status >= 400:
            error = f"HTTP {self._browser.status}"
        if error:
            raise InfraError(f"the start page {task.start} of task {task.id} cannot be opened: {error}")
        return self._observation("")

    def step(self, text: str) -> Observation:
        """One or more action calls; after the first that fails the rest are left out."""
        browser = self._opened()
        try:
            actions = parse_actions(text, multi=True)
        except ActionSyntaxError as error:
            return self._observation(str(error))
        for action in actions:
            error_text = browser.act(action)
            if error_text:
                return self._observation(error_text)
        return self._observation("")

    def finish(self, answer: str | None) -> WebEvidence:
        """The evidence at the end."""
        return self.look(answer)

    def look(self, answer: str | None) -> WebEvidence:
        """Looks where it was told to, in the state that the attempt left; the attempt's own page stays as it is."""
        browser = self._opened()
        last = browser.page
        pages: dict[str, Page | None] = {LAST: last}
        for url, _ in self._probes:
            if url not in pages:
                tab = browser.tab()
                tab.goto(self._resolved(url))
                pages[url] = tab.page if tab.status else None
        probes = tuple(probed(pages[url], url, locator) for url, locator in self._probes)
        return WebEvidence(answer=answer, url=last.url, status=last.status, probes=probes)

    def close(self) -> None:
        sites, self._sites, self._browser = self._sites, {}, None
        for site in sites.values():
            site.close()

    def _opened(self) -> TextBrowser:
        if self._browser is None:
            raise InfraError("the environment is closed: call reset before step or finish")
        return self._browser

    def _observation(self, error: str) -> Observation:
        browser = self._opened()
        return Observation(text=browser.tree(), url=browser.url, error=error)

    def _resolved(self, url: str) -> str:
        return resolved(url, self._placeholders)


def resolved(url: str, placeholders: Mapping[str, str]) -> str:
    """A URL with the sites' addresses in the place of what stands for them."""
    for placeholder, base in placeholders.items():
        url = url.replace(placeholder, base)
    return url


def probed(page: Page | None, url: str, locator: str) -> Probe:
    """What the elements say that a CSS locator finds; without a locator, the whole page as HTML."""
    if page is None:
        return Probe(url=url, locator=locator, text="")
    if not locator.strip():
        return Probe(url=url, locator=locator, text=page.html)
    text = "\n".join(_said(element) for element in page.document.select(locator))
    return Probe(url=url, locator=locator, text=text)


def _said(element: Element) -> str:
    if element.tag == "select":
        return ", ".join(option_text(option) for option in selected_options(element))
    if element.tag == "input" or is_text_field(element):
        return value_of(element)
    return whole_text(element)


def check_locator(locator: str) -> None:
    """Raises ValueError for a locator that is no CSS selector, so that a task file's mistake is found early."""
    if locator.strip():
        parse("").select(locator)
