"""Fills boards and posts."""

from __future__ import annotations

import datetime
import math
import random
import re
import sqlite3

from eval.suites.webarena_mini.reddit import vocabulary as words
from eval.suites.webarena_mini.shopping.world import build as build_shop

POST = """
INSERT INTO posts (forum_id, user_id, title, slug, url, body, votes, created_at, state)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
AGES = ((0.12, 0, 1), (0.1, 1, 7), (0.1, 7, 30), (0.28, 30, 365), (0.4, 365, 1200))
"""Share of posts, and how many days old they are at least and at most."""
DELETED = 0.11


def slug_of(title: str) -> str:
    """`is-a-used-tripod-worth-it`."""
    return "-".join(re.findall(r"[a-z0-9]+", title.lower()))[:60].strip("-") or "post"


def fill_boards(connection: sqlite3.Connection, rng: random.Random) -> None:
    """All boards in the order of their names; how many people read each is another number in each world."""
    boards = sorted((*words.BOARDS, words.SHOP_BOARD), key=lambda board: board.name)
    readers = rng.sample(range(40, 6000), len(boards))
    for number, (board, count) in enumerate(zip(boards, readers), start=1):
        created = datetime.date(2020, 1, 1) + datetime.timedelta(days=rng.randint(0, 360))
        row = (number, board.name, board.title, board.description, rng.choice(words.RULES), created.isoformat(), count)
        connection.execute("INSERT INTO forums VALUES (?, ?, ?, ?, ?, ?, ?)", row)


def fill_posts(connection: sqlite3.Connection, rng: random.Random, now: datetime.datetime) -> None:
    """14 to 34 posts a board, some of the last day; ids follow their times."""
    users = [user for (user,) in connection.execute("SELECT id FROM users WHERE id <> 1 ORDER BY id")]
    rng.shuffle(users)
    busy = [1 / (rank + 5) for rank in range(len(users))]
    forums = dict(connection.execute("SELECT name, id FROM forums"))
    made = []
    taken = set[tuple[str, int]]()
    for board in words.BOARDS:
        pairs = [(pattern, thing) for pattern in words.TITLES for thing in board.things]
        for pattern, thing in rng.sample(pairs, rng.randint(14, 34)):
            created = now - _age(rng)
            title = pattern.format(thing=thing)
            url = f"https://{rng.choice(words.SITES)}/{slug_of(thing)}/{rng.randrange(100, 9999)}"
            body = " ".join(rng.sample(words.BODIES, rng.choice((1, 2, 2, 3))))
            link = rng.random() < 0.25
            state = "deleted" if rng.random() < DELETED else "public"
            votes = _votes(rng, taken, board.name, young=now - created < datetime.timedelta(days=2))
            user = rng.choices(users, busy)[0]
            texts = (title, slug_of(title), url if link else "", "" if link else body)
            made.append((forums[board.name], user, *texts, votes, created.isoformat(" ", "minutes"), state))
    made.sort(key=lambda post: (post[7], post[0], post[2]))
    connection.executemany(POST, made)


def _votes(rng: random.Random, taken: set[tuple[str, int]], board: str, *, young: bool) -> int:
    """No two posts of a board have as many, and no two new ones: there is one best post, whoever votes once more.

    What is new had less time to be liked.
    """
    among = "new" if young else board
    votes = round(math.exp(rng.gauss(3.1, 1.2)) * (0.3 if young else 1)) // 3 * 3 - 1
    while (among, votes) in taken:
        votes += 3
    taken.add((among, votes))
    return votes


def _age(rng: random.Random) -> datetime.timedelta:
    _, least, most = rng.choices(AGES, [share for share, _, _ in AGES])[0]
    return datetime.timedelta(minutes=rng.randrange(least * 1440 + 20, most * 1440 - 20))


def fill_recommendations(connection: sqlite3.Connection, rng: random.Random, now: datetime.datetime, seed: int) -> None:
    """One board where people write about products of the shop of the same world: each product once, each person once,
    so that a person's product can be told. All are older than a day."""
    shop = sqlite3.connect(":memory:")
    shop.deserialize(build_shop(seed))
    stock = shop.execute("SELECT name, stock FROM products ORDER BY id").fetchall()
    shop.close()
    # a name that is a part of another could stand for both
    alone = [
        name for name, left in stock if left > 3 and sum(name in other or other in name for other, _ in stock) == 1
    ]
    users = [user for (user,) in connection.execute("SELECT id FROM users WHERE id <> 1 ORDER BY id")]
    forum = connection.execute("SELECT id FROM forums WHERE name = ?", (words.SHOP_BOARD.name,)).fetchone()[0]
    chosen = rng.sample(alone, 16)
    days = sorted(rng.sample(range(2, 700), len(chosen)), reverse=True)
    points = rng.sample(range(2, 150, 3), len(chosen))
    for number, (product, user, day) in enumerate(zip(chosen, rng.sample(users, len(chosen)), days)):
        pattern, body = rng.choice(words.COMPLAINTS if number % 4 == 3 else words.PRAISE)
        title = pattern.format(product=product)
        created = now - datetime.timedelta(days=day, minutes=rng.randrange(600))
        texts = (title, slug_of(title), "", body)
        connection.execute(POST, (forum, user, *texts, points[number], created.isoformat(" ", "minutes"), "public"))
