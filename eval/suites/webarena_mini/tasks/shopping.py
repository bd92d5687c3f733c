"""All task templates of the shop."""

from __future__ import annotations

import sqlite3

from eval.suites.webarena_mini.tasks import (
    shopping_account,
    shopping_cart,
    shopping_catalog,
    shopping_impossible,
    shopping_orders,
    shopping_reviews,
)
from eval.suites.webarena_mini.tasks.base import SuiteTask, make_tasks
from eval.suites.webarena_mini.tasks.shop import Shop

TEMPLATES = (
    *shopping_catalog.TEMPLATES,
    *shopping_reviews.TEMPLATES,
    *shopping_orders.TEMPLATES,
    *shopping_cart.TEMPLATES,
    *shopping_account.TEMPLATES,
    *shopping_impossible.TEMPLATES,
)


def tasks(database: bytes, world_seed: int, first_id: int) -> list[SuiteTask]:
    """The shop's tasks in one world, given as a serialized database."""
    connection = sqlite3.connect(":memory:")
    try:
        connection.deserialize(database)
        return make_tasks(TEMPLATES, Shop(connection), world_seed, first_id)
    finally:
        connection.close()
