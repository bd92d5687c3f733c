"""Issues and merge requests: their lists, a single one, a new issue, and what happens to them at once."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping

from flask import Flask, Response, request

from eval.suites.webarena_mini.gitlab import item_list, layout, panel
from eval.suites.webarena_mini.gitlab.kinds import ISSUE, KINDS, REQUEST, STATES, Kind
from eval.suites.webarena_mini.site import db
from eval.suites.webarena_mini.site.fields import Fields
from eval.suites.webarena_mini.site.layout import see

COMMENTS = """
SELECT c.*, u.name AS author, u.username FROM comments c JOIN users u ON u.id = c.author_id
WHERE c.item_id = ? ORDER BY c.id
"""
APPROVALS = "SELECT u.name FROM approvals a JOIN users u ON u.id = a.user_id WHERE a.item_id = ? ORDER BY u.name"
NEW = (
    "INSERT INTO items (project_id, kind, number, title, description, author_id, assignee_id, milestone_id, state,"
    " created_on, updated_on) VALUES (?, 'issue', ?, ?, ?, ?, ?, ?, 'opened', ?, ?)"
)
COMMENT = "INSERT INTO comments (item_id, author_id, written_on, text, pending) VALUES (?, ?, ?, ?, ?)"
EMPTY = {"title": "", "description": "", "assignee": "", "milestone": "", "labels": ""}
ACTIONS = {"close": ("opened", "closed"), "reopen": ("closed", "opened"), "merge": ("opened", "merged")}
PAST = {"close": "closed", "reopen": "reopened", "merge": "merged"}


def show_list(kind: Kind, namespace: str, slug: str) -> Response:
    """The issues or the merge requests of a project."""
    project = layout.find_project(namespace, slug)
    path = f"{layout.home(project)}/-/{kind.folder}"
    found = item_list.listing(kind, path, "i.project_id = ?", project["id"])
    return _list(kind, path, kind.title, found, project)


def show_own(kind: Kind) -> Response:
    """Those that are assigned to the signed in user, of all projects."""
    path = f"/dashboard/{kind.folder}"
    found = item_list.listing(kind, path, "i.assignee_id = ?", layout.me()["id"])
    return _list(kind, path, f"Assigned {kind.title.lower()}", found, None)


def _list(kind: Kind, path: str, title: str, found: item_list.Listing, project: sqlite3.Row | None) -> Response:
    titles = "SELECT title FROM milestones WHERE project_id = ? ORDER BY id"
    return layout.page(
        "items.html",
        title,
        project=project,
        kind=kind,
        path=path,
        found=found,
        states=STATES,
        sorts=item_list.sort_labels(),
        milestones=[row["title"] for row in db.rows(titles, project["id"])] if project else [],
    )


def show(kind: Kind, namespace: str, slug: str, number: str) -> Response:
    """One item with its comments and its side panel."""
    return show_item(kind, *item_list.find(kind, namespace, slug, number))


def show_item(
    kind: Kind, project: sqlite3.Row, item: sqlite3.Row, errors: list[str] | None = None, typed: str = ""
) -> Response:
    """The page of an item, with what was typed into the field of comments."""
    comments = db.rows(COMMENTS, item["id"])
    return layout.page(
        "item.html",
        item["title"],
        project=project,
        crumbs=[(kind.title, f"{layout.home(project)}/-/{kind.folder}")],
        errors=errors or [],
        kind=kind,
        path=item_list.address(kind, item),
        item=item,
        state=STATES[item["state"]],
        comments=comments,
        pending=any(comment["pending"] for comment in comments),
        approvals=[row["name"] for row in db.rows(APPROVALS, item["id"])],
        approved=bool(db.value("SELECT 1 FROM approvals WHERE item_id=? AND user_id=?", item["id"], layout.me()["id"])),
        panel=panel.read(kind, project, item),
        actions=[
            (name, "Merge" if name == "merge" else f"{name.title()} {kind.noun}")
            for name, (state, _) in ACTIONS.items()
            if state == item["state"] and _offered(kind, name)
        ],
        typed=typed,
    )


def _offered(kind: Kind, action: str) -> bool:
    return action != "merge" or kind.reviewed


def comment(kind: Kind, namespace: str, slug: str, number: str) -> Response:
    """A comment: on a merge request it waits for the review to be submitted."""
    project, item = item_list.find(kind, namespace, slug, number)
    fields = Fields(request.form)
    text = fields.text("comment", "Comment", longest=2000)
    if fields.errors:
        return show_item(kind, project, item, fields.errors, text)
    with db.connection() as connection:
        values = (item["id"], layout.me()["id"], db.today(), text, int(kind.reviewed))
        connection.execute(COMMENT, values)
        if not kind.reviewed:
            _touch(connection, kind, project, item, "commented on")
    return see(f"{item_list.address(kind, item)}{'/review' if kind.reviewed else ''}")


def review(namespace: str, slug: str, number: str) -> Response:
    """The comments that wait for the review to be submitted."""
    project, item = item_list.find(REQUEST, namespace, slug, number)
    path = item_list.address(REQUEST, item)
    return layout.page(
        "review.html",
        "Your review",
        project=project,
        crumbs=[(REQUEST.title, f"{layout.home(project)}/-/{REQUEST.folder}"), (item["title"], path)],
        path=path,
        item=item,
        comments=[comment for comment in db.rows(COMMENTS, item["id"]) if comment["pending"]],
    )


def submit(kind: Kind, namespace: str, slug: str, number: str) -> Response:
    """The comments of a review become visible to all."""
    project, item = item_list.find(kind, namespace, slug, number)
    with db.connection() as connection:
        connection.execute("UPDATE comments SET pending = 0 WHERE item_id = ?", (item["id"],))
        _touch(connection, kind, project, item, "reviewed")
    db.notice("The review was submitted.")
    return see(item_list.address(kind, item))


def press(kind: Kind, namespace: str, slug: str, number: str, action: str) -> Response:
    """The buttons that act at once."""
    project, item = item_list.find(kind, namespace, slug, number)
    before, after = ACTIONS[action]
    if item["author_id"] != layout.me()["id"] or action == "merge":
        layout.demand(project, "Developer")
    if item["state"] == before and _offered(kind, action):
        with db.connection() as connection:
            connection.execute("UPDATE items SET state = ? WHERE id = ?", (after, item["id"]))
            _touch(connection, kind, project, item, PAST[action])
        db.notice(f"The {kind.noun} was {PAST[action]}.")
    return see(item_list.address(kind, item))


def approve(namespace: str, slug: str, number: str, revoke: bool = False) -> Response:
    """Approving a merge request, and taking that back."""
    project, item = item_list.find(REQUEST, namespace, slug, number)
    layout.demand(project, "Developer")
    with db.connection() as connection:
        row = (item["id"], layout.me()["id"])
        connection.execute("DELETE FROM approvals WHERE item_id = ? AND user_id = ?", row)
        if not revoke:
            connection.execute("INSERT INTO approvals VALUES (?, ?)", row)
            _touch(connection, REQUEST, project, item, "approved")
    return see(item_list.address(REQUEST, item))


def _touch(connection: sqlite3.Connection, kind: Kind, project: sqlite3.Row, item: sqlite3.Row, action: str) -> None:
    connection.execute("UPDATE items SET updated_on = ? WHERE id = ?", (db.today(), item["id"]))
    layout.happened(connection, project, f"{action} {kind.noun}", item["title"], item_list.address(kind, item))


def new(namespace: str, slug: str) -> Response:
    """The form of a new issue."""
    return _form(layout.find_project(namespace, slug), None, EMPTY, [])


def edit(kind: Kind, namespace: str, slug: str, number: str) -> Response:
    """Title and description in their form."""
    project, item = item_list.find(kind, namespace, slug, number)
    layout.demand(project, "Developer")
    return _form(project, item, {name: item[name] for name in ("title", "description")}, [], kind)


def _form(
    project: sqlite3.Row, item: sqlite3.Row | None, values: Mapping[str, str], errors: list[str], kind: Kind = ISSUE
) -> Response:
    path = f"{layout.home(project)}/-/{kind.folder}"
    return layout.page(
        "item_form.html",
        f"Edit {item['title']}" if item else "New issue",
        project=project,
        crumbs=[(kind.title, path)],
        errors=errors,
        path=f"{item_list.address(kind, item)}/edit" if item else f"{path}/new",
        back=item_list.address(kind, item) if item else path,
        values=values,
        item=item,
        milestones=panel.milestone_titles(project),
    )


def create(namespace: str, slug: str) -> Response:
    """Stores a new issue, side fields and all."""
    project = layout.find_project(namespace, slug)
    fields = Fields(request.form)
    values = {
        "title": fields.text("title", "Title", longest=200),
        "description": fields.text("description", "Description", longest=4000, required=False),
        **{name: fields.text(name, name.title(), required=False) for name in ("assignee", "milestone", "labels")},
    }
    chosen = {name: panel.read_choice(fields, project, name) for name in ("assignee", "milestone", "labels")}
    if fields.errors:
        return _form(project, None, values, fields.errors)
    latest = "SELECT coalesce(max(number), 0) FROM items WHERE project_id = ? AND kind = 'issue'"
    number, today = 1 + db.value(latest, project["id"]), db.today()
    with db.connection() as connection:
        row = (project["id"], number, values["title"], values["description"], layout.me()["id"])
        found = connection.execute(NEW, (*row, chosen["assignee"] or None, chosen["milestone"] or None, today, today))
        for label in chosen["labels"].split(",") if chosen["labels"] else ():
            connection.execute("INSERT INTO item_labels VALUES (?, ?)", (found.lastrowid, int(label)))
        path = f"{layout.home(project)}/-/issues/{number}"
        layout.happened(connection, project, "opened issue", values["title"], path)
    return see(path)


def save(kind: Kind, namespace: str, slug: str, number: str) -> Response:
    """Stores title and description."""
    project, item = item_list.find(kind, namespace, slug, number)
    layout.demand(project, "Developer")
    fields = Fields(request.form)
    values = {
        "title": fields.text("title", "Title", longest=200),
        "description": fields.text("description", "Description", longest=4000, required=False),
    }
    if fields.errors:
        return _form(project, item, values, fields.errors, kind)
    with db.connection() as connection:
        row = (values["title"], values["description"], item["id"])
        connection.execute("UPDATE items SET title = ?, description = ? WHERE id = ?", row)
        _touch(connection, kind, project, item, "edited")
    db.notice(f"The {kind.noun} was edited.")
    return see(item_list.address(kind, item))


def register(app: Flask) -> None:
    """Adds the pages."""
    for kind in KINDS:
        at, rule = {"kind": kind}, f"/<namespace>/<slug>/-/{kind.folder}"
        app.add_url_rule(rule, kind.folder, show_list, defaults=at)
        app.add_url_rule(f"/dashboard/{kind.folder}", f"own_{kind.folder}", show_own, defaults=at)
        app.add_url_rule(f"{rule}/<number>", kind.key, show, defaults=at)
        app.add_url_rule(f"{rule}/<number>/edit", f"edit_{kind.key}", edit, defaults=at)
        app.add_url_rule(f"{rule}/<number>/edit", f"save_{kind.key}", save, defaults=at, methods=["POST"])
        app.add_url_rule(f"{rule}/<number>/comment", f"comment_{kind.key}", comment, defaults=at, methods=["POST"])
        for action in ACTIONS:
            name = f"{action}_{kind.key}"
            app.add_url_rule(
                f"{rule}/<number>/{action}", name, press, defaults={**at, "action": action}, methods=["POST"]
            )
    rule = "/<namespace>/<slug>/-/issues/new"
    app.add_url_rule(rule, "new_issue", new)
    app.add_url_rule(rule, "create_issue", create, methods=["POST"])
    rule = "/<namespace>/<slug>/-/merge_requests/<number>"
    app.add_url_rule(f"{rule}/review", "review", review)
    app.add_url_rule(f"{rule}/submit", "submit_review", submit, defaults={"kind": REQUEST}, methods=["POST"])
    app.add_url_rule(f"{rule}/approve", "approve", approve, methods=["POST"])
    app.add_url_rule(f"{rule}/revoke", "revoke", approve, defaults={"revoke": True}, methods=["POST"])
