"""The code host's database as templates see it: plain records, and the world's rules stated apart from the pages."""

from __future__ import annotations

import random
import sqlite3
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from functools import cached_property

SITE = "__GITLAB__"
BUSY = 30
"""A project with so many issues has enough going on for a task."""


@dataclass(frozen=True)
class Person:
    """A user."""

    id: int
    username: str
    name: str
    place: str


@dataclass(frozen=True)
class Project:
    """A project. `path` is its address without the site's."""

    id: int
    path: str
    name: str
    branch: str
    stars: int
    forks: int
    created: date
    starred: bool

    @property
    def url(self) -> str:
        """Its first page in task files."""
        return f"{SITE}{self.path}"


@dataclass(frozen=True)
class Item:
    """An issue or a merge request. People by id."""

    project: int
    number: int
    title: str
    author: int
    assignee: int | None
    reviewer: int | None
    milestone: str
    state: str
    labels: frozenset[str]
    day: date
    comments: int
    first_voice: int
    """Who wrote the first comment; 0 without any."""


@dataclass(frozen=True)
class Commit:
    """A commit. `branch` is the one that it was made on."""

    project: int
    branch: str
    author: int
    email: str
    day: date


class Host:
    """One world's code host, read once from a connection."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._sql = connection

    @cached_property
    def today(self) -> date:
        """The world's date."""
        [(now,)] = self._sql.execute("select value from world where key = 'now'")
        return date.fromisoformat(now)

    @cached_property
    def people(self) -> dict[int, Person]:
        """All users by id."""
        rows = self._sql.execute("select id, username, name, place from users order by id")
        return {row[0]: Person(*row) for row in rows}

    @cached_property
    def me(self) -> Person:
        """Who is signed in."""
        [(me,)] = self._sql.execute("select value from world where key = 'me'")
        return self.people[int(me)]

    @cached_property
    def projects(self) -> list[Project]:
        """All projects."""
        rows = self._sql.execute(
            "select p.id, namespace, slug, name, default_branch, stars, forks, created_on, s.project_id is not null"
            " from projects p left join starred s on s.project_id = p.id order by p.id"
        )
        return [
            Project(key, f"/{space}/{slug}", name, branch, stars, forks, date.fromisoformat(created), bool(starred))
            for key, space, slug, name, branch, stars, forks, created, starred in rows
        ]

    @cached_property
    def roles(self) -> dict[int, dict[int, str]]:
        """Members' roles by project and user."""
        found: dict[int, dict[int, str]] = {project.id: {} for project in self.projects}
        for project, user, role in self._sql.execute("select project_id, user_id, role from members"):
            found[project][user] = role
        return found

    @cached_property
    def issues(self) -> dict[int, list[Item]]:
        """Issues by project, newest first."""
        return self._items("issue")

    @cached_property
    def requests(self) -> dict[int, list[Item]]:
        """Merge requests by project, newest first."""
        return self._items("merge_request")

    def _items(self, kind: str) -> dict[int, list[Item]]:
        labels: dict[int, set[str]] = {}
        for item, name in self._sql.execute("select item_id, name from item_labels join labels on id = label_id"):
            labels.setdefault(item, set()).add(name)
        comments = dict(self._sql.execute("select item_id, count(*) from comments group by item_id"))
        voices = dict(self._sql.execute("select item_id, author_id from comments order by id desc"))
        found: dict[int, list[Item]] = {project.id: [] for project in self.projects}
        for key, project, number, title, author, assignee, reviewer, milestone, state, day in self._sql.execute(
            "select i.id, i.project_id, number, i.title, author_id, assignee_id, reviewer_id, coalesce(m.title, ''),"
            " state, created_on from items i left join milestones m on m.id = milestone_id where kind = ?"
            " order by created_on desc, i.id desc",
            (kind,),
        ):
            found[project].append(
                Item(
                    *(project, number, title, author, assignee, reviewer, milestone, state),
                    labels=frozenset(labels.get(key, ())),
                    day=date.fromisoformat(day),
                    comments=comments.get(key, 0),
                    first_voice=voices.get(key, 0),
                )
            )
        return found

    @cached_property
    def labels(self) -> dict[int, list[str]]:
        """Names of labels by project."""
        return self._names("select project_id, name from labels order by name")

    @cached_property
    def milestones(self) -> dict[int, list[str]]:
        """Titles of milestones by project."""
        return self._names("select project_id, title from milestones order by id")

    @cached_property
    def branches(self) -> dict[int, list[str]]:
        """Names of branches by project."""
        return self._names("select project_id, name from branches order by name")

    def _names(self, sql: str) -> dict[int, list[str]]:
        found: dict[int, list[str]] = {project.id: [] for project in self.projects}
        for project, name in self._sql.execute(sql):
            found[project].append(name)
        return found

    @cached_property
    def left_on(self) -> dict[tuple[int, str], str]:
        """The day on which a branch left the default one, by project and name."""
        rows = self._sql.execute("select project_id, name, left_on from branches")
        return {(project, name): day for project, name, day in rows}

    @cached_property
    def commits(self) -> list[Commit]:
        """All commits."""
        rows = self._sql.execute(
            "select c.project_id, b.name, author_id, email, committed_on from commits c join branches b"
            " on b.id = branch_id order by c.id"
        )
        return [
            Commit(project, branch, author, email, date.fromisoformat(day))
            for project, branch, author, email, day in rows
        ]

    def on_branch(self, project: Project, branch: str) -> list[Commit]:
        """What a branch has: its own commits, and those of the default branch up to the day on which it left it."""
        left = self.left_on[project.id, branch]
        return [
            commit
            for commit in self.commits
            if commit.project == project.id
            and (commit.branch == branch or (commit.branch == project.branch and commit.day.isoformat() <= left))
        ]

    def settings(self, project: Project, branch: str) -> dict[str, str]:
        """Keys and values of the configuration file on a branch."""
        [(text,)] = self._sql.execute(
            "select text from files f join branches b on b.id = branch_id"
            " where project_id = ? and name = ? and path = 'config/settings.toml'",
            (project.id, branch),
        )
        return dict(line.split(" = ", 1) for line in text.split("\n"))

    def committers(self, project: Project) -> Counter[int]:
        """Commits on the default branch by person."""
        return Counter(commit.author for commit in self.on_branch(project, project.branch))

    def addresses(self, project: Project) -> dict[int, Counter[str]]:
        """Commits on the default branch by person and e-mail address."""
        found: dict[int, Counter[str]] = {}
        for commit in self.on_branch(project, project.branch):
            found.setdefault(commit.author, Counter())[commit.email] += 1
        return found

    def shuffled(self, rng: random.Random, *, role: str = "") -> list[Project]:
        """Projects in which much is going on, in a drawn order: all, own ones, or those that one may look after."""
        wanted = {"": None, "Owner": ("Owner",), "Maintainer": ("Owner", "Maintainer")}[role]
        found = [
            project
            for project in self.projects
            if len(self.issues[project.id]) >= BUSY
            and (wanted is None or self.roles[project.id].get(self.me.id) in wanted)
        ]
        return rng.sample(found, len(found))

    def rounds(self, rng: random.Random, *, role: str = "") -> Iterator[Project]:
        """The same again and again, for as many instances as it takes: each project comes before one comes twice."""
        for _ in range(20):
            yield from self.shuffled(rng, role=role)

    def pairs(self, project: Project, rng: random.Random) -> list[tuple[str, str]]:
        """Two of a project's labels, in a drawn order."""
        labels = self.labels[project.id]
        found = [(one, two) for one in labels for two in labels if one < two]
        return rng.sample(found, len(found))


def labelled(items: list[Item], *labels: str) -> list[Item]:
    """Those that carry all of the labels."""
    return [item for item in items if item.labels.issuperset(labels)]


def either(items: list[Item], *labels: str) -> list[Item]:
    """Those that carry at least one of the labels."""
    return [item for item in items if item.labels.intersection(labels)]


def opened(items: list[Item]) -> list[Item]:
    """Those that are open."""
    return [item for item in items if item.state == "opened"]
