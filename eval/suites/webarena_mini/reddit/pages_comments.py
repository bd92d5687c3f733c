"""Comments and answers to them: writing, looking at one, changing and deleting one's own."""

from __future__ import annotations

import sqlite3

from flask import Flask, Response, abort, request

from eval.suites.webarena_mini.reddit import layout
from eval.suites.webarena_mini.reddit.pages_posts import COMMENTS, crumbs, find_post, show
from eval.suites.webarena_mini.site import db
from eval.suites.webarena_mini.site.fields import Fields
from eval.suites.webarena_mini.site.layout import see

NEW = "INSERT INTO comments (post_id, parent_id, user_id, body, votes, created_at) VALUES (?, ?, ?, ?, 1, ?)"
LONGEST = 4000


def _store(post: int, parent: int | None, body: str) -> int:
    """A new comment of the person; its number."""
    with db.connection() as connection:
        made = connection.execute(NEW, (post, parent, layout.person()["id"], body, db.today())).lastrowid
        connection.execute("UPDATE posts SET comments_ever = comments_ever + 1 WHERE id = ?", (post,))
    assert made is not None
    return made


def write(forum: str, post: str) -> Response:
    """A comment on a post. It is there at once."""
    found = find_post(forum, post)
    fields = Fields(request.form)
    body = fields.text("comment", "Comment", longest=LONGEST)
    if fields.errors:
        return show(found, body, fields.errors)
    _store(found["id"], None, body)
    return see(found["path"])


def _find(forum: str, post: str, comment: str) -> tuple[sqlite3.Row, sqlite3.Row]:
    """A post and one of its comments, if it is not deleted."""
    found = find_post(forum, post)
    number = db.whole_number(comment, 10**9)
    lines = [line for line in db.rows(COMMENTS, found["id"]) if line["id"] == number and not line["deleted"]]
    if not lines:
        abort(404)
    return found, lines[0]


def _own(forum: str, post: str, comment: str) -> tuple[sqlite3.Row, sqlite3.Row]:
    found, line = _find(forum, post, comment)
    if line["user_id"] != layout.person()["id"]:
        abort(403, description="Only the author can do that.")
    return found, line


def single(forum: str, post: str, comment: str) -> Response:
    """A comment by itself, with the answers to it and the form for another one."""
    return _page(*_find(forum, post, comment), "", [])


def _page(found: sqlite3.Row, line: sqlite3.Row, typed: str, errors: list[str]) -> Response:
    answers: dict[int | None, list[sqlite3.Row]] = {}
    for other in db.rows(COMMENTS, found["id"]):
        answers.setdefault(other["parent_id"], []).append(other)
    return layout.page(
        "comment.html",
        f"Comment by {line['author']}",
        crumbs=crumbs(found["forum"], (found["title"], found["path"])),
        post=found,
        comment=line,
        answers=answers,
        typed=typed,
        errors=errors,
    )


def reply(forum: str, post: str, comment: str) -> Response:
    """An answer to a comment. It is there at once."""
    found, line = _find(forum, post, comment)
    fields = Fields(request.form)
    body = fields.text("comment", "Reply", longest=LONGEST)
    if fields.errors:
        return _page(found, line, body, fields.errors)
    _store(found["id"], line["id"], body)
    return see(f"{found['path'].rpartition('/')[0]}/-/comment/{line['id']}")


def edit(forum: str, post: str, comment: str) -> Response:
    """The person's comment in its form."""
    found, line = _own(forum, post, comment)
    return _form(found, line, line["body"], [])


def _form(found: sqlite3.Row, line: sqlite3.Row, typed: str, errors: list[str]) -> Response:
    way = crumbs(found["forum"], (found["title"], found["path"]))
    return layout.page(
        "edit_comment.html", "Edit comment", crumbs=way, post=found, comment=line, typed=typed, errors=errors
    )


def save(forum: str, post: str, comment: str) -> Response:
    """Stores the form."""
    found, line = _own(forum, post, comment)
    fields = Fields(request.form)
    body = fields.text("comment", "Comment", longest=LONGEST)
    if fields.errors:
        return _form(found, line, body, fields.errors)
    with db.connection() as connection:
        connection.execute("UPDATE comments SET body = ? WHERE id = ?", (body, line["id"]))
    db.notice("The comment was changed.")
    return see(found["path"])


def delete(forum: str, post: str, comment: str) -> Response:
    """Leaves a gap where the person's comment was."""
    found, line = _own(forum, post, comment)
    with db.connection() as connection:
        connection.execute("UPDATE comments SET deleted = 1 WHERE id = ?", (line["id"],))
    db.notice("The comment was deleted.")
    return see(found["path"])


def register(app: Flask) -> None:
    """Adds the pages."""
    app.add_url_rule("/f/<forum>/<post>/-/comment", "write_comment", write, methods=["POST"])
    path = "/f/<forum>/<post>/-/comment/<comment>"
    app.add_url_rule(path, "comment", single)
    app.add_url_rule(path, "reply", reply, methods=["POST"])
    app.add_url_rule(f"{path}/edit", "edit_comment", edit)
    app.add_url_rule(f"{path}/edit", "save_comment", save, methods=["POST"])
    app.add_url_rule(f"{path}/delete", "delete_comment", delete, methods=["POST"])
