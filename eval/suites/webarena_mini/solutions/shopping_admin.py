"""Known solutions of the back office's templates, by template name."""

from __future__ import annotations

from eval.suites.webarena_mini.solutions import (
    shopping_admin_grids,
    shopping_admin_open,
    shopping_admin_orders,
    shopping_admin_reports,
    shopping_admin_sums,
    shopping_admin_upkeep,
)
from eval.suites.webarena_mini.solutions.driver import Solution

SOLUTIONS: dict[str, Solution] = {
    **shopping_admin_reports.SOLUTIONS,
    **shopping_admin_orders.SOLUTIONS,
    **shopping_admin_grids.SOLUTIONS,
    **shopping_admin_open.SOLUTIONS,
    **shopping_admin_sums.SOLUTIONS,
    **shopping_admin_upkeep.SOLUTIONS,
}
