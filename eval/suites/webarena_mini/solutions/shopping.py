"""All known solutions of the shop's templates, by template name."""

from __future__ import annotations

from eval.suites.webarena_mini.solutions import (
    shopping_account,
    shopping_cart,
    shopping_catalog,
    shopping_open,
    shopping_orders,
    shopping_reviews,
)
from eval.suites.webarena_mini.solutions.driver import Solution

SOLUTIONS: dict[str, Solution] = {
    **shopping_catalog.SOLUTIONS,
    **shopping_open.SOLUTIONS,
    **shopping_reviews.SOLUTIONS,
    **shopping_orders.SOLUTIONS,
    **shopping_cart.SOLUTIONS,
    **shopping_account.SOLUTIONS,
}
