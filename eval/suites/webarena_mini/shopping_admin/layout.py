"""What all pages share: rendering with the navigation, and how money and dates are written."""

from __future__ import annotations

import datetime

from flask import Response

from eval.suites.webarena_mini.site import db
from eval.suites.webarena_mini.site.layout import Crumbs, money, render

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

WAITING = {
    "orders": """
SELECT o.id, o.number, o.placed_on, c.name AS customer FROM orders o JOIN customers c ON c.id = o.customer_id
WHERE o.state = 'New' ORDER BY o.placed_on, o.id LIMIT 8
""",
    "reviews": """
SELECT r.id, r.nickname, r.posted_on, p.name AS product FROM reviews r JOIN products p ON p.id = r.product_id
WHERE r.status = 'Pending' ORDER BY r.posted_on, r.id LIMIT 8
""",
    "products": "SELECT id, name, quantity FROM products WHERE status = 'Enabled' ORDER BY quantity, id LIMIT 12",
}
"""What stands beside every page: the oldest things to do."""


def page(template: str, title: str, *, crumbs: Crumbs | None = None, status: int = 200, **values: object) -> Response:
    """A whole page as a response."""
    return render(
        template,
        title,
        crumbs=crumbs,
        status=status,
        navigation=NAVIGATION,
        waiting={name: db.rows(sql) for name, sql in WAITING.items()},
        admin_name=db.value("SELECT value FROM world WHERE key = 'admin_name'"),
        **values,
    )


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


FILTERS = (cell, medium_date, plain_money)
