"""One browser at a time, launched and observed by BrowserGym. Used by one thread alone, as Playwright asks for.

BrowserGym is kept from what has no use here: its chat is a list and no second browser, no delay follows an action but
the short one in which a page begins to load, and neither picture nor DOM is taken with every observation.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from eval.suites.web.chromium.actions import CHANGE, PAGES, BrowserGone, may_open_tab, perform, waits
from eval.suites.web.chromium.given import ListChat, StartPage, crashed
from eval.suites.web.chromium.lean import make_lean, marking_alone
from eval.suites.web.evidence import LAST
from reasoningbank.agents.actions import ActionSyntaxError, parse_actions
from reasoningbank.errors import InfraError

DELAY = 0.05
"""Seconds after an action before the page is looked at."""
TAB = 1.0
"""Seconds in which a tab is opened, if one is."""
TRIES = 5
"""Of an observation, while the page is being changed for another."""
NOT_SHOWN = ("LineBreak", "InlineTextBox", "ListMarker", "MenuListPopup")
"""Roles left out of the tree beside those that BrowserGym leaves out: what newer releases of Chromium add, and what
style sheets decide."""
NOT_TOLD = ("url", "errormessage")
"""Properties left out likewise: a link's address, and an invalid control's message, which an alert says."""
_MOVING = ("Execution context was destroyed", "Frame was detached", "Frame has been detached", "Cannot read properties")
_FLAGS = ("--disable-features=OverlayScrollbars,ExtendedOverlayScrollbars",)

HTML = (Path(__file__).parent / "page.js").read_text(encoding="utf-8")
"""A function: the page as HTML, with what its controls hold at the moment."""


class GymBrowser:
    """The browser of one attempt after the other. Its methods return plain data and raise InfraError."""

    def __init__(self) -> None:
        import browsergym.core
        import browsergym.core.env
        from playwright.sync_api import sync_playwright

        make_lean()
        marking_alone()
        self._playwright = sync_playwright().start()
        self._launch: dict[str, Any] = {}
        browsergym.core.env.Chat = ListChat
        browser_type = SimpleNamespace(launch=self._launched)
        browsergym.core._set_global_playwright(
            SimpleNamespace(selectors=self._playwright.selectors, chromium=browser_type)
        )
        self._env: Any = None
        self._status = 0
        self._waiting: set[Any] = set()
        self._patience = 0.0
        self._until = 0.0
        """When what is being done must have led to a page."""
        self._delay = DELAY
        self._come = 0
        """How many pages there have been, but for those that lead on."""

    def open(
        self, *, program: str, hosts: Sequence[str], port: int, start: str, patience: float, shot: str | None = None
    ) -> dict[str, Any]:
        """A new browser on the page `start`, which finds `hosts` at the port of this machine and no other host."""
        rules = [*(f"MAP {host}:80 127.0.0.1:{port}" for host in hosts), "MAP * ~NOTFOUND"]

        def begin(page: Any) -> None:
            self._watch(page)
            page.goto(start)

        self.launch(
            program=program, begin=begin, patience=patience, flags=[f"--host-resolver-rules={', '.join(rules)}"]
        )
        return {**self._observation("", shot), "status": self._status_of(self._env.page)}

    def launch(
        self,
        *,
        program: str,
        begin: Callable[[Any], None],
        patience: float,
        flags: Sequence[str] = (),
        delay: float = DELAY,
    ) -> None:
        """A new browser. `begin` opens on its first page what an attempt is to find."""
        from browsergym.core.env import BrowserEnv

        self._launch = {"executable_path": program, "flags": [*_FLAGS, *flags]}
        self._patience = patience
        self._until = time.monotonic() + PAGES * patience
        self._delay = delay
        self._env = BrowserEnv(
            task_entrypoint=StartPage,
            task_kwargs={"begin": begin, "patience": patience},
            use_raw_page_output=True,
            pre_observation_delay=delay,
        )
        self._env._get_obs = dict  # its own observations, of which none is used, ask tabs that may close meanwhile
        self._env._active_page_check = self._shown  # its own fails where no tab that is left was ever shown
        self._env.reset(seed=0)
        self._settled()

    def step(self, *, text: str, shot: str | None = None) -> dict[str, Any]:
        """One or more action calls; after the first that fails the rest are left out."""
        try:
            actions = parse_actions(text, multi=True)
        except ActionSyntaxError as error:
            return self._observation(str(error), shot)
        told = ""
        for action in actions:
            info, _, _ = self._env.pre_step()
            before, shown = self._come, self._env.page
            leads = partial(self._leads, before, shown, shown.url)
            self._until = time.monotonic() + waits(action) + PAGES * self._patience
            try:
                told = perform(action, self._shown(), self._patience, leads)
            except BrowserGone as error:
                told = self._undone(action.name, error)
            if may_open_tab(action) and not told:
                self._opened(shown)
            late = self._settled()
            told = told or late
            # a page that has come is there: only scripts, and so sites with another delay, do anything after it
            came = not told and self._come > before and self._delay == DELAY
            self._env.pre_observation_delay = 0.0 if came else self._delay
            # with its validation, which here is nothing else: it looks whether the page that is shown is still open
            self._env.post_step(info)
            late = self._settled()
            told = told or late
            if told:
                break
        return self._observation(told, shot)

    def look(self, *, urls: Sequence[str]) -> dict[str, Any]:
        """The present page and others as HTML, each with its status; None for one that cannot be reached.

        The others are opened beside the attempt's own pages, with its cookies, and leave no trace in them.
        """
        page = self._env.page
        found: dict[str, Any] = {LAST: {"url": page.url, "status": self._status_of(page), "html": page.evaluate(HTML)}}
        if urls:
            aside = self._env.browser.new_context(storage_state=self._env.context.storage_state())
            aside.set_default_timeout(self._patience * 1000)
            for url in urls:
                found[url] = self._seen(aside.new_page(), url)
            aside.close()
        return found

    def close(self) -> dict[str, Any]:
        """The browser is closed."""
        env, self._env = self._env, None
        if env is not None:
            env.close()
        return {}

    def _launched(self, *, args: Sequence[str], **options: Any) -> Any:
        """What BrowserGym launches, with our flags in the place of its own, which name no host."""
        flags = self._launch["flags"]
        return self._playwright.chromium.launch(
            **options, executable_path=self._launch["executable_path"], args=flags, handle_sigint=False
        )

    def _seen(self, page: Any, url: str) -> dict[str, Any] | None:
        from playwright.sync_api import Error, TimeoutError

        try:
            response = page.goto(url)
        except TimeoutError as error:
            raise InfraError(f"{url} does not load within {self._patience:g} s") from error
        except Error as error:
            if "net::ERR_" in error.message or "invalid URL" in error.message:
                return None
            raise
        status = response.status if response is not None else 0
        return {"url": page.url, "status": status, "html": page.evaluate(HTML)}

    def _watch(self, page: Any) -> None:
        """Notes which pages are on their way, and with what status the one that is shown has come."""

        def begun(request: Any) -> None:
            if whole(request):
                self._waiting.add(request)

        def ended(request: Any) -> None:
            self._waiting.discard(request)

        def came(response: Any) -> None:
            if whole(response.request):
                self._status = response.status
                self._come += not 300 <= response.status < 400

        def new(page: Any) -> None:
            page.on("crash", crashed)

        self._status = 0
        self._waiting.clear()
        new(page)
        page.context.on("page", new)
        page.context.on("request", begun)
        page.context.on("response", came)
        page.context.on("requestfinished", ended)
        page.context.on("requestfailed", ended)

    def _leads(self, before: int, shown: Any, url: str) -> bool:
        """Waits for another page than the one `shown`, and tells whether it has come or is on its way."""
        soon = time.monotonic() + CHANGE
        while True:
            page = self._shown()
            if self._waiting or self._come > before or page is not shown or page.url != url:
                return True
            if time.monotonic() > soon:
                return False
            page.wait_for_timeout(10)

    def _opened(self, shown: Any) -> None:
        """Waits for the tab that is opened, if one is: it takes the place of the one that was `shown`."""
        soon = time.monotonic() + TAB
        while self._env.page is shown and time.monotonic() < (self._until if self._waiting else soon):
            self._shown().wait_for_timeout(10)

    def _shown(self) -> Any:
        """The page that is shown: where it has closed itself, the one before it, and a new one where there is none."""
        env = self._env
        env.page_history = {page: None for page in env.page_history if not page.is_closed()}
        if env.page.is_closed():
            left = [*env.page_history] or env.context.pages
            env.page = left[-1] if left else env.context.new_page()
        return env.page

    def _settled(self) -> str:
        """Waits until no page is on its way. What is to be told of one that never comes; empty where all have."""
        from playwright.sync_api import Error, TimeoutError

        until = min(self._until, time.monotonic() + self._patience)
        while True:
            page = self._shown()
            self._waiting = {request for request in self._waiting if not is_nowhere(request)}
            try:
                if not self._waiting:
                    page.wait_for_load_state("load", timeout=max(1.0, (until - time.monotonic()) * 1000))
                    return ""
                if time.monotonic() > until:
                    return self._overdue(next(iter(self._waiting)).url)
                page.wait_for_timeout(10)
            except TimeoutError:
                return self._overdue(page.url)
            except Error:
                if not page.is_closed():
                    raise

    def _undone(self, name: str, error: BrowserGone) -> str:
        """An action could not be carried out: InfraError, or what is to be told of it."""
        raise InfraError(f"the browser has gone while it did {name}: {error}") from error

    def _overdue(self, url: str) -> str:
        """A page has not come in time: InfraError, or what is to be told of it."""
        raise InfraError(f"{url} does not load within {self._patience:g} s")

    def _status_of(self, page: Any) -> int:
        """With what the page came; 0 for one that came from nowhere."""
        return self._status if page.url.startswith("http") else 0

    def _observation(self, error: str, shot: str | None) -> dict[str, Any]:
        text = self._tree()
        page = self._env.page
        if shot is not None:
            page.screenshot(path=shot)
        return {"text": text, "url": page.url, "error": error}

    def _tree(self) -> str:
        from browsergym.core import observation
        from browsergym.utils.obs import IGNORED_AXTREE_PROPERTIES, flatten_axtree_to_str
        from playwright.sync_api import Error

        for left in reversed(range(TRIES)):
            page = self._shown()
            try:
                observation._pre_extract(page, tags_to_mark="standard_html", lenient=left == 0)
                tree = axtree(page)
                observation._post_extract(page)
            except (Error, observation.MarkingError) as error:
                if left == 0 or not (page.is_closed() or any(words in str(error) for words in _MOVING)):
                    raise
                self._shown().wait_for_timeout(200)
                self._settled()
                continue
            for node in tree["nodes"]:
                if node["role"]["value"] == "StaticText" and not node["name"]["value"].strip():
                    node["role"]["value"] = NOT_SHOWN[0]  # the space between two words that style sheets set apart
            ignored = (*IGNORED_AXTREE_PROPERTIES, *NOT_TOLD)
            return str(flatten_axtree_to_str(tree, ignored_roles=NOT_SHOWN, ignored_properties=ignored))
        raise AssertionError("unreachable: the last try returns or raises")


def whole(request: Any) -> bool:
    """Whether it is for a page, and not for a part of one."""
    from playwright.sync_api import Error

    if not request.is_navigation_request():
        return False
    try:
        return request.frame.parent_frame is None
    except Error:  # of a page that is only being opened, which no part of one is
        return True


def is_nowhere(request: Any) -> bool:
    """Whether it is for a page that has been closed meanwhile."""
    from playwright.sync_api import Error

    try:
        return bool(request.frame.page.is_closed())
    except Error:
        return False


def axtree(page: Any) -> Any:
    """The page's accessibility tree with those of its frames."""
    from browsergym.core import observation

    if len(page.frames) == 1:
        trees = list(observation.extract_all_frame_axtrees(page).values())
        if len(trees) == 1:
            return trees[0]
    return observation.extract_merged_axtree(page)
