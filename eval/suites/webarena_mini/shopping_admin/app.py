"""The back office as a WSGI application, made once per process.

It keeps no state: the database of the attempt is in `environ["site.db"]`, and the same person is always signed in.
To look at it in a browser: `python -m eval.suites.webarena_mini.shopping_admin.app`.

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

import sqlite3

from flask import Flask, Response
from werkzeug.exceptions import HTTPException

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


def create_app() -> Flask:
    """The site. Every request needs `environ["site.db"]`, an open sqlite3 connection."""
    app = Flask("harbor_pine_admin", root_path=str(layout.FOLDER), static_folder=None)
    app.config["MAX_CONTENT_LENGTH"] = 1_000_000
    layout.prepare(app)
    for pages in PAGES:
        pages.register(app)
    app.register_error_handler(HTTPException, _failed)
    return app


def _failed(error: HTTPException) -> Response:
    """A page for what does not exist or is not allowed, with the way back."""
    code = error.code or 500
    if code == 404:
        return layout.page("error.html", "Page not found", status=404, text="The page you requested was not found.")
    return layout.page("error.html", error.name, status=code, text=error.description or error.name)


def main(seed: int = 0, port: int = 8098) -> None:
    """Serves one copy of a world on the loopback address, for a person to look at."""
    from werkzeug.serving import run_simple

    from eval.suites.webarena_mini.shopping_admin.world import build

    database = sqlite3.connect(":memory:", check_same_thread=False)
    database.deserialize(build(seed))
    app = create_app()
    run_simple("127.0.0.1", port, lambda environ, start: app.wsgi_app({**environ, "site.db": database}, start))


if __name__ == "__main__":
    main()
