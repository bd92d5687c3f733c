"""The shop as a WSGI application, made once per process.

It keeps no state: the database of the attempt is in `environ["site.db"]`, and the customer is always the same one.
To look at it in a browser: `python -m eval.suites.webarena_mini.shopping.app`.
"""

from __future__ import annotations

import sqlite3

from flask import Flask, Response
from werkzeug.exceptions import HTTPException

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


def create_app() -> Flask:
    """The site. Every request needs `environ["site.db"]`, an open sqlite3 connection."""
    app = Flask("harbor_pine", root_path=str(layout.FOLDER), static_folder=None)
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


def main(seed: int = 0, port: int = 8099) -> None:
    """Serves one copy of a world on the loopback address, for a person to look at."""
    from werkzeug.serving import run_simple

    from eval.suites.webarena_mini.shopping.world import build

    database = sqlite3.connect(":memory:", check_same_thread=False)
    database.deserialize(build(seed))
    app = create_app()
    run_simple("127.0.0.1", port, lambda environ, start: app.wsgi_app({**environ, "site.db": database}, start))


if __name__ == "__main__":
    main()
