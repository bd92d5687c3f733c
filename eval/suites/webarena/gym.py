"""Chromium on real sites: signed in, with a tab for each start page, and looked into by scripts for evidence.

The rest is the browser of `eval.suites.web.chromium.gym`. Used by one thread alone, as Playwright asks for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from eval.suites.web.chromium.actions import GONE
from eval.suites.web.chromium.gym import GymBrowser
from reasoningbank.errors import InfraError

PASSWORD = "input[type=password]"
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
SECRET = frozenset(("cookie", "set-cookie", "authorization", "proxy-authorization", "x-csrf-token"))


class Refused(Exception):
    """A site does not let somebody in."""


class RealBrowser(GymBrowser):
    """One attempt's browser after the other. Its methods return plain data and raise InfraError."""

    def __init__(self) -> None:
        super().__init__()
        self._sent: list[Any] = []

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
            for entrance in entrances:
                kept[entrance["site"]] = signed_in(page.context, entrance, patience)
            self._sent.clear()
            page.context.on("request", self._note)
            for number, url in enumerate(start):
                visit(page if number == 0 else page.context.new_page(), url, patience)

        try:
            self.launch(program=program, begin=begin, patience=patience, delay=delay)
        except Refused as refused:
            return {"refused": str(refused)}
        self._well()
        return {"observation": self._observation("", shot), "cookies": kept}

    def _note(self, request: Any) -> None:
        self._sent.append(request)

    def act(self, *, text: str, shot: str | None = None) -> dict[str, Any]:
        """Action calls. InfraError where a site then answers that it is broken (5xx)."""
        seen = self.step(text=text, shot=shot)
        self._well()
        return seen

    def read(self, *, places: Sequence[Mapping[str, Any]], wait: float, trace: bool) -> dict[str, Any]:
        """Where the attempt is, and what scripts say there and on other pages, which are opened beside its own with its
        cookies, and `wait` seconds after they have come."""
        page = self._env.page
        tabs = [each.url for each in self._env.context.pages]
        aside = None
        texts = []
        for place in places:
            shown = page
            if place["url"]:
                aside = aside or self._env.browser.new_context(storage_state=self._env.context.storage_state())
                aside.set_default_timeout(self._patience * 1000)
                shown = aside.new_page()
                visit(shown, place["url"], self._patience)
                shown.wait_for_timeout(wait * 1000)
            for script in place["prepare"]:
                if not done(shown, script):
                    break
            texts.append([said(shown, script) for script in place["scripts"]])
            if shown is not page:
                shown.close()
        if aside is not None:
            aside.close()
        sent = [told for request in self._sent if (told := as_entry(request)) is not None] if trace else []
        return {"url": page.url, "status": self._status, "tabs": tabs, "texts": texts, "trace": sent}

    def _well(self) -> None:
        if self._status >= 500:
            raise InfraError(f"{self._env.page.url} answers {self._status}")


def signed_in(context: Any, entrance: Mapping[str, Any], patience: float) -> list[dict[str, Any]]:
    """Signs in, unless cookies of another time still hold; returns those that hold. Raises Refused."""
    page = context.new_page()
    if entrance["cookies"]:
        context.add_cookies(list(entrance["cookies"]))
    if not entrance["cookies"] or not is_inside(page, entrance, patience):
        fill_in(page, entrance, patience)
        if not is_inside(page, entrance, patience):
            raise Refused(
                f"{entrance['site']} at {entrance['page']} does not let {entrance['username']} in: set the account by "
                f"suite.accounts.{entrance['site']}={{username: ..., password: ...}}"
            )
    page.close()
    found: list[dict[str, Any]] = context.cookies(entrance["asks"])
    return found


def is_inside(page: Any, entrance: Mapping[str, Any], patience: float) -> bool:
    """Whether a page that asks who is outside for a password does not."""
    status = visit(page, entrance["asks"], patience)
    return status < 400 and page.locator(PASSWORD).count() == 0


def fill_in(page: Any, entrance: Mapping[str, Any], patience: float) -> None:
    """The sign-in form, by the labels of its fields and of its button."""
    from playwright.sync_api import Error

    status = visit(page, entrance["page"], patience)
    if status >= 400:
        raise InfraError(f"{entrance['site']}: the sign-in page {entrance['page']} answers {status}")
    try:
        for label, value in (("user_label", "username"), ("password_label", "password")):
            named(page.get_by_label, entrance, entrance[label]).fill(entrance[value])
        named(lambda name, **how: page.get_by_role("button", name=name, **how), entrance, entrance["button"]).click()
        page.wait_for_load_state("load")
    except Error as error:
        raise InfraError(
            f"{entrance['site']}: its sign-in form at {entrance['page']} cannot be sent: {short(error)}"
        ) from None


def named(find: Callable[..., Any], entrance: Mapping[str, Any], name: str) -> Any:
    """What goes by just this name, else by one that has it in it."""
    for found in (find(name, exact=True), find(name)):
        if found.count():
            return found.first
    raise InfraError(f"{entrance['site']}: its sign-in page {entrance['page']} has nothing labelled {name!r}")


def visit(page: Any, url: str, patience: float) -> int:
    """Opens an address; returns the status. InfraError where it cannot be reached, does not come or is broken (5xx)."""
    from playwright.sync_api import Error, TimeoutError

    try:
        response = page.goto(url, timeout=patience * 1000)
    except TimeoutError:
        raise InfraError(f"{url} does not load within {patience:g} s") from None
    except Error as error:
        raise InfraError(f"{url} cannot be opened: {short(error)}") from None
    status = response.status if response is not None else 200
    if status >= 500:
        raise InfraError(f"{url} answers {status}")
    return int(status)


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


def as_entry(request: Any) -> dict[str, Any] | None:
    """What was sent and what came, as an entry of a HAR file without cookies and keys; None for what shows nothing of
    what was done, such as images, and for what has had no answer."""
    from playwright.sync_api import Error

    if request.resource_type not in TOLD:
        return None
    try:
        response, sent = request.response(), request.all_headers()
        if response is None:
            return None
        came = response.all_headers()
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


def alive(error: Any) -> None:
    """InfraError where it is the browser that has failed, and not the script."""
    if any(words in error.message for words in GONE):
        raise InfraError(f"the browser has gone: {short(error)}")


def short(error: Any) -> str:
    return str(error.message).partition("\n")[0].strip()
