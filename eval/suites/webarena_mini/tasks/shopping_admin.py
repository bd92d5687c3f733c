"""All task templates of the back office."""

from __future__ import annotations

from eval.suites.webarena_mini.tasks import (
    shopping_admin_grids,
    shopping_admin_impossible,
    shopping_admin_open,
    shopping_admin_orders,
    shopping_admin_reports,
    shopping_admin_sums,
    shopping_admin_upkeep,
)
from eval.suites.webarena_mini.tasks.shopping_admin_view import Office as World

FIRST_ID = 1000
"""The number of the first task. Each site has a thousand numbers to itself."""

CONVENTIONS = {
    "A1": 'reports take dates as MM/DD/YYYY and leave out the day of "To"',
    "A2": 'filters of a list apply on "Search" only and then stay until "Clear filters"',
    "A3": "New, Pending, Closed are what the shop calls Pending, Processing, Complete",
    "A4": 'mass actions take the ticked rows of the visible page; "Select All" ticks these',
    "A5": 'edits count on "Save", mass actions on "Submit" and "Confirm"',
    "A6": "bestsellers count invoiced units by the day of the order, the list of products ordered ones",
    "FA1": "date filters of lists include the last day (unlike those of reports)",
    "FA2": "filters of coupons apply at once and are gone at the next visit (unlike those of other lists)",
}
"""What the back office does without saying so: who does not know it gets a wrong number or changes nothing.

Those with an F are false friends: what looks like another needs the opposite.
"""

BATCHES = (
    (
        *shopping_admin_reports.TEMPLATES,
        *shopping_admin_orders.TEMPLATES,
        *shopping_admin_grids.TEMPLATES,
        *shopping_admin_open.TEMPLATES,
        *shopping_admin_impossible.TEMPLATES,
    ),
    (*shopping_admin_sums.TEMPLATES, *shopping_admin_upkeep.TEMPLATES),
)
"""Later templates are a batch of their own, so that earlier tasks keep their ids."""

__all__ = ["BATCHES", "CONVENTIONS", "FIRST_ID", "World"]
