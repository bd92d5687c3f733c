"""The forum's database as templates see it: plain records, and the world's rules stated apart from the pages."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import cached_property

SITE = "__REDDIT__"
SPANS = {"day": timedelta(days=1), "week": timedelta(days=7)}
MONTHS = {"month": 1, "year": 12}


@dataclass(frozen=True)
class Forum:
    """A board. `gone` posts were deleted."""

    id: int
    name: str
    title: str
    readers: int
    subscribed: bool
    gone: int
    founded: date

    @property
    def url(self) -> str:
        """The address of its list."""
        return f"{SITE}/f/{self.name}"


@dataclass(frozen=True)
class Comment:
    """A comment, deleted or not."""

    id: int
    post: int
    author: str
    body: str
    score: int
    at: datetime
    deleted: bool


@dataclass(frozen=True)
class Post:
    """A post that can be seen."""

    id: int
    forum: str
    author: str
    title: str
    url: str
    """Where it links to; empty for a text."""
    score: int
    vote: int
    at: datetime

    @property
    def page(self) -> str:
        """Its address, as short as it can be."""
        return f"{SITE}/f/{self.forum}/{self.id}"


@dataclass(frozen=True)
class Person:
    """Somebody who writes."""

    name: str
    joined: str


class Town:
    """One world's forum, read once from a connection."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._sql = connection
        facts = dict(connection.execute("select key, value from world"))
        self.now = datetime.fromisoformat(facts["now"])
        self.me = str(connection.execute("select name from users where id = ?", (facts["user"],)).fetchone()[0])

    @cached_property
    def forums(self) -> dict[str, Forum]:
        """All boards by name."""
        mine = {forum for (forum,) in self._sql.execute("select forum_id from subscriptions")}
        gone = dict(self._sql.execute("select forum_id, count(*) from posts where state = 'deleted' group by 1"))
        rows = self._sql.execute("select id, name, title, subscribers, created_on from forums order by id")
        return {
            name: Forum(
                key, name, title, readers + (key in mine), key in mine, gone.get(key, 0), date.fromisoformat(made)
            )
            for key, name, title, readers, made in rows
        }

    @cached_property
    def people(self) -> dict[str, Person]:
        """All who write, by name."""
        rows = self._sql.execute("select name, joined_on from users order by id")
        return {row[0]: Person(*row) for row in rows}

    @cached_property
    def posts(self) -> list[Post]:
        """All posts that can be seen, newest first."""
        votes = dict(self._sql.execute("select post_id, value from post_votes"))
        rows = self._sql.execute(
            "select p.id, f.name, u.name, p.title, p.url, p.votes, p.created_at from posts p"
            " join forums f on f.id = p.forum_id join users u on u.id = p.user_id"
            " where p.state = 'public' order by p.created_at desc, p.id desc"
        )
        return [
            Post(*(*row[:5], row[5] + votes.get(row[0], 0), votes.get(row[0], 0), datetime.fromisoformat(row[6])))
            for row in rows
        ]

    @cached_property
    def comments(self) -> dict[int, list[Comment]]:
        """The comments of each post that can be seen."""
        found: dict[int, list[Comment]] = {post.id: [] for post in self.posts}
        for row in self._sql.execute(
            "select c.id, c.post_id, u.name, c.body, c.votes, c.created_at, c.deleted from comments c"
            " join users u on u.id = c.user_id order by c.created_at, c.id"
        ):
            if row[1] in found:
                found[row[1]].append(Comment(*(*row[:5], datetime.fromisoformat(row[5]), bool(row[6]))))
        return found

    @cached_property
    def next_post(self) -> int:
        """The number that a new post gets."""
        return int(self._sql.execute("select max(id) from posts").fetchone()[0]) + 1

    def living(self, post: Post) -> int:
        """How many comments can be read."""
        return sum(not comment.deleted for comment in self.comments[post.id])

    def counted(self, post: Post) -> int:
        """How many comments were ever written."""
        return len(self.comments[post.id])

    def within(self, posts: list[Post], span: str) -> list[Post]:
        """Posts of the last day, week, month or year; `all` leaves none out."""
        if span == "all":
            return posts
        since = self.now - SPANS[span] if span in SPANS else self._months_ago(MONTHS[span])
        return [post for post in posts if post.at > since]

    def _months_ago(self, months: int) -> datetime:
        year, month = divmod(self.now.year * 12 + self.now.month - 1 - months, 12)
        return self.now.replace(year=year, month=month + 1)

    def of(self, forum: Forum) -> list[Post]:
        """A board's posts, newest first."""
        return [post for post in self.posts if post.forum == forum.name]

    def read(self) -> list[Post]:
        """The posts of the boards that the person is subscribed to."""
        return [post for post in self.posts if self.forums[post.forum].subscribed]

    def some(self, rng: random.Random) -> Iterator[Forum]:
        """Boards in a drawn order; the one about the shop is left to tasks of its own."""
        found = [forum for forum in self.forums.values() if forum.name != "goodbuys"]
        yield from rng.sample(found, len(found))

    def drawn(self, rng: random.Random) -> list[Post]:
        """Others' posts in a drawn order, without those about the shop."""
        found = [post for post in self.posts if post.forum != "goodbuys" and post.author != self.me]
        return rng.sample(found, len(found))

    def written(self, author: str) -> list[Comment]:
        """What somebody said under posts that can be seen."""
        return [
            comment
            for comments in self.comments.values()
            for comment in comments
            if comment.author == author and not comment.deleted
        ]


def best(posts: list[Post]) -> Post | None:
    """The one with the most points; None where two have them."""
    ranked = sorted(posts, key=lambda post: -post.score)
    return ranked[0] if ranked and (len(ranked) == 1 or ranked[0].score > ranked[1].score) else None
