"""The back office's world: `build(seed)` gives a serialized SQLite database, the same bytes for the same seed."""

from __future__ import annotations

import datetime
import random
import sqlite3
from functools import lru_cache, partial
from pathlib import Path

from eval.suites.webarena_mini.shopping_admin.vocabulary import ADMINS
from eval.suites.webarena_mini.shopping_admin.world_goods import fill_coupons, fill_products, fill_searches
from eval.suites.webarena_mini.shopping_admin.world_people import fill_customers, fill_reviews
from eval.suites.webarena_mini.shopping_admin.world_sales import fill_orders
from eval.suites.webarena_mini.site.world import serialized

NOW = datetime.date(2024, 6, 15)
"""Today, in every world."""

LEFT_FILTERS = (("products", "status", "Enabled"), ("customers", "group", "General"))
"""Grid, field, value: filters that somebody applied before and did not clear."""

SCHEMA = Path(__file__).with_name("schema.sql")


@lru_cache(maxsize=8)
def build(seed: int) -> bytes:
    """The world of a seed as a serialized database. Other seeds have other names, prices and counts."""
    return serialized(SCHEMA, partial(_fill, seed))


def _fill(seed: int, connection: sqlite3.Connection) -> None:
    values = {
        "seed": str(seed),
        "now": NOW.isoformat(),
        "shop_name": "Harbor & Pine",
        "admin_name": random.Random(f"admin {seed}").choice(ADMINS),
    }
    connection.executemany("INSERT INTO world VALUES (?, ?)", values.items())
    connection.executemany("INSERT INTO grid_filters VALUES (?, ?, ?)", LEFT_FILTERS)
    # Each part draws from its own generator, so that a change in one leaves the others as they are.
    fill_products(connection, random.Random(f"admin products {seed}"))
    fill_reviews(connection, random.Random(f"admin reviews {seed}"), NOW)
    fill_customers(connection, random.Random(f"admin customers {seed}"))
    fill_coupons(connection, random.Random(f"admin coupons {seed}"), NOW)
    fill_orders(connection, random.Random(f"admin orders {seed}"), NOW)
    fill_searches(connection, random.Random(f"admin searches {seed}"), NOW)
