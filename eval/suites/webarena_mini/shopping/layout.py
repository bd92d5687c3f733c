"""What all pages share: rendering with the header's data, and how money, dates and ratings are written."""

from __future__ import annotations

import datetime
import sqlite3

from flask import Response

from eval.suites.webarena_mini.site import db
from eval.suites.webarena_mini.site.layout import Crumbs, render

JUST_IN = "SELECT slug, name, price_cents FROM products ORDER BY added_on DESC, id LIMIT 5"


def page(template: str, title: str, *, crumbs: Crumbs | None = None, status: int = 200, **values: object) -> Response:
    """A whole page as a response."""
    navigation, children = [], {}
    for category in db.rows("SELECT id, slug, name, parent_id FROM categories ORDER BY id"):
        if category["parent_id"] is None:
            children[category["id"]] = leaves = list[sqlite3.Row]()
            navigation.append((category, leaves))
        else:
            children[category["parent_id"]].append(category)
    return render(
        template,
        title,
        crumbs=crumbs,
        status=status,
        navigation=navigation,
        customer_name=db.value("SELECT name FROM customer"),
        world={line["key"]: line["value"] for line in db.rows("SELECT key, value FROM world")},
        just_in=db.rows(JUST_IN),
        cart_count=db.value("SELECT coalesce(sum(quantity), 0) FROM cart_items"),
        **values,
    )


def day_first(iso: str) -> str:
    """How the account writes an order's date."""
    return f"{iso[8:10]}/{iso[5:7]}/{iso[:4]}"


def long_date(iso: str) -> str:
    """`5 March 2024`."""
    day = datetime.date.fromisoformat(iso)
    return f"{day.day} {day:%B %Y}"


FILTERS = (day_first, long_date)
