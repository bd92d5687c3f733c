"""Customers: the grid, a single one with the orders, and the form."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping

from flask import Flask, Response, abort, request

from eval.suites.webarena_mini.shopping_admin import grid_pages, layout
from eval.suites.webarena_mini.shopping_admin.grid import Column, Grid
from eval.suites.webarena_mini.shopping_admin.vocabulary import GROUPS
from eval.suites.webarena_mini.site import db
from eval.suites.webarena_mini.site.fields import Fields
from eval.suites.webarena_mini.site.layout import see


def mass(action: str, ids: list[int]) -> str:
    """Puts customers into a group."""
    marks = ",".join("?" * len(ids))
    with db.connection() as connection:
        connection.execute(f"UPDATE customers SET group_name = ? WHERE id IN ({marks})", (action, *ids))
    return f"{len(ids)} record(s) were updated."


GRID = Grid(
    name="customers",
    path="/customers",
    title="Customers",
    noun="customer",
    source="FROM customers c",
    row_id="c.id",
    columns=(
        Column("id", "ID", "c.id", "number"),
        Column("name", "Name", "c.name"),
        Column("email", "Email", "c.email"),
        Column("group", "Group", "c.group_name", options=GROUPS),
        Column("phone", "Phone", "c.phone"),
        Column("zip", "ZIP", "c.zip"),
        Column("state", "State/Province", "c.state"),
        Column("created_on", "Customer since", "c.created_on", "date"),
    ),
    order="c.id",
    label="name",
    actions={group: f"Assign Group: {group}" for group in GROUPS},
    apply=mass,
)
COLUMNS = ("name", "email", "group_name", "phone", "street", "city", "state", "zip")
INPUTS = (
    ("name", "Name", None),
    ("email", "Email", None),
    ("group_name", "Group", GROUPS),
    ("phone", "Phone", None),
    ("street", "Street", None),
    ("city", "City", None),
    ("state", "State/Province", None),
    ("zip", "ZIP", None),
)
ORDERS = """
SELECT o.id, o.number, o.placed_on, o.state, t.total_cents FROM orders o JOIN order_totals t ON t.order_id = o.id
WHERE o.customer_id = ? ORDER BY o.placed_on DESC, o.id DESC
"""


def _find(customer: str) -> sqlite3.Row:
    found = db.row("SELECT * FROM customers WHERE id = ?", db.whole_number(customer, 10**9))
    if found is None:
        abort(404)
    return found


def customer(customer: str) -> Response:
    """One customer with all orders."""
    found = _find(customer)
    return layout.page(
        "customer.html",
        found["name"],
        crumbs=[("Dashboard", "/"), (GRID.title, GRID.path)],
        customer=found,
        orders=db.rows(ORDERS, found["id"]),
    )


def edit(customer: str) -> Response:
    """A customer in the form."""
    found = _find(customer)
    return _form(found, {column: found[column] for column in COLUMNS}, [])


def _form(found: sqlite3.Row, values: Mapping[str, str], errors: list[str]) -> Response:
    back = f"{GRID.path}/{found['id']}"
    return layout.page(
        "form.html",
        f"Edit {found['name']}",
        crumbs=[("Dashboard", "/"), (GRID.title, GRID.path), (found["name"], back)],
        errors=errors,
        facts=[],
        form_id="customer-form",
        path=f"{back}/edit",
        back=back,
        inputs=INPUTS,
        values=values,
    )


def save(customer: str) -> Response:
    """Stores the form."""
    found = _find(customer)
    fields = Fields(request.form)
    values = {
        "name": fields.text("name", "Name", longest=80),
        "email": fields.matching("email", "Email", "[^@ ]+@[^@ ]+[.][a-z]{2,}", "like name@example.com"),
        "group_name": fields.choice("group_name", "Group", GROUPS),
        "phone": fields.matching("phone", "Phone", "[0-9()+ .-]{5,20}", "5 to 20 digits"),
        "street": fields.text("street", "Street"),
        "city": fields.text("city", "City", longest=60),
        "state": fields.matching("state", "State/Province", "[A-Za-z .-]{2,30}", "letters only"),
        "zip": fields.matching("zip", "ZIP", "[A-Za-z0-9 -]{4,10}", "4 to 10 letters or digits"),
    }
    if db.value("SELECT 1 FROM customers WHERE email = ? AND id <> ?", values["email"], found["id"]):
        fields.errors.append(f"A customer with the email '{values['email']}' exists already.")
    if fields.errors:
        return _form(found, values, fields.errors)
    sets = ", ".join(f"{column} = ?" for column in COLUMNS)
    with db.connection() as connection:
        row = (*(values[column] for column in COLUMNS), found["id"])
        connection.execute(f"UPDATE customers SET {sets} WHERE id = ?", row)
    db.notice("You saved the customer.")
    return see(f"{GRID.path}/{found['id']}")


def register(app: Flask) -> None:
    """Adds the pages."""
    grid_pages.register(app, GRID)
    app.add_url_rule(f"{GRID.path}/<customer>", "customer", customer)
    app.add_url_rule(f"{GRID.path}/<customer>/edit", "edit_customer", edit)
    app.add_url_rule(f"{GRID.path}/<customer>/edit", "save_customer", save, methods=["POST"])
