"""Checkout in two steps: choose address and shipping, then review and place the order."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass

from flask import Flask, Response, request

from eval.suites.webarena_mini.shopping import layout
from eval.suites.webarena_mini.shopping.pages_cart import LINES
from eval.suites.webarena_mini.shopping.vocabulary import SHIPPING_METHODS
from eval.suites.webarena_mini.site import db
from eval.suites.webarena_mini.site.layout import see

ADDRESSES = "SELECT * FROM addresses ORDER BY is_default DESC, id"
NEXT_NUMBER = "SELECT printf('%09d', coalesce(max(CAST(number AS INTEGER)), 0) + 1) FROM orders"
NEW_ORDER = "INSERT INTO orders (number, placed_on, status, shipping_cents, address_id) VALUES (?, ?, 'Pending', ?, ?)"
MOVE_LINES = """
INSERT INTO order_items (order_id, product_id, name, quantity, price_cents)
SELECT ?, p.id, p.name, i.quantity, p.price_cents FROM cart_items i JOIN products p ON p.id = i.product_id ORDER BY i.id
"""
TAKE_STOCK = """
UPDATE products SET stock = max(0, stock - (SELECT quantity FROM cart_items i WHERE i.product_id = products.id))
WHERE id IN (SELECT product_id FROM cart_items)
"""
CRUMBS = [("Home", "/"), ("Shopping Cart", "/cart")]


@dataclass(frozen=True)
class Choice:
    """What was chosen in the first step."""

    address: sqlite3.Row
    method: str
    label: str
    cents: int


def checkout() -> Response:
    """Step one."""
    return _choose([])


def _choose(errors: list[str]) -> Response:
    return layout.page(
        "checkout.html",
        "Checkout",
        crumbs=CRUMBS,
        addresses=db.rows(ADDRESSES),
        methods=SHIPPING_METHODS,
        lines=db.rows(LINES),
        errors=errors,
        address=request.values.get("address"),
        method=request.values.get("shipping"),
    )


def _choice(values: Mapping[str, str]) -> Choice | None:
    number = db.whole_number(values.get("address"), 10**9)
    address = db.row("SELECT * FROM addresses WHERE id = ?", number)
    for method, label, cents in SHIPPING_METHODS:
        if address is not None and method == values.get("shipping"):
            return Choice(address, method, label, cents)
    return None


def review() -> Response:
    """Step two: nothing is stored yet."""
    choice, lines = _choice(request.args), db.rows(LINES)
    if choice is None or not lines:
        return _choose(["Please choose a shipping address and a shipping method."] if lines else [])
    subtotal = sum(line["subtotal_cents"] for line in lines)
    return layout.page(
        "checkout_review.html",
        "Review Order",
        crumbs=[*CRUMBS, ("Checkout", "/checkout")],
        choice=choice,
        lines=lines,
        subtotal=subtotal,
        total=subtotal + choice.cents,
    )


def place() -> Response:
    """Stores the order, empties the cart and shows the order."""
    choice = _choice(request.form)
    if choice is None or not db.rows(LINES):
        return _choose(["Please choose a shipping address and a shipping method."])
    number = str(db.value(NEXT_NUMBER))
    with db.connection() as connection:
        values = (number, db.today(), choice.cents, choice.address["id"])
        order_id = connection.execute(NEW_ORDER, values).lastrowid
        connection.execute(MOVE_LINES, (order_id,))
        connection.execute(TAKE_STOCK)
        connection.execute("DELETE FROM cart_items")
    db.notice(f"Thank you for your purchase! Your order number is {number}.")
    return see(f"/account/orders/{number}")


def register(app: Flask) -> None:
    """Adds the pages."""
    app.add_url_rule("/checkout", "checkout", checkout)
    app.add_url_rule("/checkout/review", "checkout_review", review)
    app.add_url_rule("/checkout/place", "checkout_place", place, methods=["POST"])
