"""The address book: a saved form is a preview until "Confirm Address" stores it."""

from __future__ import annotations

import sqlite3

from flask import Flask, Response, abort, request

from eval.suites.webarena_mini.shopping import layout
from eval.suites.webarena_mini.site import db
from eval.suites.webarena_mini.site.fields import Fields
from eval.suites.webarena_mini.site.layout import see

COLUMNS = ("name", "street", "city", "state", "zip", "country", "phone")
COUNTRIES = ("United States", "Canada", "Mexico")
CRUMBS = [("Home", "/"), ("My Account", "/account"), ("Address Book", "/account/addresses")]

ALL = "SELECT * FROM addresses ORDER BY is_default DESC, id"
DRAFT = "REPLACE INTO address_draft VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?)"
CHANGE = """
UPDATE addresses SET (name, street, city, state, zip, country, phone) =
    (SELECT name, street, city, state, zip, country, phone FROM address_draft)
WHERE id = (SELECT address_id FROM address_draft)
"""
CREATE = """
INSERT INTO addresses (customer_id, name, street, city, state, zip, country, phone, is_default)
SELECT customer.id, d.name, street, city, state, zip, country, d.phone, 0 FROM address_draft d, customer
"""


def book() -> Response:
    """The default address and the others."""
    found = db.rows(ALL)
    return layout.page(
        "addresses.html",
        "Address Book",
        crumbs=CRUMBS[:2],
        default=next((line for line in found if line["is_default"]), None),
        others=[line for line in found if not line["is_default"]],
    )


def new() -> Response:
    """An empty form."""
    customer = db.row("SELECT name, phone FROM customer")
    assert customer is not None
    return _form("", {**dict.fromkeys(COLUMNS, ""), **dict(customer), "country": COUNTRIES[0]}, [])


def edit(address: str) -> Response:
    """The form with what is stored."""
    found = _find(address)
    return _form(address, {column: found[column] for column in COLUMNS}, [])


def _find(address: str) -> sqlite3.Row:
    found = db.row("SELECT * FROM addresses WHERE id = ?", db.whole_number(address, 10**9))
    if found is None:
        abort(404)
    return found


def _form(address: str, values: dict[str, str], errors: list[str]) -> Response:
    title = "Edit Address" if address else "Add New Address"
    return layout.page(
        "address_form.html",
        title,
        crumbs=CRUMBS,
        address=address,
        values=values,
        errors=errors,
        countries=COUNTRIES,
        action=f"/account/addresses/{address or 'new'}",
    )


def save(address: str = "") -> Response:
    """Checks the form and keeps it for the preview. The address book does not change."""
    if address:
        _find(address)
    fields = Fields(request.form)
    values = {
        "name": fields.text("name", "Full name", longest=80),
        "street": fields.text("street", "Street address"),
        "city": fields.text("city", "City", longest=60),
        "state": fields.matching("state", "State", "[A-Za-z .-]{2,30}", "letters only"),
        "zip": fields.matching("zip", "Zip code", "[A-Za-z0-9 -]{4,10}", "4 to 10 letters or digits"),
        "country": fields.choice("country", "Country", COUNTRIES),
        "phone": fields.matching("phone", "Phone number", "[0-9()+ .-]{5,20}", "5 to 20 digits"),
    }
    if fields.errors:
        return _form(address, values, fields.errors)
    with db.connection() as connection:
        connection.execute(DRAFT, (int(address) if address else None, *values.values()))
    return see("/account/addresses/preview")


def preview() -> Response:
    """What would be stored."""
    draft = db.row("SELECT * FROM address_draft")
    if draft is None:
        return see("/account/addresses")
    return layout.page("address_preview.html", "Address Preview", crumbs=CRUMBS, draft=draft)


def confirm() -> Response:
    """Stores the previewed address."""
    draft = db.row("SELECT address_id FROM address_draft")
    if draft is None:
        return see("/account/addresses")
    with db.connection() as connection:
        connection.execute(CREATE if draft["address_id"] is None else CHANGE)
        connection.execute("DELETE FROM address_draft")
    db.notice("The address was saved.")
    return see("/account/addresses")


def delete(address: str) -> Response:
    """Removes an address; the default one stays."""
    found = _find(address)
    if found["is_default"]:
        db.notice("The default address cannot be deleted.")
        return see("/account/addresses")
    with db.connection() as connection:
        connection.execute("UPDATE orders SET address_id = NULL WHERE address_id = ?", (found["id"],))
        connection.execute("DELETE FROM addresses WHERE id = ?", (found["id"],))
    db.notice("The address was deleted.")
    return see("/account/addresses")


def make_default(address: str) -> Response:
    """Makes an address the default one."""
    found = _find(address)
    with db.connection() as connection:
        connection.execute("UPDATE addresses SET is_default = (id = ?)", (found["id"],))
    db.notice("The default address was changed.")
    return see("/account/addresses")


def register(app: Flask) -> None:
    """Adds the pages."""
    base = "/account/addresses"
    app.add_url_rule(base, "addresses", book)
    app.add_url_rule(f"{base}/new", "new_address", new)
    app.add_url_rule(f"{base}/new", "save_new_address", save, methods=["POST"])
    app.add_url_rule(f"{base}/preview", "preview_address", preview)
    app.add_url_rule(f"{base}/confirm", "confirm_address", confirm, methods=["POST"])
    app.add_url_rule(f"{base}/<address>", "edit_address", edit)
    app.add_url_rule(f"{base}/<address>", "save_address", save, methods=["POST"])
    app.add_url_rule(f"{base}/<address>/delete", "delete_address", delete, methods=["POST"])
    app.add_url_rule(f"{base}/<address>/default", "default_address", make_default, methods=["POST"])
