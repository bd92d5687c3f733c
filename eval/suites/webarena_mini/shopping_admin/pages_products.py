"""Products: the grid and the form of a product."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping

from flask import Flask, Response, abort, request

from eval.suites.webarena_mini.shopping_admin import grid_pages, layout
from eval.suites.webarena_mini.shopping_admin.fields import cents
from eval.suites.webarena_mini.shopping_admin.grid import Column, Grid
from eval.suites.webarena_mini.shopping_admin.vocabulary import PRODUCT_STATUSES
from eval.suites.webarena_mini.site import db
from eval.suites.webarena_mini.site.fields import Fields
from eval.suites.webarena_mini.site.layout import see
from eval.suites.webarena_mini.site.words import say

SOLD = "(SELECT coalesce(sum(i.quantity), 0) FROM order_items i WHERE i.product_id = p.id)"


def mass(action: str, ids: list[int]) -> str:
    """Deletes products or changes their status."""
    marks = ",".join("?" * len(ids))
    with db.connection() as connection:
        if action == "delete":
            connection.execute(f"UPDATE order_items SET product_id = NULL WHERE product_id IN ({marks})", ids)
            connection.execute(f"DELETE FROM reviews WHERE product_id IN ({marks})", ids)
            connection.execute(f"DELETE FROM products WHERE id IN ({marks})", ids)
        else:
            status = "Enabled" if action == "enable" else "Disabled"
            connection.execute(f"UPDATE products SET status = ? WHERE id IN ({marks})", (status, *ids))
    return f"{len(ids)} record(s) were {'deleted' if action == 'delete' else 'updated'}."


GRID = Grid(
    name="products",
    path="/catalog/products",
    title="Products",
    noun="product",
    source="FROM products p",
    row_id="p.id",
    columns=(
        Column("id", "ID", "p.id", "number"),
        Column("name", "Name", "p.name"),
        Column("sku", "SKU", "p.sku"),
        Column("price", "Price", "p.price_cents", "money"),
        Column("quantity", "Quantity", "p.quantity", "number"),
        Column("sold", "Sold", SOLD, "number", filtered=False),
        Column("status", "Status", "p.status", options=PRODUCT_STATUSES),
    ),
    order="p.id",
    label="name",
    open_label="Edit",
    actions={"delete": "Delete", "enable": "Change Status: Enabled", "disable": "Change Status: Disabled"},
    apply=mass,
)
INPUTS = (
    ("name", "Product Name", None),
    ("sku", "SKU", None),
    ("price", "Price", None),
    ("quantity", "Quantity", None),
    ("status", "Status", PRODUCT_STATUSES),
    ("description", "Description", "area"),
)
SAVE = "UPDATE products SET name=?, sku=?, price_cents=?, quantity=?, status=?, description=? WHERE id=?"


def _find(product: str) -> sqlite3.Row:
    found = db.row("SELECT * FROM products WHERE id = ?", db.whole_number(product, 10**9))
    if found is None:
        abort(404)
    return found


def edit(product: str) -> Response:
    """A product in its form."""
    found = _find(product)
    values = {name: str(found[name]) for name, _, _ in INPUTS if name != "price"}
    return _form(found, {**values, "price": layout.plain_money(found["price_cents"])}, [])


def _form(found: sqlite3.Row, values: Mapping[str, str], errors: list[str]) -> Response:
    return layout.page(
        "form.html",
        found["name"],
        crumbs=[("Dashboard", "/"), (GRID.title, GRID.path)],
        errors=errors,
        facts=[("ID", found["id"]), ("Category", found["category"])],
        form_id="product-form",
        path=f"{GRID.path}/{found['id']}",
        back=GRID.path,
        inputs=INPUTS,
        values=values,
    )


def save(product: str) -> Response:
    """Stores the form."""
    found = _find(product)
    fields = Fields(request.form)
    values = {
        "name": fields.text("name", "Product Name"),
        "sku": fields.text("sku", "SKU", longest=40),
        "price": fields.text("price", "Price", longest=20),
        "quantity": fields.text("quantity", "Quantity", longest=20),
        "status": fields.choice("status", "Status", PRODUCT_STATUSES),
        "description": fields.text("description", "Description", longest=2000, required=False),
    }
    price, quantity = cents(values["price"]), db.whole_number(values["quantity"], 999_999)
    if values["price"] and price is None:
        fields.errors.append(f"{say('Price')}: '{values['price']}' is not a valid amount.")
    if values["quantity"] and quantity is None:
        fields.errors.append(f"{say('Quantity')}: '{values['quantity']}' is not a valid number.")
    if db.value("SELECT 1 FROM products WHERE sku = ? AND id <> ?", values["sku"], found["id"]):
        fields.errors.append(f"The SKU '{values['sku']}' belongs to another product.")
    if fields.errors:
        return _form(found, values, fields.errors)
    row = (values["name"], values["sku"], price, quantity, values["status"], values["description"], found["id"])
    with db.connection() as connection:
        connection.execute(SAVE, row)
    db.notice("You saved the product.")
    return see(f"{GRID.path}/{found['id']}")


def register(app: Flask) -> None:
    """Adds the pages."""
    grid_pages.register(app, GRID)
    app.add_url_rule(f"{GRID.path}/<product>", "product", edit)
    app.add_url_rule(f"{GRID.path}/<product>", "save_product", save, methods=["POST"])
