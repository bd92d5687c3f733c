"""A product: details, cart and wish list buttons, reviews in batches, and a form to write one."""

from __future__ import annotations

import sqlite3

from flask import Flask, Response, abort, request

from eval.suites.webarena_mini.shopping import layout
from eval.suites.webarena_mini.site import db
from eval.suites.webarena_mini.site.fields import Fields
from eval.suites.webarena_mini.site.layout import see

BATCH = 5

PRODUCT = """
SELECT p.*, c.slug AS category_slug, c.name AS category_name, up.slug AS parent_slug, up.name AS parent_name
FROM products p JOIN categories c ON c.id = p.category_id JOIN categories up ON up.id = c.parent_id WHERE p.slug = ?
"""
RATING = "SELECT count(*) AS review_count, avg(stars) AS stars FROM reviews WHERE product_id = ?"
REVIEWS = """
SELECT nickname, title, body, stars, posted_on FROM reviews WHERE product_id = ?
ORDER BY posted_on DESC, id DESC LIMIT ?
"""
NEW_REVIEW = "INSERT INTO reviews (product_id, nickname, title, body, stars, posted_on) VALUES (?, ?, ?, ?, ?, ?)"
IN_CART = "SELECT quantity FROM cart_items WHERE product_id = ?"
NEW_LINE = """
INSERT INTO cart_items (product_id, quantity) VALUES (?, ?)
ON CONFLICT (product_id) DO UPDATE SET quantity = quantity + excluded.quantity
"""


def find(slug: str) -> sqlite3.Row:
    """The product or the "not found" page."""
    found = db.row(PRODUCT, slug)
    if found is None:
        abort(404)
    return found


def product(slug: str) -> Response:
    """The page as one comes to it."""
    return _show(find(slug))


def _show(item: sqlite3.Row, *, errors: list[str] | None = None, quantity: str = "1") -> Response:
    rating = db.row(RATING, item["id"])
    assert rating is not None
    last = max(1, -(-rating["review_count"] // BATCH))
    batch = db.page_number("reviews", last)
    reviews = db.rows(REVIEWS, item["id"], batch * BATCH)
    if batch > 1:
        reviews = reviews[:BATCH] + reviews
    path = f"/product/{item['slug']}"
    crumbs = [
        ("Home", "/"),
        (item["parent_name"], f"/category/{item['parent_slug']}"),
        (item["category_name"], f"/category/{item['category_slug']}"),
    ]
    return layout.page(
        "product.html",
        item["name"],
        crumbs=crumbs,
        product=item,
        rating=rating,
        reviews=reviews,
        more=db.link(path, reviews=batch + 1) if batch < last else "",
        errors=errors or [],
        quantity=quantity,
        typed=request.form,
    )


def add_to_cart(slug: str) -> Response:
    """Puts a quantity into the cart, on top of what is there, as far as the stock allows."""
    item = find(slug)
    typed = request.form.get("qty", "1")[:12]
    quantity = db.whole_number(typed)
    error = add(item["id"], item["name"], item["stock"], quantity)
    if error:
        return _show(item, errors=[error], quantity=typed)
    db.notice(f"You added {item['name']} to your shopping cart.")
    return see(f"/product/{slug}")


def add(product_id: int, name: str, stock: int, quantity: int | None) -> str:
    """Adds to the cart; what is wrong, or nothing."""
    if not stock:
        return f"{name} is out of stock."
    if not quantity:
        return "Please enter a valid quantity: a whole number of at least 1."
    if (db.value(IN_CART, product_id) or 0) + quantity > stock:
        return f"The requested quantity of {name} is not available: {stock} in stock."
    with db.connection() as connection:
        connection.execute(NEW_LINE, (product_id, quantity))
    return ""


def add_to_wishlist(slug: str) -> Response:
    """One more entry of the wish list, also where the product stands there already."""
    item = find(slug)
    with db.connection() as connection:
        connection.execute(
            "INSERT INTO wishlist_items (product_id, note, added_on) VALUES (?, '', ?)", (item["id"], db.today())
        )
    db.notice(f"{item['name']} has been added to your Wish List.")
    return see("/account/wishlist")


def add_review(slug: str) -> Response:
    """Publishes a review at once; it is the newest."""
    item = find(slug)
    fields = Fields(request.form)
    stars = fields.choice("stars", "Rating", ("1", "2", "3", "4", "5"))
    nickname = fields.text("nickname", "Nickname", longest=60)
    title = fields.text("title", "Summary")
    body = fields.text("body", "Review", longest=4000)
    if fields.errors:
        return _show(item, errors=fields.errors)
    with db.connection() as connection:
        connection.execute(NEW_REVIEW, (item["id"], nickname, title, body, int(stars), db.today()))
    db.notice("Thank you, your review was published.")
    return see(f"/product/{slug}")


def register(app: Flask) -> None:
    """Adds the pages."""
    app.add_url_rule("/product/<slug>", "product", product)
    app.add_url_rule("/product/<slug>/cart", "add_to_cart", add_to_cart, methods=["POST"])
    app.add_url_rule("/product/<slug>/wishlist", "add_to_wishlist", add_to_wishlist, methods=["POST"])
    app.add_url_rule("/product/<slug>/reviews", "add_review", add_review, methods=["POST"])
