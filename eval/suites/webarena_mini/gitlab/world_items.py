"""Fills issues and merge requests with their labels, comments and approvals, and what the signed in user did."""

from __future__ import annotations

import datetime
import random
import sqlite3

from eval.suites.webarena_mini.gitlab import vocabulary as words
from eval.suites.webarena_mini.gitlab.world_projects import BUSY, FIRST_DAY, ME

ITEM = (
    "INSERT INTO items (project_id, kind, number, title, description, author_id, assignee_id, reviewer_id,"
    " milestone_id, state, source_branch, target_branch, created_on, updated_on)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
COMMENT = "INSERT INTO comments (item_id, author_id, written_on, text) VALUES (?, ?, ?, ?)"
EVENT = "INSERT INTO events (happened_on, project_id, action, target, path) VALUES (?, ?, ?, ?, ?)"


def fill_items(connection: sqlite3.Connection, rng: random.Random, now: datetime.date) -> None:
    """Busy projects have 34 to 50 issues and 24 to 34 merge requests, the others a few."""
    people = [user for (user,) in connection.execute("SELECT id FROM users ORDER BY id")]
    events: list[tuple[str, int, str, str, str]] = []
    titles: set[str] = set()
    projects = connection.execute(
        "SELECT id, namespace || '/' || slug, default_branch FROM projects ORDER BY id"
    ).fetchall()
    for project, path, branch in projects:
        busy = project <= BUSY
        members = [user for (user,) in connection.execute("SELECT user_id FROM members WHERE project_id=?", (project,))]
        authors = sorted({*rng.sample(people, 5), *members})
        filler = _Filler(connection, rng, project, path, branch, now, authors, members, titles, events)
        filler.fill("issue", rng.randint(34, 50) if busy else rng.randint(1, 6))
        filler.fill("merge_request", rng.randint(24, 34) if busy else rng.randint(0, 4))
    connection.executemany(EVENT, sorted(events))


class _Filler:
    """Fills the issues and merge requests of one project."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        rng: random.Random,
        project: int,
        path: str,
        branch: str,
        now: datetime.date,
        authors: list[int],
        members: list[int],
        titles: set[str],
        events: list[tuple[str, int, str, str, str]],
    ) -> None:
        self.sql, self.rng, self.project, self.path, self.branch, self.now = connection, rng, project, path, branch, now
        self.authors, self.members, self.titles, self.events = authors, members, titles, events
        self.labels = self._ids("labels")
        self.milestones = self._ids("milestones")
        self.favorites = rng.sample(self.labels, 3)

    def _ids(self, table: str) -> list[int]:
        return [row for (row,) in self.sql.execute(f"SELECT id FROM {table} WHERE project_id = ?", (self.project,))]

    def fill(self, kind: str, count: int) -> None:
        """So many of a kind, numbered by their days."""
        rng = self.rng
        days = sorted(rng.sample(range((self.now - FIRST_DAY).days - 4), count))
        for number, day in enumerate(days, start=1):
            created = FIRST_DAY + datetime.timedelta(days=day)
            title, source = self._title(kind)
            author = rng.choice(self.authors)
            old = (self.now - created).days > 200
            done = rng.random() < (0.65 if old else 0.25)
            state = "opened" if not done else rng.choice(("merged", "merged", "closed"))
            if kind == "issue" and done:
                state = "closed"
            row: tuple[object, ...] = (
                self.project,
                kind,
                number,
                title,
                " ".join(rng.sample(words.DETAILS, 2)),
                author,
            )
            row += (rng.choice(self.members) if rng.random() < 0.6 else None,)
            others = [user for user in self.members if user != author]
            row += (rng.choice(others) if kind != "issue" and others and rng.random() < 0.5 else None,)
            row += (rng.choice(self.milestones) if rng.random() < 0.5 else None, state, source)
            row += (self.branch if source else "",)
            item, last = self._id_of(kind, (*row, created.isoformat(), created.isoformat())), created
            self._event(author, created, "opened", kind, number, title)
            for _ in range(min(int(rng.expovariate(0.4)), 12)):
                last = min(last + datetime.timedelta(days=rng.randint(0, 9)), self.now - datetime.timedelta(days=1))
                writer = rng.choice(self.authors)
                self.sql.execute(COMMENT, (item, writer, last.isoformat(), rng.choice(words.REMARKS)))
                self._event(writer, last, "commented on", kind, number, title)
            self.sql.execute("UPDATE items SET updated_on = ? WHERE id = ?", (last.isoformat(), item))
            self._labels(item)
            if kind != "issue" and others and state != "closed" and rng.random() < (0.9 if state == "merged" else 0.2):
                self.sql.execute("INSERT INTO approvals VALUES (?, ?)", (item, rng.choice(others)))

    def _title(self, kind: str) -> tuple[str, str]:
        """A title that no project has yet, and a branch for a merge request."""
        rng = self.rng
        while True:
            component = rng.choice(words.COMPONENTS)
            if kind == "merge_request":
                title = f"{component} {rng.choice(words.WORKS)} {rng.choice(words.OCCASIONS)}"
            elif rng.random() < 0.3:
                title = f"{component} Needs {rng.choice(words.WISHES)}"
            else:
                title = f"{component} {rng.choice(words.FAILURES)} {rng.choice(words.OCCASIONS)}"
            if title not in self.titles:
                self.titles.add(title)
                slug = component.lower().replace(" ", "-")
                return title, "" if kind == "issue" else f"{slug}-{len(self.titles)}"

    def _id_of(self, kind: str, row: tuple[object, ...]) -> int:
        found = self.sql.execute(ITEM, row).lastrowid
        assert found is not None
        return found

    def _labels(self, item: int) -> None:
        """None to three; some go together often, so that two of them share a handful of items."""
        count = self.rng.choice((0, 1, 1, 1, 2, 2, 2, 3))
        pool = self.favorites if self.rng.random() < 0.65 else self.labels
        for label in self.rng.sample(pool, min(count, len(pool))):
            self.sql.execute("INSERT INTO item_labels VALUES (?, ?)", (item, label))

    def _event(self, user: int, day: datetime.date, action: str, kind: str, number: int, title: str) -> None:
        if user == ME:
            noun, folder = ("issue", "issues") if kind == "issue" else ("merge request", "merge_requests")
            path = f"/{self.path}/-/{folder}/{number}"
            self.events.append((day.isoformat(), self.project, f"{action} {noun}", title, path))
