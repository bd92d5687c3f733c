"""The back office, where the same person is always signed in.

To look at it in a browser: `python -m eval.suites.webarena_mini.site.serve shopping_admin`.

What it does without saying so is listed as CONVENTIONS in `tasks/shopping_admin.py`, A1 to A6 and their false friends.
To A2: a sort or page link forgets what is typed and not applied; a world starts with one filter applied on the
products and one on the customers (`world.LEFT_FILTERS`). Enter in a filter's field is the same as "Search".
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
