"""Fills users, projects, their members, labels and milestones."""

from __future__ import annotations

import datetime
import random
import sqlite3

from eval.suites.webarena_mini.gitlab import vocabulary as words

ME = 1
USERS = 26
BUSY = 9
"""How many projects have much going on. They are the first ones: own ones, such where one helps, and strange ones."""
OWN, HELPED = 4, 2
PROJECTS = 25
FIRST_DAY = datetime.date(2022, 1, 1)
PROJECT = "INSERT INTO projects VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"


def fill_users(connection: sqlite3.Connection, rng: random.Random) -> None:
    """People of whom no two share a first or a last name. The first one is signed in."""
    firsts, lasts = rng.sample(words.FIRST_NAMES, USERS), rng.sample(words.LAST_NAMES, USERS)
    for user, (first, last) in enumerate(zip(firsts, lasts), start=ME):
        joined = FIRST_DAY - datetime.timedelta(days=rng.randint(1, 900))
        username = rng.choice((f"{first}.{last}", f"{first[0]}{last}", f"{last}{rng.randrange(10, 99)}")).lower()
        row: tuple[object, ...] = (
            user,
            username.replace(" ", ""),
            f"{first} {last}",
            f"{first}.{last}@example.com".lower(),
        )
        row += (rng.choice(words.BIOS), rng.choice(words.PLACES), "", joined.isoformat())
        connection.execute("INSERT INTO users VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)


def fill_projects(connection: sqlite3.Connection, rng: random.Random, now: datetime.date) -> None:
    """Own projects first, then those of groups and of other people."""
    users = dict(connection.execute("SELECT id, username FROM users ORDER BY id"))
    firsts = rng.sample(words.FIRST_WORDS, PROJECTS)
    stars = sorted(rng.sample(range(3, 900), PROJECTS), reverse=True)
    rng.shuffle(stars)
    days = rng.sample(range(1, 200), PROJECTS)
    for project, first in enumerate(firsts, start=1):
        family = rng.choice(words.FAMILIES)
        noun = rng.choice(family.nouns)
        own = project <= OWN
        stranger = rng.randint(ME + 1, USERS)
        namespace = users[ME] if own else rng.choice((users[stranger], *[path for path, _ in words.GROUPS]))
        owner = ME if own else stranger
        created = FIRST_DAY - datetime.timedelta(days=rng.randint(5, 500))
        visibility = rng.choice(("Public", "Private" if own else "Internal", "Public"))
        branch = rng.choice(("main", "main", "master"))
        row: tuple[object, ...] = (
            project,
            namespace,
            f"{first}-{noun}".lower(),
            f"{first} {noun}",
            f"{family.purpose}.",
            visibility,
        )
        row += (branch, stars[project - 1], rng.randint(1, 90), None, created.isoformat())
        updated = now - datetime.timedelta(days=days[project - 1])
        connection.execute(PROJECT, (*row, updated.isoformat()))
        _fill_members(connection, rng, project, owner)
        _fill_plans(connection, rng, project)
    leading = sorted(range(PROJECTS), key=lambda at: -stars[at])[:2]
    free = [project for project in range(OWN + 1, PROJECTS + 1) if project - 1 not in leading]
    others = rng.sample(free, rng.randint(4, 7))
    for at, project in enumerate(others):
        day = now - datetime.timedelta(days=20 + 30 * at + rng.randrange(20))
        connection.execute("INSERT INTO starred VALUES (?, ?)", (project, day.isoformat()))


def _fill_members(connection: sqlite3.Connection, rng: random.Random, project: int, owner: int) -> None:
    """The owner and, of a busy project, 7 to 10 others; of some of them one is maintainer."""
    count = rng.randint(7, 10) if project <= BUSY else rng.randint(1, 3)
    others = rng.sample([user for user in range(ME + 1, USERS + 1) if user != owner], count)
    roles = [(owner, "Owner"), *[(user, rng.choice(words.GIVEN_ROLES)) for user in others]]
    if OWN < project <= OWN + HELPED:
        roles.append((ME, "Maintainer"))
    for user, role in roles:
        since = FIRST_DAY + datetime.timedelta(days=rng.randrange(300))
        connection.execute("INSERT INTO members VALUES (?, ?, ?, ?)", (project, user, role, since.isoformat()))


def _fill_plans(connection: sqlite3.Connection, rng: random.Random, project: int) -> None:
    """Labels and milestones."""
    for name, description in sorted(rng.sample(words.LABELS, 8 if project <= BUSY else 4)):
        connection.execute(
            "INSERT INTO labels (project_id, name, description) VALUES (?, ?, ?)", (project, name, description)
        )
    major, minor = rng.randint(0, 4), rng.randint(0, 3)
    start = FIRST_DAY + datetime.timedelta(days=rng.randint(300, 600))
    for step in range(rng.randint(4, 5) if project <= BUSY else 1):
        due = start + datetime.timedelta(days=rng.randint(40, 110))
        title = f"v{major}.{minor + step}"
        row = (project, title, f"What goes into release {title}.", start.isoformat(), due.isoformat())
        connection.execute(
            "INSERT INTO milestones (project_id, title, description, starts_on, due_on) VALUES (?, ?, ?, ?, ?)", row
        )
        start = due + datetime.timedelta(days=1)
