"""The home page, the pages of text and the product pictures."""

from __future__ import annotations

from flask import Flask, Response, abort
from markupsafe import escape

from eval.suites.webarena_mini.shopping import layout
from eval.suites.webarena_mini.site import db

NEWEST = """
SELECT p.*, count(r.id) AS review_count, avg(r.stars) AS stars
FROM products p LEFT JOIN reviews r ON r.product_id = p.id
WHERE p.id IN (SELECT id FROM products ORDER BY added_on DESC, id LIMIT 8)
GROUP BY p.id ORDER BY p.added_on DESC, p.id
"""
TEXTS = {"about": "About us", "shipping": "Shipping", "returns": "Returns", "privacy": "Privacy policy"}


def home() -> Response:
    """Welcome and the newest products."""
    return layout.page("home.html", "Home", products=db.rows(NEWEST))


def text_page(name: str) -> Response:
    """About, shipping, returns, privacy."""
    return layout.page("text.html", TEXTS[name], crumbs=[("Home", "/")], name=name)


def terms() -> Response:
    """Terms and conditions, by far the longest page."""
    lines = db.rows("SELECT kind, text FROM terms ORDER BY id")
    return layout.page("terms.html", "Terms and Conditions", crumbs=[("Home", "/")], lines=lines)


def picture(slug: str) -> Response:
    """A plain drawing in place of a photograph."""
    name = db.value("SELECT name FROM products WHERE slug = ?", slug)
    if name is None:
        abort(404)
    initials = escape("".join(word[0] for word in str(name).split()[:3]))
    svg = (
        '<svg xmlns="http://www.w3.org/2000/svg" width="120" height="120">'
        '<rect width="120" height="120" fill="#e4ebe5"/>'
        f'<text x="60" y="72" font-size="32" text-anchor="middle" fill="#35524a">{initials}</text></svg>'
    )
    return Response(svg, mimetype="image/svg+xml")


def register(app: Flask) -> None:
    """Adds the pages."""
    app.add_url_rule("/", "home", home)
    app.add_url_rule("/picture/<slug>.svg", "picture", picture)
    for name in TEXTS:
        app.add_url_rule(f"/{name}", name, text_page, defaults={"name": name})
    app.add_url_rule("/terms", "terms", terms)
