"""The wish list: 8 entries, then 8 more at a time; the same product twice is two entries."""

from __future__ import annotations

from flask import Flask, Response, abort

from eval.suites.webarena_mini.shopping import layout
from eval.suites.webarena_mini.shopping.pages_product import add
from eval.suites.webarena_mini.site import db
from eval.suites.webarena_mini.site.layout import see

BATCH = 8
ENTRIES = """
SELECT w.id, w.note, w.added_on, p.id AS product_id, p.name, p.slug, p.price_cents, p.stock
FROM wishlist_items w JOIN products p ON p.id = w.product_id ORDER BY w.added_on DESC, w.id DESC LIMIT ?
"""
ENTRY = """
SELECT w.id, p.id AS product_id, p.name, p.stock
FROM wishlist_items w JOIN products p ON p.id = w.product_id WHERE w.id = ?
"""


def wishlist() -> Response:
    """Newest entries first."""
    total = int(db.value("SELECT count(*) FROM wishlist_items"))
    last = max(1, -(-total // BATCH))
    batch = db.page_number("batches", last)
    return layout.page(
        "wishlist.html",
        "My Wish List",
        crumbs=[("Home", "/"), ("My Account", "/account")],
        entries=db.rows(ENTRIES, batch * BATCH),
        total=total,
        more=db.link("/account/wishlist", batches=batch + 1) if batch < last else "",
    )


def remove(entry: str) -> Response:
    """Takes one entry off; its twin stays."""
    found = db.row(ENTRY, db.whole_number(entry, 10**9))
    if found is None:
        abort(404)
    with db.connection() as connection:
        connection.execute("DELETE FROM wishlist_items WHERE id = ?", (found["id"],))
    db.notice(f"{found['name']} has been removed from your Wish List.")
    return see("/account/wishlist")


def to_cart(entry: str) -> Response:
    """Puts one piece into the cart; the entry stays."""
    found = db.row(ENTRY, db.whole_number(entry, 10**9))
    if found is None:
        abort(404)
    error = add(found["product_id"], found["name"], found["stock"], 1)
    db.notice(error or f"You added {found['name']} to your shopping cart.")
    return see("/account/wishlist")


def register(app: Flask) -> None:
    """Adds the pages."""
    app.add_url_rule("/account/wishlist", "wishlist", wishlist)
    app.add_url_rule("/account/wishlist/<entry>/remove", "remove_wish", remove, methods=["POST"])
    app.add_url_rule("/account/wishlist/<entry>/cart", "wish_to_cart", to_cart, methods=["POST"])
