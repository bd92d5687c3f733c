"""Lists of products: a category with its filters, and the search results."""

from __future__ import annotations

import re
import sqlite3
from collections import Counter
from collections.abc import Sequence

from flask import Flask, Response, abort, request

from eval.suites.webarena_mini.shopping import layout
from eval.suites.webarena_mini.site import db

PAGE_SIZE = 12
LONGEST_SEARCH = 128

RATING = "(SELECT avg(stars) FROM reviews r WHERE r.product_id = p.id)"
REVIEWS = "(SELECT count(*) FROM reviews r WHERE r.product_id = p.id)"
ORDERS = {
    "position": "p.id",
    "name": "p.name COLLATE NOCASE, p.id",
    "price_asc": "p.price_cents, p.id",
    "price_desc": "p.price_cents DESC, p.id",
    "rating": f"{RATING} DESC NULLS LAST, {REVIEWS} DESC, p.id",
    "newest": "p.added_on DESC, p.id",
}
SORTS = {
    "position": "Position",
    "name": "Product name",
    "price_asc": "Price: low to high",
    "price_desc": "Price: high to low",
    "rating": "Customer rating",
    "newest": "Newest",
}
BANDS = {"0-25": (0, 2500), "25-50": (2500, 5000), "50-100": (5000, 10_000), "100-": (10_000, 10**9)}
"""Price filter: from (included) and to (excluded), in cents."""
BAND_LABELS = {"0-25": "Under $25", "25-50": "$25 to $49.99", "50-100": "$50 to $99.99", "100-": "$100 and above"}

CATEGORY = """
SELECT c.id, c.slug, c.name, c.parent_id, up.slug AS parent_slug, up.name AS parent_name
FROM categories c LEFT JOIN categories up ON up.id = c.parent_id WHERE c.slug = ?
"""
IN_CATEGORY = """
SELECT p.id, p.brand, p.price_cents FROM products p JOIN categories c ON c.id = p.category_id
WHERE c.id = ? OR c.parent_id = ? ORDER BY {order}
"""
FOUND = """
SELECT p.id, c.slug, c.name, up.slug AS parent_slug FROM products p
JOIN categories c ON c.id = p.category_id JOIN categories up ON up.id = c.parent_id
WHERE p.id IN (SELECT product_id FROM search_words WHERE word IN ({marks}) GROUP BY product_id HAVING count(*) = ?)
ORDER BY {order}
"""
CARDS = f"SELECT p.*, {RATING} AS stars, {REVIEWS} AS review_count FROM products p WHERE p.id IN ({{marks}})"


def category(slug: str) -> Response:
    """A category: filters are links that keep the sort; the sort is a form of its own."""
    here = db.row(CATEGORY, slug)
    if here is None:
        abort(404)
    sort = _sort()
    listed = db.rows(IN_CATEGORY.format(order=ORDERS[sort]), here["id"], here["id"])
    brands = sorted({product["brand"] for product in listed})
    brand = request.args.get("brand", "")
    brand = brand if brand in brands else ""
    price = request.args.get("price", "")
    price = price if price in BANDS else ""
    of_brand = [product for product in listed if brand in ("", product["brand"])]
    of_price = [product for product in listed if not price or _in_band(product, price)]
    shown = [product["id"] for product in of_brand if not price or _in_band(product, price)]
    path = f"/category/{slug}"
    kept = "" if sort == "position" else sort

    def to(brand: str = brand, price: str = price, page: int | None = None) -> str:
        return db.link(path, brand=brand, price=price, sort=kept, page=page)

    active = [("Brand", brand, to(brand=""))] if brand else []
    if price:
        active.append(("Price", BAND_LABELS[price], to(price="")))
    brand_counts = Counter(product["brand"] for product in of_price)
    facets = {
        "Brand": [(name, brand_counts[name], to(brand=name)) for name in brands if brand_counts[name]]
        if not brand
        else [],
        "Price": [
            (BAND_LABELS[band], count, to(price=band))
            for band in BANDS
            if not price and (count := sum(_in_band(product, band) for product in of_brand))
        ],
    }
    crumbs = [("Home", "/")]
    if here["parent_id"]:
        crumbs.append((here["parent_name"], f"/category/{here['parent_slug']}"))
    children = db.rows("SELECT slug, name FROM categories WHERE parent_id = ? ORDER BY id", here["id"])
    number, pages = _paging(len(shown))
    return layout.page(
        "category.html",
        here["name"],
        crumbs=crumbs,
        path=path,
        children=children,
        facets=facets,
        active=active,
        sort=sort,
        sorts=SORTS,
        total=len(shown),
        products=_cards(shown, number),
        page=number,
        page_links=[(at, to(page=at if at > 1 else None)) for at in range(1, pages + 1)],
        first=(number - 1) * PAGE_SIZE + 1,
    )


def search() -> Response:
    """Products whose name and brand hold every word; refining by category starts from the default order again."""
    text = request.args.get("q", "").strip()[:LONGEST_SEARCH]
    sort = _sort()
    words = list(dict.fromkeys(re.findall(r"\w+", text.casefold())))
    listed: Sequence[sqlite3.Row] = []
    if words:
        sql = FOUND.format(marks=",".join("?" * len(words)), order=ORDERS[sort])
        listed = db.rows(sql, *words, len(words))
    here = db.row(CATEGORY, request.args.get("category", ""))
    slug = here["slug"] if here else ""
    shown = [product["id"] for product in listed if slug in ("", product["slug"], product["parent_slug"])]
    kept = "" if sort == "position" else sort
    counts = Counter((product["slug"], product["name"]) for product in listed)
    refine = [(name, count, db.link("/search", q=text, category=of)) for (of, name), count in sorted(counts.items())]
    number, pages = _paging(len(shown))
    return layout.page(
        "search.html",
        f"Search results for '{text}'" if text else "Search results",
        crumbs=[("Home", "/")],
        q=text,
        category=slug,
        here=here,
        refine=refine,
        everywhere=db.link("/search", q=text),
        sort=sort,
        sorts={**SORTS, "position": "Relevance"},
        total=len(shown),
        products=_cards(shown, number),
        page=number,
        page_links=[
            (at, db.link("/search", q=text, category=slug, sort=kept, page=at if at > 1 else None))
            for at in range(1, pages + 1)
        ],
        first=(number - 1) * PAGE_SIZE + 1,
    )


def _sort() -> str:
    wanted = request.args.get("sort", "position")
    return wanted if wanted in SORTS else "position"


def _in_band(product: sqlite3.Row, band: str) -> bool:
    low, high = BANDS[band]
    return bool(low <= product["price_cents"] < high)


def _paging(total: int) -> tuple[int, int]:
    """(this page, number of pages)."""
    pages = max(1, -(-total // PAGE_SIZE))
    return db.page_number("page", pages), pages


def _cards(ids: list[int], number: int) -> list[sqlite3.Row]:
    """The products of one page, in the list's order."""
    wanted = ids[(number - 1) * PAGE_SIZE : number * PAGE_SIZE]
    if not wanted:
        return []
    found = {product["id"]: product for product in db.rows(CARDS.format(marks=",".join("?" * len(wanted))), *wanted)}
    return [found[product_id] for product_id in wanted]


def register(app: Flask) -> None:
    """Adds the pages."""
    app.add_url_rule("/category/<slug>", "category", category)
    app.add_url_rule("/search", "search", search)
