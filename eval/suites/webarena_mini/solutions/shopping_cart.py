"""Known solutions of tasks about cart, wish list, checkout and reviews to write."""

from __future__ import annotations

from collections.abc import Mapping

from eval.suites.webarena_mini.solutions.driver import Driver, LostError, Solution
from eval.suites.webarena_mini.solutions.shopping_steps import (
    confirm,
    entries,
    open_described,
    open_named,
    open_order,
    open_orders,
)

METHODS = {"standard shipping": "Standard", "express shipping": "Express", "store pickup": "Store pickup"}


def put_into_cart(d: Driver, number: str) -> None:
    """So many of the product whose page is open."""
    d.fill("Quantity", number)
    d.click("button", "Add to Cart")


def cart_add(d: Driver, values: Mapping[str, str]) -> None:
    open_named(d, values["product"])
    put_into_cart(d, values["number"])
    d.say("Done.")


def vague_more(d: Driver, values: Mapping[str, str]) -> None:
    cart_add(d, values)


def cart_two(d: Driver, values: Mapping[str, str]) -> None:
    for product, number in (("first", "n"), ("second", "m")):
        open_named(d, values[product])
        put_into_cart(d, values[number])
    d.say("Done.")


def cart_add_loose(d: Driver, values: Mapping[str, str]) -> None:
    open_described(d, values)
    put_into_cart(d, values["number"])
    d.say("Done.")


def open_cart(d: Driver) -> None:
    """The cart, whose link tells how much is in it."""
    d.follow(next(node.name for node in d.page.all("link") if node.name.startswith("My Cart")))


def cart_quantity(d: Driver, values: Mapping[str, str]) -> None:
    open_cart(d)
    row = next(row for row in d.main.all("row") if row.cells[0] == values["product"])
    d.fill("Qty", values["number"], inside=row)
    confirm(d, "Update Cart")


def checkout(d: Driver, values: Mapping[str, str]) -> None:
    open_cart(d)
    order_all(d, values)


def order_all(d: Driver, values: Mapping[str, str]) -> None:
    """What is in the cart, whose page is open."""
    d.follow("Proceed to Checkout")
    for part in (f", {values['city']}, ", METHODS[values["method"]]):
        d.act("click", next(node.bid for node in d.main.all("radio") if part in node.name))
    d.click("button", "Review Order")
    d.click("button", "Place Order")
    d.say("Done.")


def reorder(d: Driver, values: Mapping[str, str]) -> None:
    open_orders(d)
    open_order(d, values["number"])
    d.click("button", "Reorder")
    d.say("Done.")


def order_again(d: Driver, values: Mapping[str, str]) -> None:
    open_orders(d)
    open_order(d, values["number"])
    d.click("button", "Reorder")
    order_all(d, values)


def wish(d: Driver) -> None:
    """The product whose page is open, and the end."""
    d.click("button", "Add to Wish List")
    d.say("Done.")


def wishlist_two(d: Driver, values: Mapping[str, str]) -> None:
    open_named(d, values["first"])
    d.click("button", "Add to Wish List")
    open_named(d, values["second"])
    wish(d)


def wishlist_add_loose(d: Driver, values: Mapping[str, str]) -> None:
    open_described(d, values)
    wish(d)


def vague_keep(d: Driver, values: Mapping[str, str]) -> None:
    open_described(d, values)
    wish(d)


def wishlist_count(d: Driver, values: Mapping[str, str]) -> None:
    d.say(str(sum(entry[0].split()[0] == values["brand"] for entry in entries(d))))


def write_review(d: Driver, values: Mapping[str, str]) -> None:
    open_named(d, values["product"])
    d.select("Rating", f"{values['stars']} star{'s' * (values['stars'] != '1')}")
    d.fill("Nickname", values["nickname"])
    d.fill("Summary", values["title"])
    d.fill("Review", values["text"])
    d.click("button", "Submit Review")
    if d.has("alert", ""):
        raise LostError("the review was not taken")
    d.say("Done.")


SOLUTIONS: dict[str, Solution] = {
    solution.__name__: solution
    for solution in (
        cart_add_loose,
        vague_more,
        cart_two,
        cart_quantity,
        checkout,
        reorder,
        order_again,
        wishlist_two,
        wishlist_add_loose,
        vague_keep,
        wishlist_count,
        write_review,
    )
}
