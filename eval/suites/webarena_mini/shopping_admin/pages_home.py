"""The dashboard."""

from __future__ import annotations

from flask import Flask, Response

from eval.suites.webarena_mini.shopping_admin import layout
from eval.suites.webarena_mini.site import db

ORDERS = """
SELECT o.id, o.number, c.name AS customer, t.units, t.total_cents FROM orders o
JOIN customers c ON c.id = o.customer_id JOIN order_totals t ON t.order_id = o.id
ORDER BY o.placed_on DESC, o.id DESC LIMIT 5
"""
SEARCHES = """
SELECT t.term, t.results, max(u.used_on) AS used_on FROM search_uses u JOIN search_terms t ON t.id = u.term_id
GROUP BY t.id ORDER BY max(u.used_on) DESC, t.id LIMIT 5
"""
REVIEWS = """
SELECT r.id, p.name AS product, r.nickname, r.title, r.status FROM reviews r JOIN products p ON p.id = r.product_id
ORDER BY r.posted_on DESC, r.id DESC LIMIT 5
"""


def dashboard() -> Response:
    """Where somebody who signs in begins."""
    return layout.page(
        "dashboard.html",
        "Dashboard",
        invoiced=db.value("SELECT coalesce(sum(total_cents), 0) FROM invoices"),
        orders=db.rows(ORDERS),
        searches=db.rows(SEARCHES),
        reviews=db.rows(REVIEWS),
    )


def register(app: Flask) -> None:
    """Adds the pages."""
    app.add_url_rule("/", "dashboard", dashboard)
