"""The back office, where the same person is always signed in.

To look at it in a browser: `python -m eval.suites.webarena_mini.site.serve shopping_admin`.

What it does without saying so. Whoever does not know it gets a wrong number or changes nothing.

| code | convention | the naive way |
|---|---|---|
| A1 | reports take dates as MM/DD/YYYY and leave out the day of "To" | the last day of the span as "To" |
| A2 | filters apply on "Search" only and then stay until "Clear filters" | sorting at once; counting what is filtered |
| A3 | New, Pending, Closed: the customer's Pending, Processing, Complete | "Pending" in the customer's sense |
| A4 | mass actions take the visible page's ticked rows, "Select All" ticks these | once for all pages |
| A5 | forms count on "Save", mass actions on "Submit" and "Confirm" | leaving after the first of them |
| A6 | bestsellers count invoiced units, by the day of the order | "Sold" in the products grid: ordered units |

To A2: a sort or page link forgets what is typed and not applied; a world starts with one filter applied on the
products and one on the customers (`world.LEFT_FILTERS`). Enter in a filter's field is the same as "Search".

The same words with the opposite procedure:

| code | false friend |
|---|---|
| FA1 | the date filter of a grid holds its last day (opposite of A1) |
| FA2 | filters of the coupons have no "Search": links apply at once, the field by Enter; gone at the next visit (A2) |
"""

from __future__ import annotations

from pathlib import Path

from flask import Flask

from eval.suites.webarena_mini.labels import Words
from eval.suites.webarena_mini.shopping_admin import (
    layout,
    pages_coupons,
    pages_customers,
    pages_home,
    pages_orders,
    pages_parcels,
    pages_products,
    pages_reports,
    pages_reviews,
)
from eval.suites.webarena_mini.site.app import site_app

PAGES = (
    pages_home,
    pages_orders,
    pages_parcels,
    pages_products,
    pages_customers,
    pages_coupons,
    pages_reviews,
    pages_reports,
)


def create_app(words: Words | None = None) -> Flask:
    """The site, with other words in its second design."""
    return site_app(Path(__file__).parent, pages=PAGES, page=layout.page, filters=layout.FILTERS, words=words)
