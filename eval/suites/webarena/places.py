"""What evaluators look at in the end: addresses and locators of a task file, read without running anything in them.

A task file writes them as code: `func:NAME(...)` is a call of one of WebArena's helpers, and any other locator is
JavaScript for the page. The helpers that it can name are known, and take texts alone.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from urllib.parse import urlsplit

from eval.names import nearest
from eval.suites.web.evidence import LAST
from reasoningbank.types import Record

_CALL = "func:"
_JAVASCRIPT = ("document.", "[...document.")
LAST_URL = "__last_url__"
PAGE = "__page__"
POST_OF = "reddit_get_post_url"
LATEST_ORDER = "shopping_get_latest_order_url"
REVIEW_AUTHOR = "shopping_get_sku_latest_review_author"
REVIEW_RATING = "shopping_get_sku_latest_review_rating"
MEMBER_ROLE = "gitlab_get_project_memeber_role"
URL_CALLS = {POST_OF: (LAST_URL,), LATEST_ORDER: ()}
"""Helpers that give an address, with what they are handed; None in the following for any text."""
LOCATOR_CALLS = {REVIEW_AUTHOR: (None,), REVIEW_RATING: (None,), MEMBER_ROLE: (PAGE, None)}


class Look(Record):
    """A look at one page: at `url`, or where the attempt has ended; `locator` is JavaScript or a helper's call, and
    empty for the page as a whole."""

    url: str
    locator: str
    prep_actions: tuple[str, ...] = ()


@dataclass(frozen=True)
class Call:
    """A helper's name and the texts that it is handed."""

    name: str
    args: tuple[str, ...]


def check_look(look: Look) -> None:
    """ValueError where it cannot be looked at."""
    if look.url.startswith(_CALL):
        call_in(look.url, URL_CALLS)
    elif look.url != LAST and not look.url.startswith(("__", "http://", "https://")):
        raise ValueError(
            f"url {look.url!r} is neither an address, nor `last`, nor a call such as func:{LATEST_ORDER}()"
        )
    locator = look.locator.strip()
    if locator.startswith(_CALL):
        call_in(locator, LOCATOR_CALLS)
    elif locator and not look.locator.startswith(_JAVASCRIPT):
        raise ValueError(f"locator {look.locator!r} begins neither with {' nor '.join((*_JAVASCRIPT, _CALL))}")


def url_call(look: Look) -> Call | None:
    """The helper that gives its address."""
    return call_in(look.url, URL_CALLS) if look.url.startswith(_CALL) else None


def locator_call(look: Look) -> Call | None:
    """The helper that gives its text."""
    locator = look.locator.strip()
    return call_in(locator, LOCATOR_CALLS) if locator.startswith(_CALL) else None


def call_in(text: str, known: dict[str, tuple[str, ...]] | dict[str, tuple[str | None, ...]]) -> Call:
    """`func:name('a', __page__)` as a call. ValueError for anything but texts and names of ours in it."""
    written = text.removeprefix(_CALL)
    try:
        node = ast.parse(written, mode="eval").body
    except SyntaxError:
        node = None
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or node.keywords:
        raise ValueError(f"{text!r} is no call of a helper")
    args = []
    for arg in node.args:
        match arg:
            case ast.Constant(value=str(value)) | ast.Name(id=value):
                args.append(value)
            case _:
                raise ValueError(f"{text!r} hands over something else than texts")
    if node.func.id not in known:
        raise ValueError(f"{text!r} calls an unknown helper; {nearest(node.func.id, list(known))}")
    wanted = known[node.func.id]
    if len(args) != len(wanted) or any(want not in (None, arg) for want, arg in zip(wanted, args, strict=True)):
        raise ValueError(f"{text!r} hands over {len(args)} texts that are not what {node.func.id} takes")
    return Call(node.func.id, tuple(args))


def post_of(url: str) -> str:
    """The address of the post that a comment or a page of it belongs to; any other address as it is."""
    parts = urlsplit(url)
    steps = parts.path.split("/")
    if len(steps) < 4 or steps[1] != "f":
        return url
    return f"{parts.scheme}://{parts.netloc}/f/{steps[2]}/{steps[3]}/"


def role_script(account: str) -> str:
    """JavaScript for the role that a member of a project has, by the table of its members."""
    name = account.replace("\\", "\\\\").replace("'", "\\'")
    rows = """[...document.querySelectorAll("td[data-label='Account'] span.gl-avatar-labeled-sublabel")]"""
    roles = """document.querySelectorAll("td.col-max-role span")"""
    return f"{roles}[{rows}.findIndex(row => row.outerText === '@{name}')].outerText"
