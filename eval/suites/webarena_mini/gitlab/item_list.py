"""Lists of issues and of merge requests: filters, order and pages, all in the address."""

from __future__ import annotations

import math
import sqlite3
from dataclasses import dataclass

from flask import abort, request

from eval.suites.webarena_mini.gitlab import layout
from eval.suites.webarena_mini.gitlab.kinds import Kind
from eval.suites.webarena_mini.site import db
from eval.suites.webarena_mini.site.words import say

PAGE = 20
SORTS = {
    "created_desc": ("Newest first", "i.created_on DESC, i.id DESC"),
    "created_asc": ("Oldest first", "i.created_on, i.id"),
    "updated_desc": ("Last updated", "i.updated_on DESC, i.id DESC"),
    "comments_desc": ("Most comments", "comments DESC, i.id DESC"),
    "title_asc": ("By title", "i.title, i.id"),
}
FILTERS = ("search", "labels", "author", "assignee", "milestone")
COMMENTS = "(SELECT count(*) FROM comments c WHERE c.item_id = i.id AND NOT c.pending)"
ROWS = f"""
SELECT i.*, p.namespace || '/' || p.slug AS path, p.name AS project, a.name AS author, a.username, e.name AS assignee,
    r.name AS reviewer, m.title AS milestone, {COMMENTS} AS comments,
    coalesce((SELECT group_concat(name, ', ') FROM (SELECT l.name FROM item_labels x JOIN labels l ON l.id = x.label_id
        WHERE x.item_id = i.id ORDER BY l.name)), '') AS labels
FROM items i JOIN projects p ON p.id = i.project_id JOIN users a ON a.id = i.author_id
    LEFT JOIN users e ON e.id = i.assignee_id LEFT JOIN users r ON r.id = i.reviewer_id
    LEFT JOIN milestones m ON m.id = i.milestone_id
WHERE {{where}}
"""
PERSON = "(instr(lower({user}.name), ?) OR lower({user}.username) = ?)"
LABEL = (
    "EXISTS (SELECT 1 FROM item_labels x JOIN labels l ON l.id = x.label_id"
    " WHERE x.item_id = i.id AND lower(l.name) = ?)"
)


@dataclass(frozen=True)
class Listing:
    """What a list's page shows."""

    rows: list[sqlite3.Row]
    total: int
    page: int
    pages: list[tuple[int, str]]
    tabs: list[tuple[str, str, bool]]
    """Label, address, whether it is the one that is shown."""
    typed: dict[str, str]
    state: str
    sort: str


def listing(kind: Kind, path: str, where: str, *values: object) -> Listing:
    """The list at an address that shows those items of a kind for which `where` holds."""
    typed = {name: request.args.get(name, "").strip() for name in FILTERS}
    state = request.args.get("state", "")
    if state not in [key for key, _ in kind.tabs]:
        state = kind.first_tab
    sort = request.args.get("sort", "")
    if sort not in SORTS:
        sort = next(iter(SORTS))
    conditions, found = _conditions(kind, typed, state)
    sql = ROWS.format(where=" AND ".join(["i.kind = ?", where, *conditions]))
    parameters = (kind.key, *values, *found)
    total = db.value(f"SELECT count(*) FROM ({sql})", *parameters)
    last = max(1, math.ceil(total / PAGE))
    page = db.page_number("page", last)
    kept = {"state": request.args.get("state", ""), **typed, "sort": request.args.get("sort", "")}
    return Listing(
        rows=db.rows(f"{sql} ORDER BY {SORTS[sort][1]} LIMIT ? OFFSET ?", *parameters, PAGE, PAGE * (page - 1)),
        total=total,
        page=page,
        pages=[(at, db.link(path, **{**kept, "page": at})) for at in range(1, last + 1)],
        tabs=[(label, db.link(path, **{**kept, "state": key}), key == state) for key, label in kind.tabs],
        typed=typed,
        state=state,
        sort=sort,
    )


def find(kind: Kind, namespace: str, slug: str, number: str) -> tuple[sqlite3.Row, sqlite3.Row]:
    """Project and item of an address, or the page that says that there is none."""
    project = layout.find_project(namespace, slug)
    where = "i.project_id = ? AND i.kind = ? AND i.number = ?"
    found = db.row(ROWS.format(where=where), project["id"], kind.key, db.whole_number(number, 10**6))
    if found is None:
        abort(404)
    return project, found


def address(kind: Kind, item: sqlite3.Row) -> str:
    """Where an item is shown."""
    return f"/{item['path']}/-/{kind.folder}/{item['number']}"


def sort_labels() -> list[tuple[str, str]]:
    """The orders that are offered, as the site words them."""
    return [(key, say(label)) for key, (label, _) in SORTS.items()]


def split_labels(typed: str) -> list[str]:
    """Names of labels, typed with commas between them."""
    return [name for part in typed.split(",") if (name := part.strip())]


def _conditions(kind: Kind, typed: dict[str, str], state: str) -> tuple[list[str], list[object]]:
    conditions: list[str] = []
    values: list[object] = []
    if state != "all":
        conditions.append("i.state = ?")
        values.append(state)
    for word in typed["search"].lower().split()[:20]:
        conditions.append("instr(lower(i.title || ' ' || i.description), ?)")
        values.append(word)
    for name, user in (("author", "a"), ("assignee", "e")):
        if text := typed[name].lower().removeprefix("@"):
            conditions.append(PERSON.format(user=user))
            values += [text, text]
    labels = [name.lower() for name in split_labels(typed["labels"])[:20]]
    if labels:
        conditions.append(f"({(' OR ' if kind.any_label else ' AND ').join([LABEL] * len(labels))})")
        values += labels
    if typed["milestone"]:
        conditions.append("lower(m.title) = ?")
        values.append(typed["milestone"].lower())
    return conditions, values
