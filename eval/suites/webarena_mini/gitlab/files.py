"""Branches and their files, as they are found by a path."""

from __future__ import annotations

import sqlite3

from flask import abort

from eval.suites.webarena_mini.site import db

FILES = """
SELECT f.path, f.text FROM files f JOIN branches b ON b.id = f.branch_id
WHERE b.id = ?1 OR (b.project_id = ?2 AND b.name = ?3
    AND f.path NOT IN (SELECT own.path FROM files own WHERE own.branch_id = ?1))
ORDER BY f.path
"""


def find_branch(project: sqlite3.Row, name: str) -> sqlite3.Row:
    """A branch of a project, or the page that says that there is none."""
    found = db.row("SELECT * FROM branches WHERE project_id = ? AND name = ?", project["id"], name)
    if found is None:
        abort(404)
    return found


def branches(project: sqlite3.Row) -> list[str]:
    """The names of a project's branches, the default one first."""
    sql = "SELECT name FROM branches WHERE project_id = ? ORDER BY name <> ?, name"
    return [row["name"] for row in db.rows(sql, project["id"], project["default_branch"])]


def _all(project: sqlite3.Row, branch: sqlite3.Row) -> dict[str, str]:
    found = db.rows(FILES, branch["id"], project["id"], project["default_branch"])
    return {row["path"]: row["text"] for row in found}


def entries(project: sqlite3.Row, branch: sqlite3.Row, folder: str) -> list[tuple[str, str, bool]]:
    """Name, path and whether it is a folder, of what is in a folder: folders first."""
    before = f"{folder}/" if folder else ""
    found = {}
    for path in _all(project, branch):
        if path.startswith(before):
            name, _, rest = path.removeprefix(before).partition("/")
            found[name] = (name, f"{before}{name}", bool(rest))
    return sorted(found.values(), key=lambda entry: (not entry[2], entry[0]))


def read(project: sqlite3.Row, branch: sqlite3.Row, path: str) -> str | None:
    """The text of a file; None if there is no such file."""
    return _all(project, branch).get(path)
