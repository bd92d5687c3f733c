"""Orders: the grid, a single order, its buttons and its comments."""

from __future__ import annotations

import sqlite3

from flask import Flask, Response, abort, request

from eval.suites.webarena_mini.shopping_admin import grid_pages, layout, sales
from eval.suites.webarena_mini.shopping_admin.grid import Column, Grid
from eval.suites.webarena_mini.shopping_admin.vocabulary import STATES
from eval.suites.webarena_mini.site import db
from eval.suites.webarena_mini.site.fields import Fields
from eval.suites.webarena_mini.site.layout import see

# as in order_totals, but only for the orders that are shown
UNITS = "(SELECT sum(i.quantity) FROM order_items i WHERE i.order_id = o.id)"
TOTAL = (
    "((SELECT sum(i.quantity * i.price_cents) FROM order_items i WHERE i.order_id = o.id)"
    " - o.discount_cents + o.shipping_cents)"
)
GRID = Grid(
    name="orders",
    path="/sales/orders",
    title="Orders",
    noun="order",
    source="FROM orders o JOIN customers c ON c.id = o.customer_id",
    row_id="o.id",
    columns=(
        Column("number", "Order #", "o.number"),
        Column("placed_on", "Purchase date", "o.placed_on", "date"),
        Column("customer", "Customer", "c.name"),
        Column("units", "Items", UNITS, "number", filtered=False),
        Column("total", "Grand total", TOTAL, "money"),
        Column("state", "State", "o.state", options=STATES),
    ),
    order="o.placed_on DESC, o.id DESC",
    label="number",
    actions={"cancel": "Cancel", "hold": "Hold", "unhold": "Unhold", "print": "Print"},
    apply=sales.act_on_all,
)
CRUMBS = [("Dashboard", "/"), ("Orders", GRID.path)]
BUTTONS = (("cancel", "Cancel"), ("hold", "Hold"), ("unhold", "Unhold"))
ITEMS = "SELECT *, quantity * price_cents AS row_cents FROM order_items WHERE order_id = ? ORDER BY id"


def find(order: str) -> sqlite3.Row:
    """The order of an address, or the page that says that there is none."""
    number = db.whole_number(order, 10**9)
    found = sales.find(number) if number is not None else None
    if found is None:
        abort(404)
    return found


def order(order: str) -> Response:
    """One order."""
    return _show(find(order))


def _show(found: sqlite3.Row, typed: str = "", errors: list[str] | None = None) -> Response:
    order_id = found["id"]
    return layout.page(
        "order.html",
        f"Order # {found['number']}",
        crumbs=CRUMBS,
        errors=errors or [],
        path=f"{GRID.path}/{order_id}",
        order=found,
        invoice=sales.allowed(found, "invoice"),
        ship=sales.allowed(found, "ship"),
        actions=[button for button in BUTTONS if sales.allowed(found, button[0])],
        customer=db.row("SELECT * FROM customers WHERE id = ?", found["customer_id"]),
        items=db.rows(ITEMS, order_id),
        totals=db.row("SELECT * FROM order_totals WHERE order_id = ?", order_id),
        invoiced=db.value("SELECT coalesce(sum(total_cents), 0) FROM invoices WHERE order_id = ?", order_id),
        invoices=db.rows("SELECT * FROM invoices WHERE order_id = ? ORDER BY id", order_id),
        shipments=db.rows("SELECT * FROM shipments WHERE order_id = ? ORDER BY id", order_id),
        comments=db.rows("SELECT * FROM order_comments WHERE order_id = ? ORDER BY id", order_id),
        typed=typed,
    )


def press(order: str, action: str) -> Response:
    """The buttons Cancel, Hold and Unhold: they act at once."""
    found = find(order)
    done = sales.act(found, action)
    db.notice(f"The order {'was' if done else 'cannot be'} {sales.PAST[action]}.")
    return see(f"{GRID.path}/{found['id']}")


def write(order: str) -> Response:
    """A comment by the staff."""
    found = find(order)
    fields = Fields(request.form)
    text = fields.text("comment", "Comment", longest=1000)
    if fields.errors:
        return _show(found, text, fields.errors)
    sales.comment(found["id"], text, notified="notify" in request.form)
    db.notice("The comment was added.")
    return see(f"{GRID.path}/{found['id']}")


def register(app: Flask) -> None:
    """Adds the pages."""
    grid_pages.register(app, GRID)
    app.add_url_rule(f"{GRID.path}/<order>", "order", order)
    app.add_url_rule(f"{GRID.path}/<order>/comment", "comment_order", write, methods=["POST"])
    for action, _ in BUTTONS:
        rule = f"{GRID.path}/<order>/{action}"
        app.add_url_rule(rule, f"{action}_order", press, defaults={"action": action}, methods=["POST"])
