"""Reviews and their moderation."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping

from flask import Flask, Response, abort, request

from eval.suites.webarena_mini.shopping_admin import grid_pages, layout
from eval.suites.webarena_mini.shopping_admin.grid import Column, Grid
from eval.suites.webarena_mini.shopping_admin.vocabulary import REVIEW_STATUSES
from eval.suites.webarena_mini.site import db
from eval.suites.webarena_mini.site.fields import Fields
from eval.suites.webarena_mini.site.layout import see

STARS = ("1", "2", "3", "4", "5")


def mass(action: str, ids: list[int]) -> str:
    """Deletes reviews or changes their status."""
    marks = ",".join("?" * len(ids))
    with db.connection() as connection:
        if action == "delete":
            connection.execute(f"DELETE FROM reviews WHERE id IN ({marks})", ids)
        else:
            connection.execute(f"UPDATE reviews SET status = ? WHERE id IN ({marks})", (action, *ids))
    return f"{len(ids)} record(s) were {'deleted' if action == 'delete' else 'updated'}."


GRID = Grid(
    name="reviews",
    path="/marketing/reviews",
    title="Reviews",
    noun="review",
    source="FROM reviews r JOIN products p ON p.id = r.product_id",
    row_id="r.id",
    columns=(
        Column("id", "ID", "r.id", "number", filtered=False),
        Column("posted_on", "Created", "r.posted_on", "date"),
        Column("status", "Status", "r.status", options=REVIEW_STATUSES),
        Column("stars", "Rating", "CAST(r.stars AS TEXT)", options=STARS),
        Column("nickname", "Nickname", "r.nickname"),
        Column("title", "Title", "r.title"),
        Column("body", "Review", "r.body"),
        Column("product", "Product", "p.name"),
    ),
    order="r.posted_on DESC, r.id DESC",
    label="id",
    open_label="Edit",
    actions={**{status: f"Update Status: {status}" for status in REVIEW_STATUSES}, "delete": "Delete"},
    apply=mass,
)
FIND = "SELECT r.*, p.name AS product, p.sku FROM reviews r JOIN products p ON p.id = r.product_id WHERE r.id = ?"
SAVE = "UPDATE reviews SET status = ?, stars = ?, nickname = ?, title = ?, body = ? WHERE id = ?"
INPUTS = (
    ("status", "Status", REVIEW_STATUSES),
    ("stars", "Rating", STARS),
    ("nickname", "Nickname", None),
    ("title", "Title", None),
    ("body", "Review", "area"),
)


def _find(review: str) -> sqlite3.Row:
    found = db.row(FIND, db.whole_number(review, 10**9))
    if found is None:
        abort(404)
    return found


def edit(review: str) -> Response:
    """A review in its form."""
    found = _find(review)
    return _form(found, {name: str(found[name]) for name, _, _ in INPUTS}, [])


def _form(found: sqlite3.Row, values: Mapping[str, str], errors: list[str]) -> Response:
    return layout.page(
        "form.html",
        f"Review {found['id']}",
        crumbs=[("Dashboard", "/"), (GRID.title, GRID.path)],
        errors=errors,
        facts=[
            ("Product", found["product"]),
            ("SKU", found["sku"]),
            ("Created", layout.medium_date(found["posted_on"])),
        ],
        form_id="review-form",
        path=f"{GRID.path}/{found['id']}",
        back=GRID.path,
        inputs=INPUTS,
        values=values,
    )


def save(review: str) -> Response:
    """Stores the form."""
    found = _find(review)
    fields = Fields(request.form)
    values = {
        "status": fields.choice("status", "Status", REVIEW_STATUSES),
        "stars": fields.choice("stars", "Rating", STARS),
        "nickname": fields.text("nickname", "Nickname", longest=60),
        "title": fields.text("title", "Title"),
        "body": fields.text("body", "Review", longest=3000),
    }
    if fields.errors:
        return _form(found, values, fields.errors)
    with db.connection() as connection:
        connection.execute(SAVE, (*values.values(), found["id"]))
    db.notice("You saved the review.")
    return see(GRID.path)


def register(app: Flask) -> None:
    """Adds the pages."""
    grid_pages.register(app, GRID)
    app.add_url_rule(f"{GRID.path}/<review>", "review", edit)
    app.add_url_rule(f"{GRID.path}/<review>", "save_review", save, methods=["POST"])
