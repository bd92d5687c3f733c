"""What a person wrote, who they are, and blocking them; one's own biography."""

from __future__ import annotations

import sqlite3

from flask import Flask, Response, abort, request

from eval.suites.webarena_mini.reddit import layout
from eval.suites.webarena_mini.reddit.pages_lists import PAGE, paged
from eval.suites.webarena_mini.site import db
from eval.suites.webarena_mini.site.fields import Fields
from eval.suites.webarena_mini.site.layout import Crumbs, see

COMMENTS = """
SELECT c.id, c.body, c.created_at, c.votes + coalesce(v.value, 0) AS score, p.title, p.board, p.path, p.id AS post_id
FROM comments c JOIN shown_posts p ON p.id = c.post_id LEFT JOIN comment_votes v ON v.comment_id = c.id
WHERE c.user_id = ? AND NOT c.deleted ORDER BY c.created_at DESC, c.id DESC LIMIT ? OFFSET ?
"""
COUNT = """
SELECT count(*) FROM comments c JOIN shown_posts p ON p.id = c.post_id WHERE c.user_id = ? AND NOT c.deleted
"""
BLOCKED = "SELECT u.name, b.note, b.blocked_on FROM blocks b JOIN users u ON u.id = b.user_id ORDER BY u.name"


def find(name: str) -> sqlite3.Row:
    """A person by name, in whatever case."""
    found = db.row("SELECT * FROM users WHERE name = ?", name)
    if found is None:
        abort(404)
    return found


def other(name: str) -> sqlite3.Row:
    """A person who is not the signed-in one."""
    found = find(name)
    if found["id"] == layout.person()["id"]:
        abort(403, description="You cannot do that to yourself.")
    return found


def crumbs(found: sqlite3.Row) -> Crumbs:
    """The way to a page of a person."""
    return [("Home", "/"), (found["name"], f"/user/{found['name']}")]


def overview(name: str) -> Response:
    """Who somebody is."""
    found = find(name)
    return layout.page(
        "user.html",
        found["name"],
        crumbs=[("Home", "/")],
        user=found,
        blocked=db.value("SELECT count(*) FROM blocks WHERE user_id = ?", found["id"]),
        drafts=db.rows("SELECT id, title FROM posts WHERE state = 'draft' AND user_id = ? ORDER BY id", found["id"]),
    )


def submissions(name: str) -> Response:
    """The posts of somebody, newest first."""
    found = find(name)
    path = f"/user/{found['name']}/submissions"
    posts, more = paged("user_id = ?", [found["id"]], "created_at DESC, id DESC", path)
    return layout.page(
        "user_posts.html", f"Submissions of {found['name']}", crumbs=crumbs(found), user=found, posts=posts, more=more
    )


def comments(name: str) -> Response:
    """The comments of somebody, newest first."""
    found = find(name)
    size = 2 * PAGE
    total = db.value(COUNT, found["id"])
    at = db.page_number("page", max(1, -(-total // size)))
    path = f"/user/{found['name']}/comments"
    return layout.page(
        "user_comments.html",
        f"Comments of {found['name']}",
        crumbs=crumbs(found),
        user=found,
        comments=db.rows(COMMENTS, found["id"], size, (at - 1) * size),
        more=db.link(path, page=at + 1) if at * size < total else "",
    )


def biography() -> Response:
    """The form of what the person says about themselves."""
    return _biography(layout.person()["biography"], [])


def _biography(typed: str, errors: list[str]) -> Response:
    return layout.page("biography.html", "Edit profile", crumbs=crumbs(layout.person()), typed=typed, errors=errors)


def save_biography() -> Response:
    """Stores it."""
    fields = Fields(request.form)
    typed = fields.text("biography", "Biography text", longest=1000, required=False)
    if fields.errors:
        return _biography(typed, fields.errors)
    person = layout.person()
    with db.connection() as connection:
        connection.execute("UPDATE users SET biography = ? WHERE id = ?", (typed, person["id"]))
    db.notice("Your biography was updated.")
    return see(f"/user/{person['name']}")


def block_form(name: str) -> Response:
    """Asks for a note."""
    return _block(other(name), "", [])


def _block(found: sqlite3.Row, typed: str, errors: list[str]) -> Response:
    return layout.page(
        "block.html", f"Block {found['name']}", crumbs=crumbs(found), user=found, typed=typed, errors=errors
    )


def block(name: str) -> Response:
    """Adds somebody to the list."""
    found = other(name)
    fields = Fields(request.form)
    note = fields.text("note", "Note", longest=300, required=False)
    if fields.errors:
        return _block(found, note, fields.errors)
    with db.connection() as connection:
        connection.execute("INSERT OR REPLACE INTO blocks VALUES (?, ?, ?)", (found["id"], note, db.today()[:10]))
    return see("/block_list")


def unblock(name: str) -> Response:
    """Takes somebody off the list."""
    found = other(name)
    with db.connection() as connection:
        connection.execute("DELETE FROM blocks WHERE user_id = ?", (found["id"],))
    return see("/block_list")


def block_list() -> Response:
    """Whom the person blocked."""
    return layout.page("blocks.html", "Blocked users", crumbs=crumbs(layout.person()), blocks=db.rows(BLOCKED))


def register(app: Flask) -> None:
    """Adds the pages."""
    app.add_url_rule("/user/<name>", "user", overview)
    app.add_url_rule("/user/<name>/submissions", "submissions", submissions)
    app.add_url_rule("/user/<name>/comments", "comments", comments)
    app.add_url_rule("/biography", "biography", biography)
    app.add_url_rule("/biography", "save_biography", save_biography, methods=["POST"])
    app.add_url_rule("/user/<name>/block", "block_form", block_form)
    app.add_url_rule("/user/<name>/block", "block", block, methods=["POST"])
    app.add_url_rule("/user/<name>/unblock", "unblock", unblock, methods=["POST"])
    app.add_url_rule("/block_list", "block_list", block_list)
