"""The list of boards, subscribing to them, and making a new one."""

from __future__ import annotations

from flask import Flask, Response, abort, request

from eval.suites.webarena_mini.reddit import layout
from eval.suites.webarena_mini.reddit.pages_lists import find_forum
from eval.suites.webarena_mini.site import db
from eval.suites.webarena_mini.site.fields import Fields
from eval.suites.webarena_mini.site.layout import see

ORDERS = {"by_name": "f.name", "by_subscribers": "readers DESC, f.name", "by_submissions": "submissions DESC, f.name"}
LABELS = {"by_name": "By name", "by_subscribers": "By subscribers", "by_submissions": "By posts"}
BOARDS = """
SELECT f.*, f.subscribers + (s.forum_id IS NOT NULL) AS readers, s.forum_id IS NOT NULL AS subscribed,
    (SELECT count(*) FROM posts p WHERE p.forum_id = f.id AND p.state = 'public') AS submissions
FROM forums f LEFT JOIN subscriptions s ON s.forum_id = f.id ORDER BY {order}
"""
NEW = "INSERT INTO forums (name, title, description, sidebar, created_on, subscribers) VALUES (?, ?, ?, ?, ?, 0)"


def forums(order: str = "by_name") -> Response:
    """All boards."""
    if order not in ORDERS:
        abort(404)
    return layout.page(
        "forums.html",
        "Forums",
        boards=db.rows(BOARDS.format(order=ORDERS[order])),
        orders=[(label, f"/forums/{key}") for key, label in LABELS.items()],
    )


def subscribe(name: str) -> Response:
    """Begins or ends a subscription, whichever the form says."""
    found = find_forum(name)
    with db.connection() as connection:
        if request.form.get("subscribe") == "1":
            connection.execute("INSERT OR IGNORE INTO subscriptions VALUES (?)", (found["id"],))
        else:
            connection.execute("DELETE FROM subscriptions WHERE forum_id = ?", (found["id"],))
    return see(layout.way_back(f"/f/{found['name']}"))


def create() -> Response:
    """The empty form of a new board."""
    return _form({}, [])


def _form(typed: dict[str, str], errors: list[str]) -> Response:
    return layout.page(
        "create_forum.html", "Create new forum", crumbs=[("Forums", "/forums")], typed=typed, errors=errors
    )


def save() -> Response:
    """Stores a new board; who makes it reads it."""
    fields = Fields(request.form)
    typed = {
        "name": fields.matching("name", "Name", r"[A-Za-z0-9_]{3,25}", "3 to 25 letters, digits or underscores"),
        "title": fields.text("title", "Title"),
        "description": fields.text("description", "Description", longest=300),
        "sidebar": fields.text("sidebar", "Sidebar", longest=2000),
    }
    if db.value("SELECT 1 FROM forums WHERE name = ? OR title = ?", typed["name"], typed["title"]):
        fields.errors.append("A forum exists with that name or title already.")
    if fields.errors:
        return _form(typed, fields.errors)
    with db.connection() as connection:
        made = connection.execute(NEW, (*typed.values(), db.today()[:10])).lastrowid
        connection.execute("INSERT INTO subscriptions VALUES (?)", (made,))
    db.notice("The forum was created.")
    return see(f"/f/{typed['name']}")


def register(app: Flask) -> None:
    """Adds the pages."""
    app.add_url_rule("/forums", "forums", forums)
    app.add_url_rule("/forums/<order>", "forums", forums)
    app.add_url_rule("/f/<name>/subscribe", "subscribe", subscribe, methods=["POST"])
    app.add_url_rule("/create_forum", "create_forum", create)
    app.add_url_rule("/create_forum", "save_forum", save, methods=["POST"])
