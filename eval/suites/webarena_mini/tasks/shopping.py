"""All task templates of the shop."""

from __future__ import annotations

from eval.suites.webarena_mini.tasks import (
    shopping_account,
    shopping_cart,
    shopping_catalog,
    shopping_impossible,
    shopping_orders,
    shopping_reviews,
)
from eval.suites.webarena_mini.tasks.shop import Shop as World

BATCHES = (
    (
        *shopping_catalog.TEMPLATES,
        *shopping_reviews.TEMPLATES,
        *shopping_orders.TEMPLATES,
        *shopping_cart.TEMPLATES,
        *shopping_account.TEMPLATES,
        *shopping_impossible.TEMPLATES,
    ),
)
"""Later templates are a batch of their own, so that earlier tasks keep their ids."""

__all__ = ["BATCHES", "World"]
