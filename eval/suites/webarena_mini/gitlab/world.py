"""The code host's world: `build(seed)` gives a serialized SQLite database, the same bytes for the same seed."""

from __future__ import annotations

import datetime
import random
import sqlite3
from functools import lru_cache, partial
from pathlib import Path

from eval.suites.webarena_mini.gitlab.world_code import fill_code
from eval.suites.webarena_mini.gitlab.world_items import fill_items
from eval.suites.webarena_mini.gitlab.world_projects import fill_projects, fill_users
from eval.suites.webarena_mini.site.world import serialized

NOW = datetime.date(2024, 6, 15)
"""Today, in every world."""

SCHEMA = Path(__file__).with_name("schema.sql")


@lru_cache(maxsize=8)
def build(seed: int) -> bytes:
    """The world of a seed as a serialized database. Other seeds have other projects, people and counts."""
    return serialized(SCHEMA, partial(_fill, seed))


def _fill(seed: int, connection: sqlite3.Connection) -> None:
    values = {"seed": str(seed), "now": NOW.isoformat(), "me": "1"}
    connection.executemany("INSERT INTO world VALUES (?, ?)", values.items())
    # Each part draws from its own generator, so that a change in one leaves the others as they are.
    fill_users(connection, random.Random(f"gitlab users {seed}"))
    fill_projects(connection, random.Random(f"gitlab projects {seed}"), NOW)
    fill_code(connection, random.Random(f"gitlab code {seed}"), NOW)
    fill_items(connection, random.Random(f"gitlab items {seed}"), NOW)
