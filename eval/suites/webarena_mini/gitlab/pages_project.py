"""A project's first page, stars and forks, its labels and milestones."""

from __future__ import annotations

import datetime
import sqlite3
from collections.abc import Mapping

from flask import Flask, Response, request

from eval.suites.webarena_mini.gitlab import files, layout
from eval.suites.webarena_mini.site import db
from eval.suites.webarena_mini.site.fields import Fields, month_first_date
from eval.suites.webarena_mini.site.layout import see
from eval.suites.webarena_mini.site.words import say

LABELS = """
SELECT l.*, (SELECT count(*) FROM item_labels x JOIN items i ON i.id = x.item_id
    WHERE x.label_id = l.id AND i.kind = 'issue' AND i.state = 'opened') AS issues
FROM labels l WHERE l.project_id = ? ORDER BY l.name
"""
MILESTONES = """
SELECT m.*, (SELECT count(*) FROM items i WHERE i.milestone_id = m.id AND i.state = 'opened') AS open,
    (SELECT count(*) FROM items i WHERE i.milestone_id = m.id AND i.state <> 'opened') AS done
FROM milestones m WHERE m.project_id = ? ORDER BY m.due_on, m.id
"""
MILESTONE = "INSERT INTO milestones (project_id, title, description, starts_on, due_on) VALUES (?, ?, ?, ?, ?)"
FORK = """
INSERT INTO projects (namespace, slug, name, description, visibility, default_branch, stars, forks, forked_from,
    created_on, updated_on) SELECT ?, slug, name, description, visibility, default_branch, 0, 0, id, ?, ?
FROM projects WHERE id = ?
"""
DAY = "[0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]{1,2}/[0-9]{1,2}/[0-9]{4}"


def show(namespace: str, slug: str) -> Response:
    """What a project is, and its files."""
    project = layout.find_project(namespace, slug)
    branch = files.find_branch(project, project["default_branch"])
    return layout.page(
        "project.html",
        project["name"],
        project=project,
        path=layout.home(project),
        branch=branch,
        entries=files.entries(project, branch, ""),
        readme=files.read(project, branch, "README.md"),
        commits=db.value("SELECT count(*) FROM commits WHERE branch_id = ?", branch["id"]),
    )


def star(namespace: str, slug: str, on: bool) -> Response:
    """Puts the project among the starred ones, or takes it away."""
    project = layout.find_project(namespace, slug)
    if bool(project["starred"]) != on:
        with db.connection() as connection:
            if on:
                connection.execute("INSERT INTO starred VALUES (?, ?)", (project["id"], db.today()))
            else:
                connection.execute("DELETE FROM starred WHERE project_id = ?", (project["id"],))
            step = 1 if on else -1
            connection.execute("UPDATE projects SET stars = stars + ? WHERE id = ?", (step, project["id"]))
    return see(layout.home(project))


def fork(namespace: str, slug: str) -> Response:
    """A copy of the files of all branches among the own projects; neither commits nor issues go with it."""
    project, me, today = layout.find_project(namespace, slug), layout.me(), db.today()
    if db.value("SELECT 1 FROM projects WHERE namespace = ? AND slug = ?", me["username"], slug):
        db.notice(f"You have a project '{slug}' already.")
        return see(f"/{me['username']}/{slug}")
    with db.connection() as connection:
        copy = connection.execute(FORK, (me["username"], today, today, project["id"])).lastrowid
        connection.execute("UPDATE projects SET forks = forks + 1 WHERE id = ?", (project["id"],))
        connection.execute("INSERT INTO members VALUES (?, ?, 'Owner', ?)", (copy, me["id"], today))
        for branch in db.rows("SELECT * FROM branches WHERE project_id = ? ORDER BY id", project["id"]):
            sql = "INSERT INTO branches (project_id, name, left_on) VALUES (?, ?, ?)"
            new = connection.execute(sql, (copy, branch["name"], branch["left_on"])).lastrowid
            files_of = "INSERT INTO files SELECT ?, path, text FROM files WHERE branch_id = ?"
            connection.execute(files_of, (new, branch["id"]))
    db.notice("The fork was created.")
    return see(f"/{me['username']}/{slug}")


def labels(namespace: str, slug: str) -> Response:
    """A project's labels, and the form of a new one."""
    return _labels(layout.find_project(namespace, slug), {"name": "", "description": ""}, [])


