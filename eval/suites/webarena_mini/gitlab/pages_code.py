"""Folders and files, branches, commits, and who made them."""

from __future__ import annotations

import math
import sqlite3

from flask import Flask, Response, abort, request

from eval.suites.webarena_mini.gitlab import files, layout
from eval.suites.webarena_mini.site import db
from eval.suites.webarena_mini.site.layout import see

PAGE = 124
OF_BRANCH = """
FROM commits c JOIN branches b ON b.id = c.branch_id JOIN users u ON u.id = c.author_id
WHERE (b.id = ? OR (b.project_id = ? AND b.name = ? AND c.committed_on <= ?)) AND instr(lower(c.title), ?)
"""
COMMIT = """
SELECT c.*, u.name AS author, u.username, b.name AS branch FROM commits c JOIN users u ON u.id = c.author_id
JOIN branches b ON b.id = c.branch_id WHERE c.project_id = ? AND c.sha LIKE ? || '%' AND length(?) >= 8
"""
CONTRIBUTORS = """
SELECT u.name, u.username, c.email, count(*) AS commits, min(c.committed_on) AS first, max(c.committed_on) AS last
FROM commits c JOIN users u ON u.id = c.author_id WHERE c.branch_id = ?
GROUP BY c.email ORDER BY count(*) DESC, c.email
"""
BRANCHES = """
SELECT b.*, (SELECT max(c.committed_on) FROM commits c WHERE c.branch_id = b.id) AS last,
    (SELECT count(*) FROM commits c WHERE c.branch_id = b.id) AS own
FROM branches b WHERE b.project_id = ? ORDER BY b.name <> ?, b.name
"""


def tree(namespace: str, slug: str, branch: str, path: str = "") -> Response:
    """A folder."""
    project = layout.find_project(namespace, slug)
    found = files.find_branch(project, branch)
    entries = files.entries(project, found, path)
    if path and not entries:
        abort(404)
    return layout.page(
        "tree.html",
        path or "Files",
        project=project,
        crumbs=_above(project, branch, path),
        path=layout.home(project),
        branch=found,
        entries=entries,
        folder=path,
        branches=files.branches(project),
    )


def blob(namespace: str, slug: str, branch: str, path: str) -> Response:
    """A file."""
    project = layout.find_project(namespace, slug)
    found = files.find_branch(project, branch)
    text = files.read(project, found, path)
    if text is None:
        abort(404)
    return layout.page(
        "blob.html", path, project=project, crumbs=_above(project, branch, path), branch=found, text=text
    )


def _above(project: sqlite3.Row, branch: str, path: str) -> list[tuple[str, str]]:
    """The folders in which something is."""
    home = f"{layout.home(project)}/-/tree/{branch}"
    parts = path.split("/")[:-1]
    above = [(part, f"{home}/{'/'.join(parts[: at + 1])}") for at, part in enumerate(parts)]
    return [("Files", home), *above] if path else []


def switch(namespace: str, slug: str) -> Response:
    """The list box of branches: the same folder, or the commits, of another branch."""
    project = layout.find_project(namespace, slug)
    branch = files.find_branch(project, request.args.get("branch", ""))
    if request.args.get("of") == "commits":
        return see(f"{layout.home(project)}/-/commits/{branch['name']}")
    folder = request.args.get("folder", "")
    end = f"/{folder}" if files.entries(project, branch, folder) and folder else ""
    return see(f"{layout.home(project)}/-/tree/{branch['name']}{end}")


def branches(namespace: str, slug: str) -> Response:
    """The branches of a project."""
    project = layout.find_project(namespace, slug)
    return layout.page(
        "branches.html",
        "Branches",
        project=project,
        path=layout.home(project),
        rows=db.rows(BRANCHES, project["id"], project["default_branch"]),
    )


def commits(namespace: str, slug: str, branch: str) -> Response:
    """The commits of a branch, newest first."""
    project = layout.find_project(namespace, slug)
    found = files.find_branch(project, branch)
    typed = request.args.get("search", "").strip()
    values = (found["id"], project["id"], project["default_branch"], found["left_on"], typed.lower())
    last = max(1, math.ceil(db.value(f"SELECT count(*) {OF_BRANCH}", *values) / PAGE))
    page = db.page_number("page", last)
    path = f"{layout.home(project)}/-/commits/{branch}"
    changed = "(SELECT count(*) FROM commit_files f WHERE f.commit_id = c.id) AS changed"
    sql = (
        f"SELECT c.*, u.name AS author, {changed} {OF_BRANCH} ORDER BY c.committed_on DESC, c.id DESC LIMIT ? OFFSET ?"
    )
    return layout.page(
        "commits.html",
        "Commits",
        project=project,
        path=layout.home(project),
        here=path,
        branch=found,
        branches=files.branches(project),
        typed=typed,
        rows=db.rows(sql, *values, PAGE, PAGE * (page - 1)),
        page=page,
        page_links=[(at, db.link(path, search=typed, page=at)) for at in range(1, last + 1)],
    )


def commit(namespace: str, slug: str, sha: str) -> Response:
    """One commit."""
    project = layout.find_project(namespace, slug)
    plain = sha if sha.isalnum() else ""
    found = db.row(COMMIT, project["id"], plain, plain)
    if found is None:
        abort(404)
    return layout.page(
        "commit.html",
        found["title"],
        project=project,
        crumbs=[("Commits", f"{layout.home(project)}/-/commits/{found['branch']}")],
        path=layout.home(project),
        commit=found,
        files=db.rows("SELECT * FROM commit_files WHERE commit_id = ? ORDER BY path", found["id"]),
    )


def contributors(namespace: str, slug: str) -> Response:
    """Who made the commits of the default branch, by e-mail address."""
    project = layout.find_project(namespace, slug)
    branch = files.find_branch(project, project["default_branch"])
    return layout.page(
        "contributors.html", "Contributors", project=project, branch=branch, rows=db.rows(CONTRIBUTORS, branch["id"])
    )


def register(app: Flask) -> None:
    """Adds the pages."""
    rule = "/<namespace>/<slug>/-"
    app.add_url_rule(f"{rule}/tree/<branch>", "tree", tree)
    app.add_url_rule(f"{rule}/tree/<branch>/<path:path>", "folder", tree)
    app.add_url_rule(f"{rule}/blob/<branch>/<path:path>", "blob", blob)
    app.add_url_rule(f"{rule}/switch", "switch", switch)
    app.add_url_rule(f"{rule}/branches", "branches", branches)
    app.add_url_rule(f"{rule}/commits/<branch>", "commits", commits)
    app.add_url_rule(f"{rule}/commit/<sha>", "commit", commit)
    app.add_url_rule(f"{rule}/contributors", "contributors", contributors)
