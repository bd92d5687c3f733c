"""The shopping cart: quantities count once "Update Cart" was pressed."""

from __future__ import annotations

from flask import Flask, Response, request

from eval.suites.webarena_mini.shopping import layout
from eval.suites.webarena_mini.site import db
from eval.suites.webarena_mini.site.layout import see

LINES = """
SELECT i.id, i.quantity, p.name, p.slug, p.sku, p.price_cents, p.stock, i.quantity * p.price_cents AS subtotal_cents
FROM cart_items i JOIN products p ON p.id = i.product_id ORDER BY i.id
"""


def cart() -> Response:
    """The lines as they are stored."""
    return _show([])


def _show(errors: list[str]) -> Response:
    lines = db.rows(LINES)
    total = sum(line["subtotal_cents"] for line in lines)
    return layout.page(
        "cart.html",
        "Shopping Cart",
        crumbs=[("Home", "/")],
        lines=lines,
        total=total,
        errors=errors,
        typed=request.form,
    )


def update() -> Response:
    """Stores all quantities, or removes the one line whose "Remove" was pressed."""
    lines = db.rows(LINES)
    removed = db.whole_number(request.form.get("remove"), 10**9)
    if "remove" in request.form:
        for line in lines:
            if line["id"] == removed:
                with db.connection() as connection:
                    connection.execute("DELETE FROM cart_items WHERE id = ?", (removed,))
                db.notice(f"{line['name']} was removed from your shopping cart.")
        return see("/cart")
    wanted, errors = [], []
    for line in lines:
        typed = request.form.get(f"qty-{line['id']}")
        if typed is None:
            continue
        quantity = db.whole_number(typed)
        if not quantity:
            errors.append(f"The quantity of {line['name']} must be a whole number of at least 1.")
        elif quantity > line["stock"]:
            errors.append(f"The requested quantity of {line['name']} is not available: {line['stock']} in stock.")
        else:
            wanted.append((quantity, line["id"]))
    if errors:
        return _show(errors)
    with db.connection() as connection:
        connection.executemany("UPDATE cart_items SET quantity = ? WHERE id = ?", wanted)
    db.notice("Your shopping cart was updated.")
    return see("/cart")


def register(app: Flask) -> None:
    """Adds the pages."""
    app.add_url_rule("/cart", "cart", cart)
    app.add_url_rule("/cart", "update_cart", update, methods=["POST"])
