"""What all pages share: rendering with the menus, how dates are written, and what is found by an address."""

from __future__ import annotations

import datetime
import sqlite3

from flask import Response, abort

from eval.suites.webarena_mini.gitlab.vocabulary import ROLES
from eval.suites.webarena_mini.site import db
from eval.suites.webarena_mini.site.layout import Crumbs, render

NAVIGATION = (
    ("Projects", "/dashboard/projects"),
    ("Starred projects", "/dashboard/projects/starred"),
    ("Explore", "/explore"),
    ("Assigned issues", "/dashboard/issues"),
    ("Assigned merge requests", "/dashboard/merge_requests"),
    ("New project", "/projects/new"),
    ("Edit status", "/-/profile"),
)
PROJECT = """
SELECT p.*, p.namespace || '/' || p.slug AS path, f.namespace || '/' || f.slug AS source,
    (SELECT count(*) FROM items i WHERE i.project_id = p.id AND i.kind = 'issue' AND i.state = 'opened') AS issues,
    (SELECT count(*) FROM items i WHERE i.project_id = p.id AND i.kind = 'merge_request') AS requests,
    EXISTS (SELECT 1 FROM starred s WHERE s.project_id = p.id) AS starred,
    (SELECT role FROM members m WHERE m.project_id = p.id
        AND m.user_id = (SELECT CAST(value AS INTEGER) FROM world WHERE key = 'me')) AS role
FROM projects p LEFT JOIN projects f ON f.id = p.forked_from WHERE p.namespace = ? AND p.slug = ?
"""
WAITING = {
    "issues": """
SELECT i.number, i.title, i.created_on, p.name AS project, p.namespace || '/' || p.slug AS path
FROM items i JOIN projects p ON p.id = i.project_id WHERE i.assignee_id = ? AND i.kind = 'issue' AND i.state = 'opened'
ORDER BY i.created_on, i.id LIMIT 9
""",
    "requests": """
SELECT i.number, i.title, i.created_on, p.name AS project, p.namespace || '/' || p.slug AS path
FROM members m JOIN projects p ON p.id = m.project_id JOIN items i ON i.project_id = p.id
WHERE m.user_id = ? AND i.kind = 'merge_request' AND i.state = 'opened' ORDER BY i.created_on, i.id LIMIT 12
""",
    "events": """
SELECT e.*, p.name AS project FROM events e JOIN projects p ON p.id = e.project_id WHERE ?1 ORDER BY e.id DESC LIMIT 10
""",
}
"""What stands beside every page: the oldest things to do (not beside forms), and what one did last."""
EVENT = "INSERT INTO events (happened_on, project_id, action, target, path) VALUES (?, ?, ?, ?, ?)"


def me() -> sqlite3.Row:
    """The user who is signed in."""
    found = db.row("SELECT * FROM users WHERE id = (SELECT CAST(value AS INTEGER) FROM world WHERE key = 'me')")
    assert found is not None
    return found


def page(
    template: str,
    title: str,
    *,
    crumbs: Crumbs | None = None,
    status: int = 200,
    project: sqlite3.Row | None = None,
    **values: object,
) -> Response:
    """A whole page as a response; with the project's own menu where it is about one."""
    if project is not None:
        crumbs = [(project["name"], home(project)), *(crumbs or [])]
    user = me()
    return render(
        template,
        title,
        crumbs=crumbs,
        status=status,
        navigation=NAVIGATION,
        project=project,
        home=home(project) if project is not None else "",
        me=user,
        waiting={name: db.rows(sql, user["id"]) for name, sql in WAITING.items()},
        **values,
    )


def find_project(namespace: str, slug: str) -> sqlite3.Row:
    """The project of an address, or the page that says that there is none."""
    found = db.row(PROJECT, namespace, slug)
    if found is None:
        abort(404)
    return found


def home(project: sqlite3.Row) -> str:
    """The address of a project's first page."""
    return f"/{project['path']}"


def may(project: sqlite3.Row, role: str) -> bool:
    """Whether the signed in user has at least this role in a project."""
    return project["role"] is not None and ROLES.index(project["role"]) >= ROLES.index(role)


def demand(project: sqlite3.Row, role: str) -> None:
    """The page that says that it is not allowed, where the role is not enough."""
    if not may(project, role):
        abort(403, f"You need the role {role} in this project to do that.")


def find_user(typed: str) -> sqlite3.Row | None:
    """A user by name or by user name, in small or capital letters."""
    return db.row(
        "SELECT * FROM users WHERE lower(name) = lower(?) OR lower(username) = lower(?)",
        typed.strip(),
        typed.strip().removeprefix("@"),
    )


def happened(connection: sqlite3.Connection, project: sqlite3.Row, action: str, target: str, path: str) -> None:
    """Notes what the signed in user did."""
    connection.execute(EVENT, (db.today(), project["id"], action, target, path))
    connection.execute("UPDATE projects SET updated_on = ? WHERE id = ?", (db.today(), project["id"]))


def medium_date(iso: str) -> str:
    """`Mar 5, 2024`."""
    day = datetime.date.fromisoformat(iso)
    return f"{day:%b} {day.day}, {day.year}"


FILTERS = (medium_date,)
