"""What all pages share: rendering with the navigation, and how money and dates are written."""

from __future__ import annotations

import datetime
from pathlib import Path

from flask import Flask, Response, render_template

from eval.suites.webarena_mini.shopping import db
from eval.suites.webarena_mini.shopping.layout import money, month_first, plural, see

FOLDER = Path(__file__).parent

NAVIGATION = (
    ("Sales", (("Orders", "/sales/orders"), ("Invoices", "/sales/invoices"), ("Shipments", "/sales/shipments"))),
    ("Catalog", (("Products", "/catalog/products"),)),
    ("Customers", (("All Customers", "/customers"),)),
    ("Marketing", (("Coupons", "/marketing/coupons"), ("Reviews", "/marketing/reviews"))),
    (
        "Reports",
        (
            ("Orders Report", "/reports/sales"),
            ("Bestsellers Report", "/reports/bestsellers"),
            ("Search Terms Report", "/reports/search-terms"),
            ("Product Reviews Report", "/reports/reviews"),
        ),
    ),
)

Crumbs = list[tuple[str, str]]
"""(name, address) from the dashboard down; the page itself is not among them."""

__all__ = ["FOLDER", "Crumbs", "medium_date", "money", "month_first", "page", "plain_money", "plural", "prepare", "see"]


def page(template: str, title: str, *, crumbs: Crumbs | None = None, status: int = 200, **values: object) -> Response:
    """A whole page as a response."""
    html = render_template(
        template,
        title=title,
        crumbs=crumbs or [],
        navigation=NAVIGATION,
        admin_name=db.value("SELECT value FROM world WHERE key = 'admin_name'"),
        notices=db.take_notices(),
        **values,
    )
    return Response(html, status=status)


def medium_date(iso: str) -> str:
    """`Mar 5, 2024`, as the grids write it."""
    day = datetime.date.fromisoformat(iso)
    return f"{day:%b} {day.day}, {day.year}"


def plain_money(cents: int) -> str:
    """`1234.50`, as it stands in a field."""
    return f"{cents / 100:.2f}"


def cell(value: object, kind: str) -> object:
    """A value as a table shows it: of the kind money, date, percent, or as it is."""
    if kind == "money" and isinstance(value, int):
        return money(value)
    if kind == "date" and isinstance(value, str):
        return medium_date(value)
    if kind == "percent":
        return f"{value}%"
    return "" if value is None else value


def prepare(app: Flask) -> None:
    """Gives the templates their filters and helpers."""
    app.jinja_env.trim_blocks = True
    app.jinja_env.lstrip_blocks = True
    for filter_ in (cell, money, medium_date, month_first, plain_money, plural):
        app.jinja_env.filters[filter_.__name__] = filter_
    app.jinja_env.globals["link"] = db.link
