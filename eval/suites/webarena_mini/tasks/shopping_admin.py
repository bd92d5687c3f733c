"""All task templates of the back office."""

from __future__ import annotations

from eval.suites.webarena_mini.tasks import (
    shopping_admin_grids,
    shopping_admin_impossible,
    shopping_admin_orders,
    shopping_admin_reports,
    shopping_admin_sums,
    shopping_admin_upkeep,
)
from eval.suites.webarena_mini.tasks.office import Office as World

BATCHES = (
    (
        *shopping_admin_reports.TEMPLATES,
        *shopping_admin_orders.TEMPLATES,
        *shopping_admin_grids.TEMPLATES,
        *shopping_admin_impossible.TEMPLATES,
    ),
    (*shopping_admin_sums.TEMPLATES, *shopping_admin_upkeep.TEMPLATES),
)
"""Later templates are a batch of their own, so that earlier tasks keep their ids."""

__all__ = ["BATCHES", "World"]
