"""The forum's world: `build(seed)` gives a serialized SQLite database, the same bytes for the same seed."""

from __future__ import annotations

import datetime
import random
import sqlite3
from functools import lru_cache, partial
from pathlib import Path

from eval.suites.webarena_mini.reddit.world_comments import fill_comments
from eval.suites.webarena_mini.reddit.world_people import fill_letters, fill_own, fill_people
from eval.suites.webarena_mini.reddit.world_posts import fill_boards, fill_posts, fill_recommendations
from eval.suites.webarena_mini.site.world import serialized

NOW = datetime.datetime(2024, 6, 15, 18, 0)
"""The time, in every world."""

SCHEMA = Path(__file__).with_name("schema.sql")


@lru_cache(maxsize=8)
def build(seed: int) -> bytes:
    """The world of a seed as a serialized database. Other seeds have other people, posts and numbers.

    One board talks about products of the shop of the same seed.
    """
    return serialized(SCHEMA, partial(_fill, seed))


def _fill(seed: int, connection: sqlite3.Connection) -> None:
    connection.executemany(
        "INSERT INTO world VALUES (?, ?)", {"seed": str(seed), "now": NOW.isoformat(" ", "minutes")}.items()
    )
    # Each part draws from its own generator, so that a change in one leaves the others as they are.
    fill_people(connection, random.Random(f"forum people {seed}"), NOW)
    fill_boards(connection, random.Random(f"forum boards {seed}"))
    fill_posts(connection, random.Random(f"forum posts {seed}"), NOW)
    fill_recommendations(connection, random.Random(f"forum buys {seed}"), NOW, seed)
    fill_own(connection, random.Random(f"forum own {seed}"))
    fill_comments(connection, random.Random(f"forum comments {seed}"), NOW)
    fill_letters(connection, random.Random(f"forum letters {seed}"), NOW)
