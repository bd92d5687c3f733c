"""Writing a post. What is submitted is a draft, which its writer alone sees until it is published."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Mapping

from flask import Flask, Response, abort, request

from eval.suites.webarena_mini.reddit import layout
from eval.suites.webarena_mini.reddit.pages_lists import find_forum
from eval.suites.webarena_mini.reddit.world_posts import POST, slug_of
from eval.suites.webarena_mini.site import db
from eval.suites.webarena_mini.site.fields import Fields
from eval.suites.webarena_mini.site.layout import see

DRAFT = """
SELECT p.*, f.name AS forum, f.title AS forum_title FROM posts p JOIN forums f ON f.id = p.forum_id
WHERE p.id = ? AND p.state = 'draft'
"""
ADDRESS = r"https?://[^\s/]+\.[^\s]+"
AGAIN = "SELECT title FROM shown_posts WHERE forum_id = ? AND url = ? AND url <> ''"


def submit(name: str = "") -> Response:
    """The empty form, for the board whose page it was opened from."""
    return _form({"forum": find_forum(name)["title"] if name else ""}, [], f"/submit/{name}" if name else "/submit")


def _form(values: Mapping[str, object], errors: list[str], path: str, draft: bool = False) -> Response:
    return layout.page(
        "submit.html",
        "Edit submission" if draft else "Create submission",
        crumbs=[("Forums", "/forums")],
        values=values,
        errors=errors,
        forums=[line["title"] for line in db.rows(layout.BOARDS)],
        path=path,
        draft=draft,
    )


def _read(fields: Fields) -> dict[str, str]:
    boards = {line["title"]: line["name"] for line in db.rows(layout.BOARDS)}
    values = {
        "url": fields.text("url", "URL", longest=500, required=False),
        "title": fields.text("title", "Title", longest=200),
        "body": fields.text("body", "Body", longest=8000, required=False),
        "forum": fields.choice("forum", "Forum", boards),
    }
    if values["url"] and not re.fullmatch(ADDRESS, values["url"], re.ASCII):
        fields.errors.append(f"URL '{values['url'][:40]}' is not valid: an address such as https://name.example/page.")
    if not fields.errors and (known := db.value(AGAIN, _board(values), values["url"])):
        fields.errors.append(f"This link was submitted to {values['forum']} before: {known}")
    return values


def _board(values: Mapping[str, str]) -> int:
    """The number of the forum that was chosen, by its title."""
    return int(db.value("SELECT id FROM forums WHERE title = ?", values["forum"]))


def create(name: str = "") -> Response:
    """Stores the form as a draft."""
    fields = Fields(request.form)
    values = _read(fields)
    if fields.errors:
        return _form(values, fields.errors, f"/submit/{find_forum(name)['name']}" if name else "/submit")
    texts = (values["title"], slug_of(values["title"]), values["url"], values["body"])
    with db.connection() as connection:
        made = connection.execute(
            POST, (_board(values), layout.person()["id"], *texts, 1, db.today(), "draft")
        ).lastrowid
    db.notice("Your submission was saved.")
    return see(f"/submissions/{made}")


def _find(draft: str) -> sqlite3.Row:
    found = db.row(DRAFT, db.whole_number(draft, 10**9))
    if found is None:
        abort(404)
    return found


def show(draft: str) -> Response:
    """A draft, as its post will look."""
    found = _find(draft)
    return layout.page(
        "draft.html",
        found["title"],
        crumbs=[("Forums", "/forums"), (found["forum_title"], f"/f/{found['forum']}")],
        post=found,
    )


def edit(draft: str) -> Response:
    """A draft in its form."""
    found = _find(draft)
    return _form({**dict(found), "forum": found["forum_title"]}, [], f"/submissions/{found['id']}/edit", draft=True)


def save(draft: str) -> Response:
    """Stores a draft again."""
    found = _find(draft)
    fields = Fields(request.form)
    values = _read(fields)
    if fields.errors:
        return _form(values, fields.errors, f"/submissions/{found['id']}/edit", draft=True)
    sql = "UPDATE posts SET forum_id = ?, title = ?, slug = ?, url = ?, body = ? WHERE id = ?"
    texts = (values["title"], slug_of(values["title"]), values["url"], values["body"])
    with db.connection() as connection:
        connection.execute(sql, (_board(values), *texts, found["id"]))
    db.notice("Your submission was saved.")
    return see(f"/submissions/{found['id']}")


def publish(draft: str) -> Response:
    """Makes a post of a draft: it is on the lists from now on."""
    found = _find(draft)
    with db.connection() as connection:
        connection.execute("UPDATE posts SET state = 'public', created_at = ? WHERE id = ?", (db.today(), found["id"]))
    return see(f"/f/{found['forum']}/{found['id']}/{found['slug']}")


def discard(draft: str) -> Response:
    """Throws a draft away."""
    found = _find(draft)
    with db.connection() as connection:
        connection.execute("DELETE FROM posts WHERE id = ?", (found["id"],))
    db.notice("The draft was discarded.")
    return see("/submit")


def register(app: Flask) -> None:
    """Adds the pages."""
    for path in ("/submit", "/submit/<name>"):
        app.add_url_rule(path, "submit", submit)
        app.add_url_rule(path, "create_submission", create, methods=["POST"])
    app.add_url_rule("/submissions/<draft>", "draft", show)
    app.add_url_rule("/submissions/<draft>/edit", "edit_draft", edit)
    app.add_url_rule("/submissions/<draft>/edit", "save_draft", save, methods=["POST"])
    app.add_url_rule("/submissions/<draft>/publish", "publish", publish, methods=["POST"])
    app.add_url_rule("/submissions/<draft>/discard", "discard", discard, methods=["POST"])
