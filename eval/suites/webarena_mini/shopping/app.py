"""The shop, whose customer is always the same one.

To look at it in a browser: `python -m eval.suites.webarena_mini.site.serve shopping`.
"""

from __future__ import annotations

from pathlib import Path

from flask import Flask

from eval.suites.webarena_mini.labels import Words
from eval.suites.webarena_mini.shopping import (
    layout,
    pages_account,
    pages_addresses,
    pages_cart,
    pages_catalog,
    pages_checkout,
    pages_home,
    pages_letters,
    pages_product,
    pages_wishlist,
)
from eval.suites.webarena_mini.site.app import site_app

PAGES = (
    pages_home,
    pages_catalog,
    pages_product,
    pages_cart,
    pages_checkout,
    pages_account,
    pages_addresses,
    pages_wishlist,
    pages_letters,
)


def create_app(words: Words | None = None) -> Flask:
    """The site, with other words in its second design."""
    return site_app(Path(__file__).parent, pages=PAGES, page=layout.page, filters=layout.FILTERS, words=words)
