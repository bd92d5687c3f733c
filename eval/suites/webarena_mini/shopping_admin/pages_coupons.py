"""Coupons: the grid, whose filters are in its address, and the form."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping

from flask import Flask, Response, abort, request

from eval.suites.webarena_mini.shopping_admin import grid_pages, layout
from eval.suites.webarena_mini.shopping_admin.grid import Column, Grid
from eval.suites.webarena_mini.site import db
from eval.suites.webarena_mini.site.fields import Fields, month_first_date
from eval.suites.webarena_mini.site.layout import month_first, see
from eval.suites.webarena_mini.site.words import say

STATUSES = ("Active", "Inactive")


def mass(action: str, ids: list[int]) -> str:
    """Switches coupons on or off."""
    marks = ",".join("?" * len(ids))
    with db.connection() as connection:
        connection.execute(f"UPDATE coupons SET active = ? WHERE id IN ({marks})", (int(action == "activate"), *ids))
    return f"{len(ids)} record(s) were updated."


GRID = Grid(
    name="coupons",
    path="/marketing/coupons",
    title="Coupons",
    noun="coupon",
    source="FROM coupons k",
    row_id="k.id",
    columns=(
        Column("code", "Coupon code", "k.code"),
        Column("description", "Description", "k.description", filtered=False),
        Column("percent", "Discount", "k.percent", "percent", filtered=False),
        Column("starts_on", "Start", "k.starts_on", "date", filtered=False),
        Column("ends_on", "End", "k.ends_on", "date", filtered=False),
        Column(
            "used",
            "Uses",
            "(SELECT count(*) FROM orders o WHERE o.coupon_code = k.code)",
            "number",
            filtered=False,
        ),
        Column("status", "Status", "CASE WHEN k.active THEN 'Active' ELSE 'Inactive' END", options=STATUSES),
    ),
    order="k.id",
    label="code",
    open_label="Edit",
    actions={"activate": "Activate", "deactivate": "Deactivate"},
    apply=mass,
    add=("Add New Coupon", "/marketing/coupons/new"),
    kept=False,
)
INPUTS = (
    ("code", "Coupon code", None),
    ("description", "Description", None),
    ("percent", "Discount percent", None),
    ("starts", "Start", None),
    ("ends", "End", None),
    ("status", "Status", STATUSES),
)
EMPTY = {"code": "", "description": "", "percent": "", "starts": "", "ends": "", "status": "Inactive"}
CREATE = "INSERT INTO coupons (code, description, percent, starts_on, ends_on, active) VALUES (?, ?, ?, ?, ?, ?)"
CHANGE = "UPDATE coupons SET code=?, description=?, percent=?, starts_on=?, ends_on=?, active=? WHERE id=?"
USED = "UPDATE orders SET coupon_code = ? WHERE coupon_code = ?"


def _find(coupon: str) -> sqlite3.Row:
    found = db.row("SELECT * FROM coupons WHERE id = ?", db.whole_number(coupon, 10**9))
    if found is None:
        abort(404)
    return found


def new() -> Response:
    """The form without values."""
    return _form(None, EMPTY, [])


def edit(coupon: str) -> Response:
    """A coupon in its form."""
    found = _find(coupon)
    values = {name: str(found[name]) for name in ("code", "description", "percent")}
    values["starts"], values["ends"] = month_first(found["starts_on"]), month_first(found["ends_on"])
    values["status"] = "Active" if found["active"] else "Inactive"
    return _form(found, values, [])


def _form(found: sqlite3.Row | None, values: Mapping[str, str], errors: list[str]) -> Response:
    return layout.page(
        "form.html",
        f"Coupon {found['code']}" if found else "New Coupon",
        crumbs=[("Dashboard", "/"), (GRID.title, GRID.path)],
        errors=errors,
        facts=[],
        form_id="coupon-form",
        path=f"{GRID.path}/{found['id'] if found else 'new'}",
        back=GRID.path,
        inputs=INPUTS,
        values=values,
    )


def save(coupon: str = "") -> Response:
    """Stores the form."""
    found = _find(coupon) if coupon else None
    fields = Fields(request.form)
    values = {
        "code": fields.matching("code", "Coupon code", "[A-Za-z0-9-]{3,30}", "3 to 30 letters or digits"),
        "description": fields.text("description", "Description", required=False),
        "percent": fields.text("percent", "Discount percent", longest=10),
        "starts": fields.text("starts", "Start", longest=20),
        "ends": fields.text("ends", "End", longest=20),
        "status": fields.choice("status", "Status", STATUSES),
    }
    percent = db.whole_number(values["percent"], 100)
    if values["percent"] and not percent:
        fields.errors.append(f"{say('Discount percent')}: '{values['percent']}' is not a whole number from 1 to 100.")
    days: list[str | None] = []
    for name, label in (("starts", "Start"), ("ends", "End")):
        days.append(month_first_date(values[name]))
        if values[name] and days[-1] is None:
            fields.errors.append(f"{say(label)}: '{values[name]}' is not a valid date.")
    other = db.value("SELECT id FROM coupons WHERE code = ?", values["code"])
    if other is not None and (found is None or other != found["id"]):
        fields.errors.append(f"A coupon with the code '{values['code']}' exists already.")
    if fields.errors:
        return _form(found, values, fields.errors)
    row = (values["code"], values["description"], percent, *days, int(values["status"] == "Active"))
    with db.connection() as connection:
        if found is None:
            connection.execute(CREATE, row)
        else:
            connection.execute(CHANGE, (*row, found["id"]))
            connection.execute(USED, (values["code"], found["code"]))
    db.notice("You saved the coupon.")
    return see(GRID.path)


def register(app: Flask) -> None:
    """Adds the pages."""
    grid_pages.register(app, GRID)
    app.add_url_rule(f"{GRID.path}/new", "new_coupon", new)
    app.add_url_rule(f"{GRID.path}/new", "save_new_coupon", save, methods=["POST"])
    app.add_url_rule(f"{GRID.path}/<coupon>", "coupon", edit)
    app.add_url_rule(f"{GRID.path}/<coupon>", "save_coupon", save, methods=["POST"])
