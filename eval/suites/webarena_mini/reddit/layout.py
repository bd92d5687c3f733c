"""What all pages share: rendering with what stands beside each, who is signed in, and how times are written."""

from __future__ import annotations

import datetime
import sqlite3

from flask import Response, request

from eval.suites.webarena_mini.site import db
from eval.suites.webarena_mini.site.layout import Crumbs, render

PERSON = "SELECT u.* FROM users u JOIN world w ON w.key = 'user' AND u.id = CAST(w.value AS INTEGER)"
LARGEST = "SELECT name, title FROM forums ORDER BY subscribers DESC LIMIT 8"
OWN = "SELECT f.name, f.title FROM subscriptions s JOIN forums f ON f.id = s.forum_id ORDER BY f.name"
TALK = """
SELECT c.id, u.name AS author, p.title, p.path FROM comments c JOIN users u ON u.id = c.user_id
JOIN shown_posts p ON p.id = c.post_id WHERE NOT c.deleted ORDER BY c.created_at DESC, c.id DESC LIMIT 4
"""


def page(template: str, title: str, *, crumbs: Crumbs | None = None, status: int = 200, **values: object) -> Response:
    """A whole page as a response."""
    return render(
        template,
        title,
        crumbs=crumbs,
        status=status,
        me=person(),
        here=request.full_path.rstrip("?") if request.method == "GET" else "",
        largest=db.rows(LARGEST),
        own_forums=db.rows(OWN),
        talk=db.rows(TALK),
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
