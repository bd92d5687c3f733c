"""The members of a project, and the pages of people."""

from __future__ import annotations

import sqlite3

from flask import Flask, Response, abort, request

from eval.suites.webarena_mini.gitlab import layout
from eval.suites.webarena_mini.gitlab.pages_home import ROW
from eval.suites.webarena_mini.gitlab.vocabulary import GIVEN_ROLES
from eval.suites.webarena_mini.site import db
from eval.suites.webarena_mini.site.fields import Fields
from eval.suites.webarena_mini.site.layout import see
from eval.suites.webarena_mini.site.words import say

MEMBERS = """
SELECT m.*, u.name, u.username FROM members m JOIN users u ON u.id = m.user_id WHERE m.project_id = ?
ORDER BY m.role <> 'Owner', u.name
"""
NOT_OWNER = "project_id = ? AND user_id = ? AND role <> 'Owner'"
SHOWN = 20


def members(namespace: str, slug: str) -> Response:
    """A project's members, with the form of an invitation."""
    return _members(layout.find_project(namespace, slug), {"person": "", "role": ""}, [])


def _members(project: sqlite3.Row, values: dict[str, str], errors: list[str]) -> Response:
    return layout.page(
        "members.html",
        "Members",
        project=project,
        errors=errors,
        path=f"{layout.home(project)}/-/project_members",
        rows=db.rows(MEMBERS, project["id"]),
        open=layout.may(project, "Maintainer"),
        roles=GIVEN_ROLES,
        values=values,
    )


def invite(namespace: str, slug: str) -> Response:
    """A new member."""
    project = layout.find_project(namespace, slug)
    layout.demand(project, "Maintainer")
    fields = Fields(request.form)
    values = {
        "person": fields.text("person", "Name or username", longest=80),
        "role": fields.choice("role", "Role", GIVEN_ROLES),
    }
    user = layout.find_user(values["person"])
    if values["person"] and user is None:
        fields.errors.append(f"{say('Name or username')}: nobody is called '{values['person'][:40]}'.")
    elif user is not None and db.value(
        "SELECT 1 FROM members WHERE project_id = ? AND user_id = ?", project["id"], user["id"]
    ):
        fields.errors.append(f"{user['name']} is a member already.")
    if fields.errors or user is None:
        return _members(project, values, fields.errors)
    with db.connection() as connection:
        row = (project["id"], user["id"], values["role"], db.today())
        connection.execute("INSERT INTO members VALUES (?, ?, ?, ?)", row)
    db.notice(f"{user['name']} was invited.")
    return see(f"{layout.home(project)}/-/project_members")


def change(namespace: str, slug: str, member: str) -> Response:
    """Another role."""
    project = layout.find_project(namespace, slug)
    layout.demand(project, "Maintainer")
    fields = Fields(request.form)
    role = fields.choice("role", "Role", GIVEN_ROLES)
    if fields.errors:
        return _members(project, {"person": "", "role": ""}, fields.errors)
    with db.connection() as connection:
        sql = f"UPDATE members SET role = ? WHERE {NOT_OWNER}"
        done = connection.execute(sql, (role, project["id"], db.whole_number(member))).rowcount
    if done:
        db.notice("The role was changed.")
    return see(f"{layout.home(project)}/-/project_members")


def remove(namespace: str, slug: str, member: str) -> Response:
    """A member less."""
    project = layout.find_project(namespace, slug)
    layout.demand(project, "Maintainer")
    with db.connection() as connection:
        sql = f"DELETE FROM members WHERE {NOT_OWNER}"
        done = connection.execute(sql, (project["id"], db.whole_number(member))).rowcount
    if done:
        db.notice("The member was removed.")
    return see(f"{layout.home(project)}/-/project_members")


def person(username: str) -> Response:
    """Somebody's page, or that of a group; one's own with what one did."""
    found = db.row("SELECT * FROM users WHERE username = ?", username)
    if found is None:
        return _group(username)
    me = layout.me()
    own = found["id"] == me["id"]
    events = "SELECT e.*, p.name AS project FROM events e JOIN projects p ON p.id = e.project_id ORDER BY e.id DESC"
    where = "EXISTS (SELECT 1 FROM members m WHERE m.project_id = p.id AND m.user_id = ? AND m.role = 'Owner')"
    return layout.page(
        "person.html",
        found["name"],
        person=found,
        own=own,
        events=db.rows(f"{events} LIMIT {SHOWN}") if own else [],
        projects=db.rows(f"{ROW.format(where=where)} ORDER BY p.name", found["id"]),
    )


def _group(name: str) -> Response:
    rows = db.rows(f"{ROW.format(where='p.namespace = ?')} ORDER BY p.name", name)
    if not rows:
        abort(404)
    return layout.page("group.html", name, projects=rows)


def profile() -> Response:
    """One's own profile in its form."""
    me = layout.me()
    return _profile({name: me[name] for name in ("status", "place", "bio")}, [])


def _profile(values: dict[str, str], errors: list[str]) -> Response:
    return layout.page("profile.html", "Edit profile", errors=errors, values=values)


def save_profile() -> Response:
    """Stores the profile."""
    fields = Fields(request.form)
    values = {
        "status": fields.text("status", "Status", required=False, longest=100),
        "place": fields.text("place", "Location", required=False, longest=60),
        "bio": fields.text("bio", "Bio", required=False, longest=300),
    }
    if fields.errors:
        return _profile(values, fields.errors)
    me = layout.me()
    with db.connection() as connection:
        connection.execute("UPDATE users SET status = ?, place = ?, bio = ? WHERE id = ?", (*values.values(), me["id"]))
    db.notice("The profile was saved.")
    return see(f"/{me['username']}")


def register(app: Flask) -> None:
    """Adds the pages."""
    rule = "/<namespace>/<slug>/-/project_members"
    app.add_url_rule(rule, "members", members)
    app.add_url_rule(rule, "invite", invite, methods=["POST"])
    app.add_url_rule(f"{rule}/<member>/role", "change_role", change, methods=["POST"])
    app.add_url_rule(f"{rule}/<member>/remove", "remove_member", remove, methods=["POST"])
    app.add_url_rule("/<username>", "person", person)
    app.add_url_rule("/-/profile", "profile", profile)
    app.add_url_rule("/-/profile", "save_profile", save_profile, methods=["POST"])
