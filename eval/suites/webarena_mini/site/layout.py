"""What pages of all sites share: rendering, looking elsewhere after a form, and how money and dates are written."""

from __future__ import annotations

from flask import Response, redirect, render_template

from eval.suites.webarena_mini.site import db
from eval.suites.webarena_mini.site.words import say

Crumbs = list[tuple[str, str]]
"""(name, address) from the first page down; the page itself is not among them."""


def render(template: str, title: str, *, crumbs: Crumbs | None = None, status: int = 200, **values: object) -> Response:
    """A whole page as a response. Says what there is to say since the last one."""
    html = render_template(
        template,
        title=say(title),
        crumbs=[(say(name), address) for name, address in crumbs or []],
        notices=db.take_notices(),
        **values,
    )
    return Response(html, status=status)


def see(path: str) -> Response:
    """After a form was posted: look at this page."""
    response = redirect(path, code=303)
    assert isinstance(response, Response)
    return response


def money(cents: int) -> str:
    """`$1,234.50`."""
    return f"${cents / 100:,.2f}"


def month_first(iso: str) -> str:
    """`03/05/2024` for the 5th of March."""
    return f"{iso[5:7]}/{iso[8:10]}/{iso[:4]}"


def plural(count: int, word: str) -> str:
    """`1 review`, `2 reviews`."""
    return f"{count} {word}" if count == 1 else f"{count} {word}s"
