"""A browser without a window, over web applications in this process: pages, history, clicks, forms.

    browser = TextBrowser({"http://shop.test": Site(app)})
    browser.goto("http://shop.test/")
    error = browser.act(Action("click", ("12",)))     # "" when it worked
    print(browser.tree())

It runs no JavaScript and reads no style sheets. What fails, fails with the words of a browser tool, as text.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from urllib.parse import urldefrag

from eval.suites.web.axtree import render
from eval.suites.web.caret import Cursor
from eval.suites.web.dom import Document, Element, parse
from eval.suites.web.forms import Submission
from eval.suites.web.history import BLANK, Entry, History, kept, restore, write_down
from eval.suites.web.interact import Interaction
from eval.suites.web.tabbing import takes_focus
from eval.suites.web.transport import BrowserError, Response, Site, Transport, Unreachable, checked_url, joined
from reasoningbank.agents.actions import Action

_EMPTY = "<html><head><title></title></head><body></body></html>"
NOT_REACHED = "chrome-error://chromewebdata/"
"""Where Chromium is when a page could not be had."""


@dataclass(slots=True)
class Page:
    """A loaded page with the state of its forms."""

    url: str
    status: int
    html: str
    document: Document
    focused: Element | None = None
    typed: set[Element] = field(default_factory=set)
    """The fields that were written in since the page was last shown."""
    number: int = 0
    """As of its entry in the history."""
    alert: str = ""
    """What the browser says at the focused control, which keeps a form from being sent."""
    cursor: Cursor = field(default_factory=Cursor)


def _empty(url: str) -> Page:
    return Page(url, 0, _EMPTY, parse(_EMPTY))


class TextBrowser:
    """One tab. Sites are given by their base URL, such as `http://shop.test`."""

    def __init__(self, sites: Mapping[str, Site]) -> None:
        self._transport = Transport(sites)
        self._history = History()
        self._shown = ""
        self._loaded = 0
        self.page = _empty(BLANK)

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
            page = self.page
            self._shown = render(page.document, page.focused, page.alert, page.cursor)
            page.typed.clear()
            write_down(page.document)
        return self._shown

    def goto(self, url: str) -> str:
        """Opens a URL; returns what went wrong, or an empty text."""
        return self.act(Action("goto", (url,)))

    def act(self, action: Action) -> str:
        """Carries out one action; returns what went wrong, or an empty text. Raises InfraError when a site breaks."""
        self._shown = ""
        try:
            self._perform(action)
        except BrowserError as error:
            return str(error)
        return ""

    def _perform(self, action: Action) -> None:
        name, args = action.name, action.args
        if name == "goto":
            self._goto(str(args[0]))
        elif name in ("go_back", "go_forward"):
            self._travel(name)
        elif name == "scroll":
            self.page.cursor.open = None
        elif name not in ("noop", "send_msg_to_user", "report_infeasible"):
            self._interact(action)

    def _interact(self, action: Action) -> None:
        page = self.page
        element = page.document.by_bid.get(str(action.args[0]))
        if element is None:
            raise BrowserError(f'ValueError: Could not find element with bid "{action.args[0]}"')
        interaction = Interaction(page.document, page.url, page.focused, page.cursor)
        try:
            wanted = interaction.perform(action.name, element, action.args[1:])
        except BrowserError:
            page.focused = interaction.focused  # it may have failed half-way
            raise
        if interaction.focused is not page.focused or action.name not in ("hover", "focus"):
            page.alert = interaction.alert
        page.focused = interaction.focused
        if action.name in ("fill", "clear", "press") and page.focused is not None:
            page.typed.add(page.focused)
        if isinstance(wanted, Submission):
            self._open(wanted, tab=interaction.tab)
        elif wanted is not None:
            self._follow(wanted, tab=interaction.tab)

    def _goto(self, url: str) -> None:
        try:
            self._load(Submission("GET", checked_url(url)), link=False)
        except BrowserError as error:
            raise BrowserError(f"Error: Page.goto: {error}") from None

    def _follow(self, href: str, *, tab: bool) -> None:
        """A link: to another page, to a place on this one, or to nothing a page can show."""
        target = joined(self.url, href)
        if not target.startswith(("http:", "https:")):
            if tab:
                self._push(_empty(BLANK), Entry(BLANK), tab=True)
            return
        try:
            target = checked_url(target)
        except BrowserError:  # an address that is none leads nowhere
            return
        here = self.page
        if urldefrag(target).url == urldefrag(self.url).url and "#" in href and not tab:
            if (place := here.document.by_id.get(urldefrag(target).fragment)) is not None:
                here.focused = place if takes_focus(place) else None
                here.cursor.place = place
            self._push(replace(here, url=target, alert=""), Entry(target, document=here.number))
        else:
            self._open(Submission("GET", target), tab=tab)

    def _open(self, request: Submission, *, tab: bool) -> None:
        """What an element leads to. A page that cannot be had is shown as such, and the action was carried out."""
        try:
            self._load(request, tab=tab)
        except BrowserError:
            return

    def _travel(self, name: str) -> None:
        """History. Pages are loaded anew, with what their controls held; what a POST answered is not to be had."""
        left = kept(self.page.document, self.page.typed)
        self._history.entry.controls = left
        entry = self._history.travel(-1 if name == "go_back" else 1)
        if entry is None:
            return
        if entry.document == self.page.number:
            self.page = replace(self.page, url=entry.url, alert="")
            return
        if entry.url == BLANK:
            self.page = _empty(BLANK)
            return
        try:
            if entry.posted:
                raise Unreachable("net::ERR_CACHE_MISS")
            self.page = _page(self._transport.request("GET", entry.url))
            self.page.number = entry.document
        except Unreachable as error:
            self.page = _empty(NOT_REACHED)
            raise BrowserError(f"Error: Page.{name}: {error.code}") from None
        for control in restore(self.page.document, entry.controls):
            self.page.cursor.to_end(control)

    def _load(self, request: Submission, *, tab: bool = False, link: bool = True) -> None:
        """In this tab, or in a new one; where a `link` of the page has led to it, the site is told which page's.

        Raises BrowserError where no page comes: Unreachable, of which one is shown, or a file to be kept."""
        same = request.method == "GET" and request.url == self.url
        try:
            response = self._transport.request(
                request.method,
                request.url,
                content_type=request.content_type,
                body=request.body,
                referer=urldefrag(self.url).url if link and self.url.startswith("http") else "",
            )
        except Unreachable:
            self._push(_empty(NOT_REACHED), Entry(request.url, posted=request.method == "POST"), replace=same, tab=tab)
            raise
        if response.html is None:
            raise BrowserError(f"net::ERR_ABORTED at {request.url}")
        self._push(_page(response), Entry(response.url, posted=response.method == "POST"), replace=same, tab=tab)

    def _push(self, page: Page, entry: Entry, *, replace: bool = False, tab: bool = False) -> None:
        """A new `tab` takes the place of the present one, to which no action leads back."""
        self._history.entry.controls = kept(self.page.document, self.page.typed)
        if tab:
            self._history = History()
        if not entry.document:
            self._loaded += 1
            page.number = entry.document = self._loaded
        self._history.push(entry, replace=replace or tab)
        self.page = page


def _page(response: Response) -> Page:
    html = response.html or ""
    return Page(response.url, response.status, html, parse(html))
