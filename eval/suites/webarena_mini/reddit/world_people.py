"""Fills people, what the signed-in person has to do with boards and posts, and letters."""

from __future__ import annotations

import datetime
import random
import sqlite3

from eval.suites.webarena_mini.reddit import vocabulary as words

ME = 1
"""The signed-in person's row."""
MESSAGE = "INSERT INTO messages (user_id, sent, subject, body, created_at) VALUES (?, ?, ?, ?, ?)"


def fill_people(connection: sqlite3.Connection, rng: random.Random, now: datetime.datetime) -> None:
    """About 70 people who joined before the first post."""
    names = [f"{first}{second}" for first in words.FIRST for second in words.SECOND]
    for number, name in enumerate(rng.sample(names, rng.randint(64, 76)), start=1):
        joined = datetime.date(2021, 1, 1) - datetime.timedelta(days=rng.randint(1, 900))
        row = (number, f"{name}{rng.randrange(10, 99)}", joined.isoformat(), rng.choice(words.BIOGRAPHIES))
        connection.execute("INSERT INTO users VALUES (?, ?, ?, ?)", row)
    connection.execute("INSERT INTO world VALUES ('user', ?)", (str(ME),))


def fill_own(connection: sqlite3.Connection, rng: random.Random) -> None:
    """The person's posts, subscriptions and votes."""
    forums = [forum for (forum,) in connection.execute("SELECT id FROM forums ORDER BY id")]
    for forum in sorted(rng.sample(forums, 8)):
        connection.execute("INSERT INTO subscriptions VALUES (?)", (forum,))
    public = "SELECT id FROM posts WHERE state = 'public' AND url = '' AND created_at < '2024-06-01' ORDER BY id"
    posts = [post for (post,) in connection.execute(public)]
    own = sorted(rng.sample(posts, 9))
    for post in own:
        connection.execute("UPDATE posts SET user_id = ? WHERE id = ?", (ME, post))
    for post in sorted(rng.sample([post for post in posts if post not in own], 14)):
        connection.execute("INSERT INTO post_votes VALUES (?, ?)", (post, rng.choice((1, 1, 1, -1))))


def fill_letters(connection: sqlite3.Connection, rng: random.Random, now: datetime.datetime) -> None:
    """A few messages from others, the oldest first."""
    people = [user for (user,) in connection.execute("SELECT id FROM users WHERE id <> ? ORDER BY id", (ME,))]
    letters = rng.sample(words.LETTERS, 3)
    days = sorted((rng.randint(2, 300) for _ in letters), reverse=True)
    for user, (subject, body), day in zip(rng.sample(people, 3), letters, days):
        written = now - datetime.timedelta(days=day, minutes=rng.randrange(1200))
        connection.execute(MESSAGE, (user, 0, subject, body, written.isoformat(" ", "minutes")))