def _labels(project: sqlite3.Row, values: Mapping[str, str], errors: list[str]) -> Response:
    return layout.page(
        "labels.html",
        "Labels",
        project=project,
        errors=errors,
        path=layout.home(project),
        rows=db.rows(LABELS, project["id"]),
        open=layout.may(project, "Reporter"),
        values=values,
    )


def add_label(namespace: str, slug: str) -> Response:
    """Stores a new label."""
    project = layout.find_project(namespace, slug)
    layout.demand(project, "Reporter")
    fields = Fields(request.form)
    values = {
        "name": fields.matching("name", "Label name", "[^,]{1,40}", "up to 40 letters without commas"),
        "description": fields.text("description", "Description", required=False),
    }
    if db.value("SELECT 1 FROM labels WHERE project_id=? AND lower(name)=lower(?)", project["id"], values["name"]):
        fields.errors.append(f"There is a label '{values['name']}' already.")
    if fields.errors:
        return _labels(project, values, fields.errors)
    with db.connection() as connection:
        sql = "INSERT INTO labels (project_id, name, description) VALUES (?, ?, ?)"
        connection.execute(sql, (project["id"], *values.values()))
    db.notice("The label was created.")
    return see(f"{layout.home(project)}/-/labels")


def milestones(namespace: str, slug: str) -> Response:
    """A project's milestones, and the form of a new one."""
    empty = {"title": "", "description": "", "starts": "", "due": ""}
    return _milestones(layout.find_project(namespace, slug), empty, [])


def _milestones(project: sqlite3.Row, values: Mapping[str, str], errors: list[str]) -> Response:
    return layout.page(
        "milestones.html",
        "Milestones",
        project=project,
        errors=errors,
        path=layout.home(project),
        rows=db.rows(MILESTONES, project["id"]),
        open=layout.may(project, "Developer"),
        values=values,
    )


def add_milestone(namespace: str, slug: str) -> Response:
    """Stores a new milestone."""
    project = layout.find_project(namespace, slug)
    layout.demand(project, "Developer")
    fields = Fields(request.form)
    values = {
        "title": fields.text("title", "Milestone title", longest=60),
        "description": fields.text("description", "Description", required=False, longest=400),
        "starts": fields.matching("starts", "Start date", DAY, "like 2024-01-31 or 01/31/2024"),
        "due": fields.matching("due", "End date", DAY, "like 2024-01-31 or 01/31/2024"),
    }
    days = [_day(values[name]) for name in ("starts", "due")]
    for day, name, label in zip(days, ("starts", "due"), ("Start date", "End date")):
        if values[name] and not fields.errors and not day:
            fields.errors.append(f"{say(label)} '{values[name]}' is no day of the calendar.")
    if not fields.errors and days[1] < days[0]:
        fields.errors.append("The end date is before the start date.")
    if db.value("SELECT 1 FROM milestones WHERE project_id = ? AND title = ?", project["id"], values["title"]):
        fields.errors.append(f"There is a milestone '{values['title']}' already.")
    if fields.errors:
        return _milestones(project, values, fields.errors)
    with db.connection() as connection:
        connection.execute(MILESTONE, (project["id"], values["title"], values["description"], *days))
    db.notice("The milestone was created.")
    return see(f"{layout.home(project)}/-/milestones")


def _day(typed: str) -> str:
    """ISO text of a day typed in one of the two ways; empty if there is no such day."""
    try:
        return datetime.date.fromisoformat(typed).isoformat()
    except ValueError:
        return month_first_date(typed) or ""


def register(app: Flask) -> None:
    """Adds the pages."""
    rule = "/<namespace>/<slug>"
    app.add_url_rule(rule, "project", show)
    app.add_url_rule(f"{rule}/star", "star", star, defaults={"on": True}, methods=["POST"])
    app.add_url_rule(f"{rule}/unstar", "unstar", star, defaults={"on": False}, methods=["POST"])
    app.add_url_rule(f"{rule}/fork", "fork", fork, methods=["POST"])
    app.add_url_rule(f"{rule}/-/labels", "labels", labels)
    app.add_url_rule(f"{rule}/-/labels", "add_label", add_label, methods=["POST"])
    app.add_url_rule(f"{rule}/-/milestones", "milestones", milestones)
    app.add_url_rule(f"{rule}/-/milestones", "add_milestone", add_milestone, methods=["POST"])
