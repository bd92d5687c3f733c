"""Fills comments, nested, with a few deleted ones."""

from __future__ import annotations

import datetime
import random
import sqlite3

from eval.suites.webarena_mini.reddit import vocabulary as words
from eval.suites.webarena_mini.reddit.world_people import ME

COMMENT = "INSERT INTO comments VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
SIZES = (0, 1, 2, 3, 3, 4, 5, 6, 7, 8, 9, 11, 13, 16, 20, 28)
DEEPEST = 4
CROWD = (84, 104)


def fill_comments(connection: sqlite3.Connection, rng: random.Random, now: datetime.datetime) -> None:
    """0 to 28 comments a post, and a few with a crowd. Some were deleted; the post's counter still has those."""
    users = [user for (user,) in connection.execute("SELECT id FROM users WHERE id <> 1 ORDER BY id")]
    posts = connection.execute("SELECT id, created_at, user_id FROM posts ORDER BY id").fetchall()
    crowded = set(rng.sample([post for post, _, _ in posts], 12))
    number = 0
    for post, created, author in posts:
        started = datetime.datetime.fromisoformat(created)
        span = min((now - started).total_seconds() / 60 - 5, 9 * 1440)
        count = rng.randint(*CROWD) if post in crowded else rng.choice(SIZES)
        count += 2 if author == ME else 0
        minutes = sorted(rng.uniform(1, span) for _ in range(count))
        quarrel = rng.random() < 0.45
        made: list[tuple[int, int]] = []
        for at in minutes:
            number += 1
            parent, depth = None, 0
            if made and rng.random() < 0.45:
                parent, depth = rng.choice(made)
                depth += 1
            if depth < DEEPEST:
                made.append((number, depth))
            user = ME if rng.random() < 0.003 else rng.choice(users)
            deleted = int(quarrel and rng.random() < 0.2)
            body = f"{rng.choice(words.COMMENTS)} {rng.choice(words.TAILS)}".strip()
            written = started + datetime.timedelta(minutes=int(at) + 1)
            votes = round(rng.gauss(3, 4))
            row = (number, post, parent, user, body, votes, written.isoformat(" ", "minutes"), deleted)
            connection.execute(COMMENT, row)
        connection.execute("UPDATE posts SET comments_ever = ? WHERE id = ?", (count, post))
