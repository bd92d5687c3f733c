"""My Account: the dashboard, the order list with its filter, and single orders."""

from __future__ import annotations

from flask import Flask, Response, abort, request

from eval.suites.webarena_mini.shopping import layout
from eval.suites.webarena_mini.shopping.pages_product import add
from eval.suites.webarena_mini.site import db
from eval.suites.webarena_mini.site.fields import day_first_date
from eval.suites.webarena_mini.site.layout import see
from eval.suites.webarena_mini.site.words import say

PAGE_SIZE = 10
STATUSES = ("Complete", "Processing", "Pending", "Canceled")
CRUMBS = [("Home", "/"), ("My Account", "/account")]

ORDERS = """
SELECT o.id, o.number, o.placed_on, o.status, a.name AS ship_to,
    o.shipping_cents + (SELECT sum(quantity * price_cents) FROM order_items i WHERE i.order_id = o.id) AS total_cents
FROM orders o LEFT JOIN addresses a ON a.id = o.address_id
WHERE (?1 = '' OR o.status = ?1) AND (?2 = '' OR o.placed_on >= ?2) AND (?3 = '' OR o.placed_on <= ?3)
ORDER BY o.placed_on DESC, o.id DESC LIMIT ?4 OFFSET ?5
"""
COUNT = """
SELECT count(*) FROM orders o
WHERE (?1 = '' OR o.status = ?1) AND (?2 = '' OR o.placed_on >= ?2) AND (?3 = '' OR o.placed_on <= ?3)
"""
SPENT = """
SELECT substr(placed_on, 1, 4) AS year, sum(shipping_cents + (
    SELECT sum(quantity * price_cents) FROM order_items i WHERE i.order_id = o.id)) AS total_cents
FROM orders o WHERE status <> 'Canceled' GROUP BY year ORDER BY year DESC
"""
ITEMS = """
SELECT i.name, i.quantity, i.price_cents, i.quantity * i.price_cents AS subtotal_cents, p.id AS product_id, p.sku,
    p.slug, p.stock
FROM order_items i JOIN products p ON p.id = i.product_id WHERE i.order_id = ? ORDER BY i.id
"""


def dashboard() -> Response:
    """Contact, default address, recent orders, money spent by year."""
    return layout.page(
        "account.html",
        "My Account",
        crumbs=[("Home", "/")],
        customer=db.row("SELECT * FROM customer"),
        address=db.row("SELECT * FROM addresses WHERE is_default = 1"),
        orders=db.rows(ORDERS, "", "", "", 5, 0),
        spent=db.rows(SPENT),
    )


def orders() -> Response:
    """The orders, newest first, filtered by status and dates typed as they are printed."""
    status = request.args.get("status", "")
    status = status if status in STATUSES else ""
    errors, bounds = [], {}
    for name, label in (("from", "From date"), ("to", "To date")):
        typed = request.args.get(name, "").strip()[:20]
        found = day_first_date(typed)
        if typed and found is None:
            errors.append(f"{say(label)}: '{typed}' is not a valid date.")
        bounds[name] = (typed, found or "")
    chosen = (status, bounds["from"][1], bounds["to"][1])
    total = 0 if errors else int(db.value(COUNT, *chosen))
    pages = max(1, -(-total // PAGE_SIZE))
    number = db.page_number("page", pages)
    shown = db.rows(ORDERS, *chosen, PAGE_SIZE, (number - 1) * PAGE_SIZE) if total else []

    def to(page: int) -> str:
        kept = {"status": status, "from": bounds["from"][0], "to": bounds["to"][0]}
        return db.link("/account/orders", **kept, page=page if page > 1 else None)

    return layout.page(
        "orders.html",
        "My Orders",
        crumbs=CRUMBS,
        orders=shown,
        total=total,
        errors=errors,
        status_chosen=status,
        statuses=STATUSES,
        from_typed=bounds["from"][0],
        to_typed=bounds["to"][0],
        page=number,
        page_links=[(at, to(at)) for at in range(1, pages + 1)],
        first=(number - 1) * PAGE_SIZE + 1,
    )


def order(number: str) -> Response:
    """One order with its lines and totals."""
    found = db.row("SELECT * FROM orders WHERE number = ?", number)
    if found is None:
        abort(404)
    items = db.rows(ITEMS, found["id"])
    subtotal = sum(item["subtotal_cents"] for item in items)
    return layout.page(
        "order.html",
        f"Order # {number}",
        crumbs=[*CRUMBS, ("My Orders", "/account/orders")],
        order=found,
        items=items,
        subtotal=subtotal,
        total=subtotal + found["shipping_cents"],
        address=db.row("SELECT * FROM addresses WHERE id = ?", found["address_id"]),
    )


def reorder(number: str) -> Response:
    """Puts all lines of an order into the cart again."""
    found = db.value("SELECT id FROM orders WHERE number = ?", number)
    if found is None:
        abort(404)
    for item in db.rows(ITEMS, found):
        error = add(item["product_id"], item["name"], item["stock"], item["quantity"])
        db.notice(error or f"{item['name']} was added to your shopping cart.")
    return see("/cart")


def register(app: Flask) -> None:
    """Adds the pages."""
    app.add_url_rule("/account", "account", dashboard)
    app.add_url_rule("/account/orders", "orders", orders)
    app.add_url_rule("/account/orders/<number>", "order", order)
    app.add_url_rule("/account/orders/<number>/reorder", "reorder", reorder, methods=["POST"])
