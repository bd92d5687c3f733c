"""Chromium on real sites: signed in, with a tab for each start page, and looked into by scripts for evidence.

The rest is the browser of `eval.suites.web.chromium.gym`. Used by one thread alone, as Playwright asks for.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

from eval.suites.web.chromium.actions import BrowserGone, NotDone
from eval.suites.web.chromium.gym import GymBrowser, whole
from eval.suites.webarena.entering import Refused, alive, opened, signed_in, visit
from reasoningbank.errors import InfraError

WHOLE = """() => {
    const copy = document.documentElement.cloneNode(true);
    for (const element of [copy, ...copy.querySelectorAll("*")]) {
        for (const name of ["bid", "browsergym_visibility_ratio", "browsergym_set_of_marks"]) {
            element.removeAttribute(name);
        }
    }
    const type = document.doctype ? new XMLSerializer().serializeToString(document.doctype) : "";
    return type + copy.outerHTML;
}"""
"""The page's HTML as Playwright has it, without the marks of BrowserGym, whose numbers would pass for contents. (That
BrowserGym writes what a field holds into its attribute `value` stays, as it does where BrowserGym evaluates.)"""
TOLD = ("document", "xhr", "fetch")
"""Kinds of requests that a trace has."""
MOST_SENT = 100_000
"""Bytes of a form that are kept."""
ABORTED = "net::ERR_ABORTED"
"""How a page ends that another one has overtaken, or that was a file to be kept."""
SECRET = frozenset(("cookie", "set-cookie", "authorization", "proxy-authorization", "x-csrf-token"))


class RealBrowser(GymBrowser):
    """One attempt's browser after the other. Its methods return plain data and raise InfraError.

    A page that an action has led to is what the agent sees, whatever it is; of one that is broken, does not come or
    cannot be reached the reply tells, so that whoever asked can look whether a site is down.
    """

    def __init__(self) -> None:
        super().__init__()
        self._sent: list[Any] = []
        self._replies: dict[Any, Any] = {}
        """To what was sent: asked for one that has not come, Playwright would wait for it."""
        self._acts = False
        """Whether it is the agent that leads to pages."""
        self._troubles: list[dict[str, str]] = []
        self._told = 0
        """Of how many troubles the agent knows."""
        self._unfinished: tuple[Any, str] | None = None
        """The page that is not waited for any more, and its address."""
        self._lines: dict[Any, Any] = {}
        """By page a way to its renderer: made before it hangs, it is heard while it does."""

    def enter(
        self,
        *,
        program: str,
        entrances: Sequence[Mapping[str, Any]],
        start: Sequence[str],
        patience: float,
        delay: float,
        shot: str | None = None,
    ) -> dict[str, Any]:
        """A new browser, signed in at the entrances, with a tab for each start page. `refused` says who is not let
        in."""
        kept: dict[str, Any] = {}

        def begin(page: Any) -> None:
            self._watch(page)
            page.context.on("response", self._answered)
            page.context.on("requestfailed", self._failed)
            for entrance in entrances:
                kept[entrance["site"]] = signed_in(page.context, entrance, patience)
            self._sent.clear()
            self._replies.clear()
            page.context.on("request", self._note)
            for number, url in enumerate(start):
                visit(page if number == 0 else page.context.new_page(), url, patience)

        self._acts, self._unfinished = False, None
        self._lines.clear()
        try:
            self.launch(program=program, begin=begin, patience=patience, delay=delay)
        except Refused as refused:
            return {"refused": str(refused)}
        self._well()
        return {"observation": self._observation("", shot), "cookies": kept}

    def _note(self, request: Any) -> None:
        self._sent.append(request)

    def act(self, *, text: str, shot: str | None = None) -> dict[str, Any]:
        """Action calls: what is seen then, the troubles with pages that they led to, and the seconds that it took."""
        began = time.monotonic()
        self._acts, self._told = True, 0
        self._troubles.clear()
        self._hung(self._shown())  # since the last one
        seen = self.step(text=text, shot=shot)
        return {"observation": seen, "troubles": list(self._troubles), "seconds": time.monotonic() - began}

    def read(self, *, places: Sequence[Mapping[str, Any]], wait: float, trace: bool) -> dict[str, Any]:
        """Where the attempt is, and what scripts say there and on other pages, which are opened beside its own with its
        cookies, and `wait` seconds after they have come; None for one that does not come, which `troubles` tells of."""
        page = self._shown()
        self._hung(page)
        tabs = [each.url for each in self._env.context.pages]
        aside = None
        texts: list[list[str] | None] = []
        troubles = []
        for place in places:
            shown = page
            if place["url"]:
                aside = aside or self._env.browser.new_context(storage_state=self._env.context.storage_state())
                aside.set_default_timeout(self._patience * 1000)
                shown = aside.new_page()
                _, trouble = opened(shown, place["url"], self._patience)
                if trouble:
                    troubles.append({"url": place["url"], "said": trouble})
                    texts.append(None)
                    shown.close()
                    continue
                shown.wait_for_timeout(wait * 1000)
            for script in place["prepare"]:
                if not done(shown, script):
                    break
            texts.append([said(shown, script) for script in place["scripts"]])
            if shown is not page:
                shown.close()
        if aside is not None:
            aside.close()
        pairs = [(request, self._replies[request]) for request in self._sent if request in self._replies]
        sent = [told for pair in pairs if (told := as_entry(*pair)) is not None] if trace else []
        where = {"url": page.url, "status": self._status, "tabs": tabs}
        return {**where, "texts": texts, "troubles": troubles, "trace": sent}

    def _answered(self, response: Any) -> None:
        self._replies[response.request] = response
        if response.status >= 500 and whole(response.request):
            self._trouble(response.url, f"answers {response.status}")

    def _failed(self, request: Any) -> None:
        why = request.failure or ""
        if whole(request) and ABORTED not in why:
            self._trouble(request.url, why)

    def _trouble(self, url: str, said: str) -> None:
        self._troubles.append({"url": url, "said": said})

    def _settled(self) -> str:
        """As of any browser; and that the page answers."""
        told = self._reached() or self._come_in_time() or self._hung(self._shown())
        new, self._told = self._troubles[self._told :], len(self._troubles)
        return told or next((f"Error: {each['url']} {each['said']}" for each in new), "")

    def _reached(self) -> str:
        """Makes a line to every page that has none."""
        from playwright.sync_api import Error

        for page in self._env.context.pages:
            if page in self._lines:
                continue
            try:
                line = self._env.context.new_cdp_session(page)
            except Error:
                if not page.is_closed():
                    raise
                continue
            if told := self._hung(page):
                return told
            self._lines[page] = line
        return ""

    def _come_in_time(self) -> str:
        page = self._shown()
        if not self._waiting and (page, page.url) == self._unfinished:
            return ""
        return super()._settled()

    def _hung(self, page: Any) -> str:
        """What is to be told of a page whose scripts let nobody in; empty where it answers."""
        from playwright.sync_api import Error, TimeoutError

        try:
            page.locator(":root").wait_for(state="attached", timeout=self._patience * 1000)
        except TimeoutError:
            return self._overdue(page.url)
        except Error:
            if not page.is_closed():
                raise
        return ""

    def _undone(self, name: str, error: BrowserGone) -> str:
        """What is not done in time is so because of the page, unless its site is down."""
        if not isinstance(error, NotDone):
            return super()._undone(name, error)
        self._trouble(self._shown().url, str(error))
        self._told = len(self._troubles)
        return f"TimeoutError: {error}"

    def _overdue(self, url: str) -> str:
        """Nothing is waited for any more: scripts and pages on their way are stopped."""
        if not self._acts:
            return super()._overdue(url)
        self._trouble(url, f"does not load within {self._patience:g} s")
        self._told = len(self._troubles)
        self._waiting.clear()
        for page in self._env.context.pages:
            if (line := self._lines.get(page)) is None:
                page.close()  # it hangs since it was opened
                continue
            line.send("Runtime.terminateExecution")
            line.send("Page.stopLoading")
        page = self._shown()
        self._unfinished = (page, page.url)
        return f"TimeoutError: {url} does not load within {self._patience:g} s"

    def _well(self) -> None:
        if self._status >= 500:
            raise InfraError(f"{self._env.page.url} answers {self._status}")


def done(page: Any, script: str) -> bool:
    """Whether a script could be run; where not, those after it are left out, as in WebArena."""
    from playwright.sync_api import Error

    try:
        page.evaluate(f"() => {script}")
    except Error as error:
        alive(error)
        return False
    return True


def said(page: Any, script: str) -> str:
    """What a script gives, as text; nothing where it fails; the page's HTML for an empty one."""
    from playwright.sync_api import Error

    try:
        return str(page.evaluate(f"() => {script}" if script else WHOLE))
    except Error as error:
        alive(error)
        return ""


def as_entry(request: Any, response: Any) -> dict[str, Any] | None:
    """What was sent and what came, as an entry of a HAR file without cookies and keys; None for what shows nothing of
    what was done, such as images."""
    from playwright.sync_api import Error

    if request.resource_type not in TOLD:
        return None
    try:
        sent, came = request.all_headers(), response.all_headers()
    except Error as error:
        alive(error)
        return None
    asked: dict[str, Any] = {"method": request.method, "url": request.url, "headers": listed(sent)}
    if (data := request.post_data_buffer) is not None:
        text = data[:MOST_SENT].decode("utf-8", "replace")
        asked["postData"] = {"mimeType": sent.get("content-type", ""), "text": text}
    answered = {"status": response.status, "redirectURL": came.get("location", ""), "headers": listed(came)}
    return {"request": asked, "response": answered}


def listed(headers: Mapping[str, str]) -> list[dict[str, str]]:
    """Headers as a HAR file has them."""
    return [{"name": name, "value": value} for name, value in headers.items() if name.lower() not in SECRET]
