"""Lists of projects, the search over all of them, and the form of a new project."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping

from flask import Flask, Response, request

from eval.suites.webarena_mini.gitlab import layout
from eval.suites.webarena_mini.gitlab.item_list import ROWS
from eval.suites.webarena_mini.gitlab.kinds import KINDS, STATES
from eval.suites.webarena_mini.site import db
from eval.suites.webarena_mini.site.fields import Fields
from eval.suites.webarena_mini.site.layout import see
from eval.suites.webarena_mini.site.words import say

PAGE = 15
VISIBILITIES = ("Private", "Internal", "Public")
SORTS = {
    "updated_desc": ("Last updated", "p.updated_on DESC, p.id"),
    "stars_desc": ("Most stars", "p.stars DESC, p.id"),
    "created_desc": ("Last created", "p.created_on DESC, p.id"),
    "name_asc": ("By name", "p.name, p.id"),
}
LISTS = {
    "own": ("Projects", "/dashboard/projects", "EXISTS (SELECT 1 FROM members m WHERE m.project_id = p.id"
            " AND m.user_id = (SELECT CAST(value AS INTEGER) FROM world WHERE key = 'me'))"),
    "starred": ("Starred projects", "/dashboard/projects/starred",
                "EXISTS (SELECT 1 FROM starred s WHERE s.project_id = p.id)"),
    "explore": ("Explore", "/explore", "1"),
}  # fmt: skip
ROW = "SELECT p.*, p.namespace || '/' || p.slug AS path FROM projects p WHERE {where}"
BRANCH = "INSERT INTO branches (project_id, name, left_on) VALUES (?, 'main', '')"
TITLE = "i.title || ' ' || i.description"
NEWEST = "i.created_on DESC, i.id DESC"
SCOPES = {
    "projects": ("p.name || ' ' || p.description || ' ' || p.namespace", ROW, "p.stars DESC"),
    **{kind.folder: (TITLE, ROWS.replace("{where}", f"i.kind = '{kind.key}' AND {{where}}"), NEWEST) for kind in KINDS},
    "users": ("u.name || ' ' || u.username", "SELECT u.* FROM users u WHERE {where}", "u.name"),
}
"""What is searched: text, query, order."""
FOUND = 10


def home() -> Response:
    """Where somebody who signs in begins."""
    return show("own")


def show(name: str) -> Response:
    """A list of projects."""
    title, path, where = LISTS[name]
    typed = request.args.get("name", "").strip()
    sort = request.args.get("sort", "")
    sort = sort if sort in SORTS else next(iter(SORTS))
    sql = ROW.format(where=f"{where} AND instr(lower(p.name || ' ' || p.namespace), lower(?))")
    total = db.value(f"SELECT count(*) FROM ({sql})", typed)
    last = max(1, math.ceil(total / PAGE))
    page = db.page_number("page", last)
    kept = {"name": typed, "sort": request.args.get("sort", "")}
    return layout.page(
        "projects.html",
        title,
        path=path,
        typed=typed,
        total=total,
        rows=db.rows(f"{sql} ORDER BY {SORTS[sort][1]} LIMIT ? OFFSET ?", typed, PAGE, PAGE * (page - 1)),
        page=page,
        page_links=[(at, db.link(path, **{**kept, "page": at})) for at in range(1, last + 1)],
        sort=sort,
        sorts=[(key, say(label)) for key, (label, _) in SORTS.items()],
    )


def search() -> Response:
    """The search box of all pages."""
    typed = request.args.get("search", "").strip()
    words = typed.lower().split()[:10]
    found = {}
    for scope, (text, sql, order) in SCOPES.items():
        where = " AND ".join([f"instr(lower({text}), ?)" for _ in words] or ["0"])
        sql = sql.format(where=where)
        rows = db.rows(f"{sql} ORDER BY {order} LIMIT {FOUND}", *words)
        found[scope] = (db.value(f"SELECT count(*) FROM ({sql})", *words), rows)
    return layout.page("search.html", "Search results", typed=typed, found=found, kinds=KINDS, states=STATES)


def new() -> Response:
    """The form of a project."""
    return _form({"name": "", "description": "", "visibility": VISIBILITIES[0]}, [])


def _form(values: Mapping[str, str], errors: list[str]) -> Response:
    return layout.page(
        "project_form.html",
        "New project",
        errors=errors,
        values=values,
        visibilities=VISIBILITIES,
        readme="readme" in request.form or request.method == "GET",
    )


def create() -> Response:
    """An own project with an empty main branch, or with a README."""
    fields = Fields(request.form)
    values = {
        "name": fields.text("name", "Project name", longest=80),
        "description": fields.text("description", "Description", required=False, longest=400),
        "visibility": fields.choice("visibility", "Visibility", VISIBILITIES),
    }
    slug = re.sub(r"[^a-z0-9]+", "-", values["name"].lower()).strip("-")
    me, today = layout.me(), db.today()
    if values["name"] and not slug:
        fields.errors.append(f"{say('Project name')}: '{values['name'][:40]}' has neither letters nor digits.")
    if db.value("SELECT 1 FROM projects WHERE namespace = ? AND slug = ?", me["username"], slug):
        fields.errors.append(f"You have a project '{slug}' already.")
    if fields.errors:
        return _form(values, fields.errors)
    sql = (
        "INSERT INTO projects (namespace, slug, name, description, visibility, default_branch, stars, forks,"
        " created_on, updated_on) VALUES (?, ?, ?, ?, ?, 'main', 0, 0, ?, ?)"
    )
    with db.connection() as connection:
        project = connection.execute(sql, (me["username"], slug, *values.values(), today, today)).lastrowid
        connection.execute("INSERT INTO members VALUES (?, ?, 'Owner', ?)", (project, me["id"], today))
        branch = connection.execute(BRANCH, (project,)).lastrowid
        if "readme" in request.form:
            text = f"# {values['name']}\n\n{values['description']}"
            connection.execute("INSERT INTO files VALUES (?, 'README.md', ?)", (branch, text))
    db.notice(f"The project '{values['name']}' was created.")
    return see(f"/{me['username']}/{slug}")


def register(app: Flask) -> None:
    """Adds the pages."""
    app.add_url_rule("/", "home", home)
    for name, (_, path, _) in LISTS.items():
        app.add_url_rule(path, f"{name}_projects", show, defaults={"name": name})
    app.add_url_rule("/search", "search", search)
    app.add_url_rule("/projects/new", "new_project", new)
    app.add_url_rule("/projects/new", "create_project", create, methods=["POST"])
