"""Messages between two people, and notices of answers."""

from __future__ import annotations

import sqlite3

from flask import Flask, Response, request

from eval.suites.webarena_mini.reddit import layout
from eval.suites.webarena_mini.reddit.pages_people import crumbs, other
from eval.suites.webarena_mini.reddit.world_people import MESSAGE
from eval.suites.webarena_mini.site import db
from eval.suites.webarena_mini.site.fields import Fields
from eval.suites.webarena_mini.site.layout import see

LETTERS = "SELECT m.*, u.name FROM messages m JOIN users u ON u.id = m.user_id ORDER BY m.id DESC"
ANSWERS = """
SELECT c.id, c.body, c.created_at, u.name AS author, p.title, p.path, p.forum, p.id AS post_id
FROM comments c JOIN users u ON u.id = c.user_id JOIN shown_posts p ON p.id = c.post_id
LEFT JOIN comments above ON above.id = c.parent_id
WHERE NOT c.deleted AND c.user_id <> ?1 AND coalesce(above.user_id, p.user_id) = ?1
ORDER BY c.created_at DESC, c.id DESC LIMIT 20
"""


def messages() -> Response:
    """All messages, the last one first."""
    return layout.page("messages.html", "Messages", crumbs=[("Home", "/")], letters=db.rows(LETTERS))


def compose(name: str) -> Response:
    """The empty form of a message to somebody."""
    return _form(other(name), {}, [])


def _form(found: sqlite3.Row, typed: dict[str, str], errors: list[str]) -> Response:
    return layout.page(
        "compose.html", f"Message to {found['name']}", crumbs=crumbs(found), user=found, typed=typed, errors=errors
    )


def send(name: str) -> Response:
    """Checks and stores a message."""
    found = other(name)
    fields = Fields(request.form)
    typed = {
        "subject": fields.text("subject", "Subject"),
        "message": fields.text("message", "Message", longest=4000),
    }
    if fields.errors:
        return _form(found, typed, fields.errors)
    with db.connection() as connection:
        connection.execute(MESSAGE, (found["id"], 1, *typed.values(), db.today()))
    db.notice("The message was sent.")
    return see("/messages")


def notifications() -> Response:
    """What others answered to the person's posts and comments."""
    answers = db.rows(ANSWERS, layout.person()["id"])
    return layout.page("notifications.html", "Notifications", crumbs=[("Home", "/")], answers=answers)


def register(app: Flask) -> None:
    """Adds the pages."""
    app.add_url_rule("/messages", "messages", messages)
    app.add_url_rule("/user/<name>/message", "compose", compose)
    app.add_url_rule("/user/<name>/message", "send", send, methods=["POST"])
    app.add_url_rule("/notifications", "notifications", notifications)
