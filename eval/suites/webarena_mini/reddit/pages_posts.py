"""A post with its comments; votes; changing and deleting one's own."""

from __future__ import annotations

import sqlite3

from flask import Flask, Response, abort, request

from eval.suites.webarena_mini.reddit import layout
from eval.suites.webarena_mini.reddit.pages_lists import find_forum
from eval.suites.webarena_mini.site import db
from eval.suites.webarena_mini.site.fields import Fields
from eval.suites.webarena_mini.site.layout import Crumbs, see

COMMENTS = """
SELECT c.*, u.name AS author, c.votes + coalesce(v.value, 0) AS score, coalesce(v.value, 0) AS my_vote
FROM comments c JOIN users u ON u.id = c.user_id LEFT JOIN comment_votes v ON v.comment_id = c.id
WHERE c.post_id = ? ORDER BY c.created_at, c.id
"""
VOTED = {"post": ("post_votes", "SELECT id, path FROM shown_posts WHERE id = ?")}
VOTED["comment"] = (
    "comment_votes",
    "SELECT c.id, p.path FROM comments c JOIN shown_posts p ON p.id = c.post_id WHERE c.id = ? AND NOT c.deleted",
)


def find_post(forum: str, post: str) -> sqlite3.Row:
    """A post that can be seen, by its board and number."""
    found = db.row("SELECT * FROM shown_posts WHERE id = ?", db.whole_number(post, 10**9))
    if found is None or found["forum"].lower() != forum.lower():
        abort(404)
    return found


def own_post(forum: str, post: str) -> sqlite3.Row:
    """A post that the person may change."""
    found = find_post(forum, post)
    if found["user_id"] != layout.person()["id"]:
        abort(403, description="Only the author can do that.")
    return found


def crumbs(forum: str, *more: tuple[str, str]) -> Crumbs:
    """The way to a page of a board."""
    found = find_forum(forum)
    return [("Forums", "/forums"), (found["title"], f"/f/{found['name']}"), *more]


def post(forum: str, post: str, slug: str = "") -> Response:
    """A post and all that was said about it."""
    return show(find_post(forum, post), "", [])


def show(found: sqlite3.Row, typed: str, errors: list[str]) -> Response:
    """The page of a post, with what was typed as a comment."""
    comments = db.rows(COMMENTS, found["id"])
    answers: dict[int | None, list[sqlite3.Row]] = {}
    for comment in comments:
        answers.setdefault(comment["parent_id"], []).append(comment)
    return layout.page(
        "post.html",
        found["title"],
        crumbs=crumbs(found["forum"]),
        post=found,
        answers=answers,
        living=sum(not comment["deleted"] for comment in comments),
        typed=typed,
        errors=errors,
    )


def vote(kind: str, number: str) -> Response:
    """A vote for, against, or none any more."""
    if kind not in VOTED:
        abort(404)
    table, sql = VOTED[kind]
    found = db.row(sql, db.whole_number(number, 10**9))
    if found is None:
        abort(404)
    value = {"1": 1, "-1": -1}.get(request.form.get("vote", ""), 0)
    with db.connection() as connection:
        connection.execute(f"DELETE FROM {table} WHERE {kind}_id = ?", (found["id"],))
        if value:
            connection.execute(f"INSERT INTO {table} VALUES (?, ?)", (found["id"], value))
    return see(layout.way_back(found["path"]))


def edit(forum: str, post: str) -> Response:
    """The person's post in its form."""
    found = own_post(forum, post)
    return _form(found, {"title": found["title"], "body": found["body"]}, [])


def _form(found: sqlite3.Row, values: dict[str, str], errors: list[str]) -> Response:
    way = crumbs(found["forum"], (found["title"], found["path"]))
    return layout.page("edit_post.html", "Edit submission", crumbs=way, post=found, values=values, errors=errors)


def save(forum: str, post: str) -> Response:
    """Stores the form; it is seen by all at once."""
    found = own_post(forum, post)
    fields = Fields(request.form)
    values = {
        "title": fields.text("title", "Title", longest=200),
        "body": fields.text("body", "Body", longest=8000, required=False),
    }
    if fields.errors:
        return _form(found, values, fields.errors)
    with db.connection() as connection:
        connection.execute("UPDATE posts SET title = ?, body = ? WHERE id = ?", (*values.values(), found["id"]))
    db.notice("The submission was changed.")
    return see(found["path"])


def delete(forum: str, post: str) -> Response:
    """Takes the person's post off all lists."""
    found = own_post(forum, post)
    with db.connection() as connection:
        connection.execute("UPDATE posts SET state = 'deleted' WHERE id = ?", (found["id"],))
    db.notice("The submission was deleted.")
    return see(f"/f/{found['forum']}")


def register(app: Flask) -> None:
    """Adds the pages."""
    app.add_url_rule("/f/<forum>/<int:post>", "post", lambda forum, post: show(find_post(forum, str(post)), "", []))
    app.add_url_rule("/f/<forum>/<post>/<slug>", "post_by_title", post)
    app.add_url_rule("/vote/<kind>/<number>", "vote", vote, methods=["POST"])
    app.add_url_rule("/f/<forum>/<post>/-/edit", "edit_post", edit)
    app.add_url_rule("/f/<forum>/<post>/-/edit", "save_post", save, methods=["POST"])
    app.add_url_rule("/f/<forum>/<post>/-/delete", "delete_post", delete, methods=["POST"])
