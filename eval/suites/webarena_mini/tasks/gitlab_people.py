"""Tasks that change who is in a project, what one says of oneself, and which projects one has and stars."""

from __future__ import annotations

import random
from collections.abc import Iterator

from eval.suites.webarena_mini.tasks.base import Draft, Template
from eval.suites.webarena_mini.tasks.gitlab_view import SITE, Host, Project
from eval.suites.webarena_mini.tasks.gold import at_page, page, pages

STATUSES = ("Away until Monday", "Reviewing all week", "At a conference", "Heads down on the release")
NEW_NAMES = ("Pebble Sorter", "Lantern Clock", "Paper Boats", "Quiet Corner", "Second Drawer", "Spare Keys")


def invite_member(host: Host, rng: random.Random) -> Iterator[Draft]:
    """Somebody who is no member."""
    for project in host.rounds(rng, role="Maintainer"):
        person = rng.choice([user for user in host.people.values() if user.id not in host.roles[project.id]])
        role = rng.choice(("Guest", "Reporter", "Developer", "Maintainer"))
        values = {"person": person.name, "project": project.name, "role": role}
        yield Draft(values, pages([role_check(project, person.username, role)]))


def role_check(project: Project, username: str, role: str) -> dict[str, object]:
    """What the list of members says of somebody."""
    return page(f"{project.url}/-/project_members", f"[id='member-{username}'] td:nth-of-type(3)", role)


def member_new_role(host: Host, rng: random.Random) -> Iterator[Draft]:
    """Another role than the member has."""
    for project in host.rounds(rng, role="Maintainer"):
        found = [(user, role) for user, role in sorted(host.roles[project.id].items()) if role != "Owner"]
        user, old = rng.choice(found)
        role = rng.choice([role for role in ("Guest", "Reporter", "Developer", "Maintainer") if role != old])
        if user != host.me.id:
            values = {"person": host.people[user].name, "project": project.name, "role": role}
            yield Draft(values, pages([role_check(project, host.people[user].username, role)]))


def vague_leaver(host: Host, rng: random.Random) -> Iterator[Draft]:
    """A member who is neither the owner nor oneself; all others must stay."""
    for project in host.rounds(rng, role="Maintainer"):
        roles = host.roles[project.id]
        user = rng.choice([user for user in sorted(roles) if roles[user] != "Owner"])
        if user != host.me.id:
            others = [host.people[other].name for other in sorted(roles) if other != user]
            url = f"{project.url}/-/project_members"
            checks = [page(url, "#members", *others), page(url, "#amount", f"{len(others)} members")]
            yield Draft({"person": host.people[user].name, "project": project.name}, pages(checks))


def vague_status(host: Host, rng: random.Random) -> Iterator[Draft]:
    """A status that nobody has."""
    for text in rng.sample(STATUSES, len(STATUSES)):
        yield Draft({"text": text}, pages([page(f"{SITE}/{host.me.username}", "#status", text)]))


def fork_project(host: Host, rng: random.Random) -> Iterator[Draft]:
    """Somebody else's project."""
    for project in rng.sample(host.projects, len(host.projects)):
        if host.me.id not in host.roles[project.id]:
            slug = project.path.rpartition("/")[2]
            check = page("last", "#source", project.path.removeprefix("/"))
            yield Draft({"project": project.name}, at_page(f"{SITE}/{host.me.username}/{slug}", [check]))


def new_project(host: Host, rng: random.Random) -> Iterator[Draft]:
    """A name that no project has, and not the visibility that the form begins with."""
    for name in rng.sample(NEW_NAMES, len(NEW_NAMES)):
        visibility = rng.choice(("public", "internal"))
        slug = name.lower().replace(" ", "-")
        check = page("last", "#visibility", visibility.title())
        values = {"name": name, "visibility": visibility}
        yield Draft(values, at_page(f"{SITE}/{host.me.username}/{slug}", [check]))


def star_top(host: Host, rng: random.Random) -> Iterator[Draft]:
    """So many projects lead all others; some of them are not starred."""
    ranked = sorted(host.projects, key=lambda project: -project.stars)
    for number in rng.sample((2, 3), 2):
        top = ranked[:number]
        amount = sum(project.starred for project in host.projects) + sum(not project.starred for project in top)
        url = f"{SITE}/dashboard/projects/starred"
        checks = [page(url, "#projects", *(project.name for project in top)), page(url, "#amount", f"{amount} project")]
        if not all(project.starred for project in top):
            yield Draft({"number": str(number)}, pages(checks))


TEMPLATES = (
    Template(
        id=851,
        name="invite_member",
        make=invite_member,
        count=2,
        kind="change",
        wording="Invite {{person}} to {{project}} as {{role}}.",
    ),
    Template(
        id=852,
        name="member_new_role",
        make=member_new_role,
        count=2,
        kind="change",
        wording="Change the role of {{person}} in {{project}} to {{role}}.",
    ),
    Template(
        id=853,
        name="vague_leaver",
        make=vague_leaver,
        count=2,
        kind="change",
        difficulty="easy",
        vague=True,
        wording="{{person}} doesn't work on {{project}} any more, please get that account out of there",
    ),
    Template(
        id=854,
        name="vague_status",
        make=vague_status,
        count=2,
        kind="change",
        difficulty="easy",
        vague=True,
        wording='could you set my status to "{{text}}", so that people know',
    ),
    Template(
        id=855,
        name="fork_project",
        make=fork_project,
        count=2,
        kind="change",
        difficulty="easy",
        wording="Make a fork of {{project}}.",
    ),
    Template(
        id=856,
        name="new_project",
        make=new_project,
        count=3,
        kind="change",
        wording='Create a new project with the name "{{name}}" and the visibility {{visibility}}.',
    ),
    Template(
        id=857,
        name="star_top",
        make=star_top,
        count=2,
        kind="change",
        difficulty="hard",
        wording="Star the {{number}} projects that have the most stars of all.",
    ),
)
