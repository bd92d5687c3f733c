"""All task templates of the shop."""

from __future__ import annotations

from eval.suites.webarena_mini.tasks import (
    shopping_account,
    shopping_cart,
    shopping_catalog,
    shopping_impossible,
    shopping_open,
    shopping_orders,
    shopping_reviews,
)
from eval.suites.webarena_mini.tasks.shopping_view import Shop as World

FIRST_ID = 0
"""The number of the first task. Each site has a thousand numbers to itself."""

CONVENTIONS = {
    "C1": "search wants every word in name or brand",
    "C2": "in a category, sorting drops the filter",
    "C3": "totals exclude canceled orders",
    "C4": "more reviews repeat the first ones",
    "C5": "edits need a confirmation",
    "C6": "order dates begin with the day",
    "F1": "in search results, refining drops the sort (unlike a category, where sorting drops the filter)",
    "F2": "numbers of orders include canceled ones (unlike totals)",
    "F3": "the wish list's further lines repeat nothing (unlike further reviews)",
    "F4": "review dates begin with the month (unlike order dates)",
}
"""What the shop does without saying so.

Those with an F are false friends: what looks like another needs the opposite.
"""

BATCHES = (
    (
        *shopping_catalog.TEMPLATES,
        *shopping_reviews.TEMPLATES,
        *shopping_orders.TEMPLATES,
        *shopping_cart.TEMPLATES,
        *shopping_account.TEMPLATES,
        *shopping_open.TEMPLATES,
        *shopping_impossible.TEMPLATES,
    ),
)
"""Later templates are a batch of their own, so that earlier tasks keep their ids."""

__all__ = ["BATCHES", "CONVENTIONS", "FIRST_ID", "World"]
