"""What all pages share: rendering with what stands beside each, who is signed in, and how times are written."""

from __future__ import annotations

import datetime
import sqlite3

from flask import Response, request

from eval.suites.webarena_mini.site import db
from eval.suites.webarena_mini.site.layout import Crumbs, render

PERSON = "SELECT u.* FROM users u JOIN world w ON w.key = 'user' AND u.id = CAST(w.value AS INTEGER)"
BOARDS = "SELECT name, title FROM forums ORDER BY title"


def page(template: str, title: str, *, crumbs: Crumbs | None = None, status: int = 200, **values: object) -> Response:
    """A whole page as a response."""
    return render(
        template,
        title,
        crumbs=crumbs,
        status=status,
        me=person(),
        here=request.full_path.rstrip("?") if request.method == "GET" else "",
        all_forums=db.rows(BOARDS),
        **values,
    )


def person() -> sqlite3.Row:
    """Who is signed in."""
    found = db.row(PERSON)
    assert found is not None
    return found


def way_back(fallback: str) -> str:
    """The page of this site that a form says it was sent from."""
    path = request.form.get("here", "")
    inside = path.startswith("/") and not path.startswith("//") and path.isprintable() and "\\" not in path
    return path if inside else fallback


def moment(iso: str) -> str:
    """`June 3, 2024, 14:05`."""
    at = datetime.datetime.fromisoformat(iso)
    return f"{at:%B} {at.day}, {at.year}, {at:%H:%M}"


def long_day(iso: str) -> str:
    """`June 3, 2024`."""
    day = datetime.date.fromisoformat(iso[:10])
    return f"{day:%B} {day.day}, {day.year}"


FILTERS = (moment, long_day)
