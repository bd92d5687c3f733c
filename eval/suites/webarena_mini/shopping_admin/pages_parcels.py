"""Invoices and shipments: the forms that make them from an order, their grids, and single ones."""

from __future__ import annotations

from flask import Flask, Response, abort, request

from eval.suites.webarena_mini.shopping_admin import grid_pages, layout, pages_orders, sales
from eval.suites.webarena_mini.shopping_admin.grid import Column, Grid
from eval.suites.webarena_mini.shopping_admin.vocabulary import CARRIERS
from eval.suites.webarena_mini.site import db
from eval.suites.webarena_mini.site.fields import Fields
from eval.suites.webarena_mini.site.layout import see

SOURCE = "FROM {table} p JOIN orders o ON o.id = p.order_id JOIN customers c ON c.id = o.customer_id"
ORDERED = (
    Column("order_number", "Order #", "o.number"),
    Column("placed_on", "Order date", "o.placed_on", "date", filtered=False),
    Column("customer", "Customer", "c.name"),
)
INVOICES = Grid(
    name="invoices",
    path="/sales/invoices",
    title="Invoices",
    noun="invoice",
    source=SOURCE.format(table="invoices"),
    row_id="p.id",
    columns=(
        Column("number", "Invoice #", "p.number"),
        Column("created_on", "Invoice date", "p.created_on", "date"),
        *ORDERED,
        Column("total", "Amount", "p.total_cents", "money"),
    ),
    order="p.created_on DESC, p.id DESC",
    label="number",
)
SHIPMENTS = Grid(
    name="shipments",
    path="/sales/shipments",
    title="Shipments",
    noun="shipment",
    source=SOURCE.format(table="shipments"),
    row_id="p.id",
    columns=(
        Column("number", "Shipment #", "p.number"),
        Column("created_on", "Ship date", "p.created_on", "date"),
        *ORDERED,
        Column("carrier", "Carrier", "p.carrier", options=CARRIERS),
        Column("tracking", "Tracking number", "p.tracking"),
    ),
    order="p.created_on DESC, p.id DESC",
    label="number",
)
KINDS = {"invoice": ("invoiced", INVOICES), "ship": ("shipped", SHIPMENTS)}
ITEMS = """
SELECT id, name, sku, quantity, {done} AS done, quantity - {done} AS open
FROM order_items WHERE order_id = ? ORDER BY id
"""
PARCEL = """
SELECT p.*, o.number AS order_number, o.customer_id, c.name AS customer
FROM {table} p JOIN orders o ON o.id = p.order_id JOIN customers c ON c.id = o.customer_id WHERE p.id = ?
"""
PARCEL_ITEMS = """
SELECT i.name, i.sku, i.price_cents, u.quantity FROM {kind}_items u JOIN order_items i ON i.id = u.order_item_id
WHERE u.{kind}_id = ? ORDER BY i.id
"""


def form(order: str, kind: str, errors: list[str] | None = None) -> Response:
    """New Invoice or New Shipment: what is left stands in the fields."""
    found = pages_orders.find(order)
    back = f"{pages_orders.GRID.path}/{found['id']}"
    if not sales.allowed(found, kind):
        db.notice(f"The order cannot be {KINDS[kind][0]}.")
        return see(back)
    return layout.page(
        "parcel_form.html",
        "New Invoice" if kind == "invoice" else "New Shipment",
        crumbs=[*pages_orders.CRUMBS, (f"Order # {found['number']}", back)],
        errors=errors or [],
        path=f"{back}/{kind}",
        back=back,
        kind=kind,
        items=db.rows(ITEMS.format(done=KINDS[kind][0]), found["id"]),
        carriers=CARRIERS,
        typed={name: text[:120] for name, text in request.form.items()},
    )


def submit(order: str, kind: str) -> Response:
    """Submit Invoice or Submit Shipment."""
    found = pages_orders.find(order)
    if not sales.allowed(found, kind):
        return form(order, kind)
    fields, units = Fields(request.form), dict[int, int]()
    for item in db.rows(ITEMS.format(done=KINDS[kind][0]), found["id"]):
        count = db.whole_number(request.form.get(f"qty-{item['id']}", "0"), item["open"])
        if count is None:
            fields.errors.append(f"The quantity of {item['name']} must be from 0 to {item['open']}.")
        elif count:
            units[item["id"]] = count
    if not units and not fields.errors:
        fields.errors.append("Please enter a quantity of at least one item.")
    carrier = tracking = ""
    if kind == "ship":
        carrier = fields.choice("carrier", "Carrier", CARRIERS)
        tracking = fields.matching("tracking", "Tracking number", "[A-Za-z0-9 -]{4,40}", "4 to 40 letters or digits")
    if fields.errors:
        return form(order, kind, fields.errors)
    if kind == "invoice":
        sales.invoice(found, units)
        db.notice("The invoice was created.")
    else:
        sales.ship(found, units, carrier, tracking)
        db.notice("The shipment was created.")
    return see(f"{pages_orders.GRID.path}/{found['id']}")


def parcel(parcel: str, kind: str) -> Response:
    """One invoice or shipment."""
    grid = KINDS[kind][1]
    found = db.row(PARCEL.format(table=grid.name), db.whole_number(parcel, 10**9))
    if found is None:
        abort(404)
    return layout.page(
        "parcel.html",
        f"{grid.noun.capitalize()} # {found['number']}",
        crumbs=[("Dashboard", "/"), (grid.title, grid.path)],
        kind=kind,
        found=found,
        items=db.rows(PARCEL_ITEMS.format(kind=grid.noun), found["id"]),
    )


def register(app: Flask) -> None:
    """Adds the pages."""
    for kind, (_, grid) in KINDS.items():
        grid_pages.register(app, grid)
        app.add_url_rule(f"{grid.path}/<parcel>", grid.noun, parcel, defaults={"kind": kind})
        rule = f"{pages_orders.GRID.path}/<order>/{kind}"
        app.add_url_rule(rule, f"new_{kind}", form, defaults={"kind": kind})
        app.add_url_rule(rule, f"submit_{kind}", submit, defaults={"kind": kind}, methods=["POST"])
