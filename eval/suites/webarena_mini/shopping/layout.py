"""What all pages share: rendering with the header's data, and how money, dates and ratings are written."""

from __future__ import annotations

import datetime
import sqlite3
from pathlib import Path

from flask import Flask, Response, redirect, render_template

from eval.suites.webarena_mini.shopping import db

FOLDER = Path(__file__).parent

JUST_IN = "SELECT slug, name, price_cents FROM products ORDER BY added_on DESC, id LIMIT 5"

Crumbs = list[tuple[str, str]]
"""(name, address) from the home page down; the page itself is not among them."""


def page(template: str, title: str, *, crumbs: Crumbs | None = None, status: int = 200, **values: object) -> Response:
    """A whole page as a response."""
    navigation, children = [], {}
    for category in db.rows("SELECT id, slug, name, parent_id FROM categories ORDER BY id"):
        if category["parent_id"] is None:
            children[category["id"]] = leaves = list[sqlite3.Row]()
            navigation.append((category, leaves))
        else:
            children[category["parent_id"]].append(category)
    html = render_template(
        template,
        title=title,
        crumbs=crumbs or [],
        navigation=navigation,
        customer_name=db.value("SELECT name FROM customer"),
        world={line["key"]: line["value"] for line in db.rows("SELECT key, value FROM world")},
        just_in=db.rows(JUST_IN),
        cart_count=db.value("SELECT coalesce(sum(quantity), 0) FROM cart_items"),
        notices=db.take_notices(),
        **values,
    )
    return Response(html, status=status)


def see(path: str) -> Response:
    """After a form was posted: look at this page."""
    response = redirect(path, code=303)
    assert isinstance(response, Response)
    return response


def money(cents: int) -> str:
    """`$1,234.50`."""
    return f"${cents / 100:,.2f}"


def day_first(iso: str) -> str:
    """How the account writes an order's date."""
    return f"{iso[8:10]}/{iso[5:7]}/{iso[:4]}"


def month_first(iso: str) -> str:
    """How the catalogue writes a review's date."""
    return f"{iso[5:7]}/{iso[8:10]}/{iso[:4]}"


def long_date(iso: str) -> str:
    """`5 March 2024`."""
    day = datetime.date.fromisoformat(iso)
    return f"{day.day} {day:%B %Y}"


def plural(count: int, word: str) -> str:
    """`1 review`, `2 reviews`."""
    return f"{count} {word}" if count == 1 else f"{count} {word}s"


def prepare(app: Flask) -> None:
    """Gives the templates their filters and helpers."""
    app.jinja_env.trim_blocks = True
    app.jinja_env.lstrip_blocks = True
    for filter_ in (money, day_first, month_first, long_date, plural):
        app.jinja_env.filters[filter_.__name__] = filter_
    app.jinja_env.globals["link"] = db.link
