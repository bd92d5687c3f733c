"""The shop's world: `build(seed)` gives a serialized SQLite database, the same bytes for the same seed everywhere.

Each attempt deserializes its own copy:

    connection = sqlite3.connect(":memory:")
    connection.deserialize(build(seed))
"""

from __future__ import annotations

import datetime
import random
import sqlite3
from functools import lru_cache, partial
from pathlib import Path

from eval.suites.webarena_mini.shopping.world_account import fill_account
from eval.suites.webarena_mini.shopping.world_catalog import fill_catalog
from eval.suites.webarena_mini.shopping.world_terms import fill_terms
from eval.suites.webarena_mini.site.world import serialized

NOW = datetime.date(2024, 6, 15)
"""Today, in every world."""

SCHEMA = Path(__file__).with_name("schema.sql")


@lru_cache(maxsize=8)
def build(seed: int) -> bytes:
    """The world of a seed as a serialized database of about 1 MB. Other seeds have other names, prices and counts."""
    return serialized(SCHEMA, partial(_fill, seed))


def _fill(seed: int, connection: sqlite3.Connection) -> None:
    _fill_world(connection, seed)
    # Each part draws from its own generator, so that a change in one leaves the others as they are.
    fill_catalog(connection, random.Random(f"catalog {seed}"), NOW)
    fill_account(connection, random.Random(f"account {seed}"), NOW)
    fill_terms(connection, random.Random(f"terms {seed}"))


def _fill_world(connection: sqlite3.Connection, seed: int) -> None:
    rng = random.Random(f"world {seed}")
    opening, closing = rng.choice((8, 9, 10)), rng.choice((5, 6, 7))
    values = {
        "seed": str(seed),
        "now": NOW.isoformat(),
        "shop_name": "Harbor & Pine",
        "return_days": str(rng.choice((14, 21, 30, 45, 60))),
        "restocking_fee_percent": str(rng.choice((5, 8, 10, 12, 15))),
        "support_phone": f"555-01{rng.randrange(10, 99)}",
        "support_hours": f"{opening} am to {closing} pm",
        "founded": str(rng.randrange(1968, 2006)),
    }
    connection.executemany("INSERT INTO world VALUES (?, ?)", values.items())
