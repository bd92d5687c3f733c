"""All task templates of the back office."""

from __future__ import annotations

import sqlite3

from eval.suites.webarena_mini.tasks import (
    shopping_admin_grids,
    shopping_admin_impossible,
    shopping_admin_orders,
    shopping_admin_reports,
)
from eval.suites.webarena_mini.tasks.base import SuiteTask, make_tasks
from eval.suites.webarena_mini.tasks.office import Office

TEMPLATES = (
    *shopping_admin_reports.TEMPLATES,
    *shopping_admin_orders.TEMPLATES,
    *shopping_admin_grids.TEMPLATES,
    *shopping_admin_impossible.TEMPLATES,
)


def tasks(database: bytes, world_seed: int, first_id: int) -> list[SuiteTask]:
    """The back office's tasks in one world, given as a serialized database."""
    connection = sqlite3.connect(":memory:")
    try:
        connection.deserialize(database)
        return make_tasks(TEMPLATES, Office(connection), world_seed, first_id)
    finally:
        connection.close()
