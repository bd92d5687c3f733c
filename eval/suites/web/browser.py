"""A browser without a window, over web applications in this process: pages, history, clicks, forms.

    browser = TextBrowser({"http://shop.test": Site(app)})
    browser.goto("http://shop.test/")
    error = browser.act(Action("click", ("12",)))     # "" when it worked
    print(browser.tree())

It runs no JavaScript and reads no style sheets. What fails, fails with the words of a browser tool, as text.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urldefrag

from eval.suites.web.axtree import render
from eval.suites.web.dom import Document, Element, parse
from eval.suites.web.forms import Submission
from eval.suites.web.interact import Interaction
from eval.suites.web.transport import BrowserError, Response, Site, Transport, checked_url, joined
from reasoningbank.agents.actions import Action

_BLANK = "<html><head><title></title></head><body></body></html>"


@dataclass(frozen=True, slots=True)
class _Entry:
    """A place in the history: a URL to load again, or what a POST answered, which is never asked for twice."""

    url: str
    status: int
    posted_html: str | None


@dataclass(slots=True)
class Page:
    """A loaded page with the state of its forms."""

    url: str
    status: int
    html: str
    document: Document
    posted: bool = False
    focused: Element | None = None


class TextBrowser:
    """One tab. Sites are given by their base URL, such as `http://shop.test`."""

    def __init__(self, sites: Mapping[str, Site]) -> None:
        self._transport = Transport(sites)
        self._history: list[_Entry] = []
        self._at = -1
        self._shown = ""
        self.page = Page("about:blank", 0, _BLANK, parse(_BLANK))

    def tab(self) -> TextBrowser:
        """Another empty tab: the same sites and cookies, a history of its own."""
        other = TextBrowser({})
        other._transport = self._transport
        return other

    @property
    def url(self) -> str:
        return self.page.url

    @property
    def status(self) -> int:
        return self.page.status

    def tree(self) -> str:
        """The page's accessibility tree in its present state."""
        if not self._shown:
            self._shown = render(self.page.document, self.page.focused)
        return self._shown

    def goto(self, url: str) -> str:
        """Opens a URL; returns what went wrong, or an empty text."""
        return self.act(Action("goto", (url,)))

    def act(self, action: Action) -> str:
        """Carries out one action; returns what went wrong, or an empty text. Raises InfraError when a site breaks."""
        self._shown = ""
        try:
            return self._perform(action)
        except BrowserError as error:
            return str(error)

    def _perform(self, action: Action) -> str:
        name, args = action.name, action.args
        if name == "goto":
            return self._goto(str(args[0]))
        if name in ("go_back", "go_forward"):
            return self._travel(-1 if name == "go_back" else 1)
        if name in ("noop", "scroll", "send_msg_to_user", "report_infeasible"):
            return ""
        page = self.page
        element = page.document.by_bid.get(str(args[0]))
        if element is None:
            raise BrowserError(f'ValueError: Could not find element with bid "{args[0]}"')
        interaction = Interaction(page.document, page.url, page.focused)
        wanted = interaction.perform(name, element, args[1:])
        page.focused = interaction.focused
        if isinstance(wanted, Submission):
            return self._load(wanted)
        if wanted:
            return self._follow(wanted)
        return ""

    def _goto(self, url: str) -> str:
        try:
            target = checked_url(url)
            return self._load(Submission("GET", target))
        except BrowserError as error:
            raise BrowserError(f"Error: Page.goto: {error}") from None

    def _follow(self, href: str) -> str:
        """A link: to another page, to a place on this one, or to nothing a page can show."""
        target = joined(self.url, href)
        if not target.startswith(("http:", "https:")):
            return ""
        target = checked_url(target)
        if urldefrag(target).url == urldefrag(self.url).url and "#" in href:
            here = self.page
            self._push(Page(target, here.status, here.html, here.document, here.posted, here.focused))
            return ""
        return self._load(Submission("GET", target))

    def _travel(self, by: int) -> str:
        """History. Pages are loaded anew, so what was typed and not sent is gone; a POST is shown, not sent again."""
        if not 0 <= self._at + by < len(self._history):
            return ""
        entry = self._history[self._at + by]
        if entry.posted_html is None:
            page = _page(self._transport.request("GET", entry.url))
        else:
            page = Page(entry.url, entry.status, entry.posted_html, parse(entry.posted_html), posted=True)
        self._at += by
        self.page = page
        return _complaint(page)

    def _load(self, request: Submission) -> str:
        response = self._transport.request(
            request.method,
            request.url,
            content_type=request.content_type,
            body=request.body,
            referer=urldefrag(self.url).url if self._at >= 0 else "",
        )
        page = _page(response)
        self._push(page)
        return _complaint(page)

    def _push(self, page: Page) -> None:
        del self._history[self._at + 1 :]
        self._history.append(_Entry(page.url, page.status, page.html if page.posted else None))
        self._at += 1
        self.page = page


def _page(response: Response) -> Page:
    posted = response.method == "POST"
    return Page(response.url, response.status, response.html, parse(response.html), posted)


def _complaint(page: Page) -> str:
    return f"Error: HTTP {page.status} at {page.url}" if page.status >= 400 else ""
