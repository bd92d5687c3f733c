"""Pages of real sites that are opened for an attempt, and not by its agent: to sign in, to start, to look at."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from eval.suites.web.chromium.actions import GONE
from reasoningbank.errors import InfraError

PASSWORD = "input[type=password]"


class Refused(Exception):
    """A site does not let somebody in."""


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
    status, trouble = opened(page, url, patience)
    if trouble:
        raise InfraError(f"{url} {trouble}")
    return status


def opened(page: Any, url: str, patience: float) -> tuple[int, str]:
    """Opens an address; returns the status, 0 where there is none, and what is wrong with it, empty for nothing."""
    from playwright.sync_api import Error, TimeoutError

    try:
        response = page.goto(url, timeout=patience * 1000)
    except TimeoutError:
        return 0, f"does not load within {patience:g} s"
    except Error as error:
        alive(error)
        return 0, f"cannot be opened: {short(error)}"
    status = int(response.status) if response is not None else 200
    return status, f"answers {status}" if status >= 500 else ""


def alive(error: Any) -> None:
    """InfraError where it is the browser that has failed, and not the script."""
    if any(words in error.message for words in GONE):
        raise InfraError(f"the browser has gone: {short(error)}")


def short(error: Any) -> str:
    return str(error.message).partition("\n")[0].strip()
