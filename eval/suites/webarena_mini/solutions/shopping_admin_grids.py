"""Known solutions of tasks about products, customers, reviews and coupons."""

from __future__ import annotations

from collections.abc import Mapping

from eval.suites.webarena_mini.solutions.driver import Driver, Solution
from eval.suites.webarena_mini.solutions.shopping_admin_steps import (
    act_on_all,
    amount,
    cell,
    open_first,
    open_list,
    rows,
    save,
    search,
    typed,
)
from eval.suites.webarena_mini.solutions.shopping_steps import spoken_date


def vague_left_over(d: Driver, values: Mapping[str, str]) -> None:
    open_list(d, "Products", without_filters=True)
    search(d, Name=values["product"])
    d.say(cell(d, "Quantity"))


def price_change(d: Driver, values: Mapping[str, str]) -> None:
    open_list(d, "Products", without_filters=True)
    search(d, SKU=values["sku"])
    open_first(d)
    d.fill("Price", values["price"].removeprefix("$"))
    save(d)


def customer_phone(d: Driver, values: Mapping[str, str]) -> None:
    open_list(d, "All Customers", without_filters=True)
    search(d, Name=values["customer"])
    open_first(d)
    d.follow("Edit customer")
    d.fill("Phone", values["phone"])
    save(d)


def vague_email(d: Driver, values: Mapping[str, str]) -> None:
    open_list(d, "All Customers", without_filters=True)
    search(d, Name=values["customer"])
    d.say(f"Write to {cell(d, 'Email')}")


def disable_dear(d: Driver, values: Mapping[str, str]) -> None:
    # that only enabled products are listed does no harm here
    open_list(d, "Products")
    search(d, Price_from=values["price"].removeprefix("$"))
    act_on_all(d, "Change Status: Disabled")


def disable_scarce(d: Driver, values: Mapping[str, str]) -> None:
    open_list(d, "Products")
    search(d, Quantity_to=values["most"])
    act_on_all(d, "Change Status: Disabled")


def approve_reviews(d: Driver, values: Mapping[str, str]) -> None:
    open_list(d, "Reviews")
    d.fill("Created from", typed(spoken_date(values["first"])))
    d.fill("Created to", typed(spoken_date(values["last"])))
    d.select("Status", "Pending")
    d.click("button", "Search")
    act_on_all(d, "Update Status: Approved")


def coupons(d: Driver, status: str) -> None:
    """The list of the coupons of a status."""
    open_list(d, "Coupons")
    if d.knows("FA2"):
        d.follow(status)
    else:
        d.select("Status", status)
        d.click("button", "Search")


def coupon_count(d: Driver, values: Mapping[str, str]) -> None:
    coupons(d, values["status"].capitalize())
    d.say(str(amount(d)))


def open_coupons(d: Driver, values: Mapping[str, str]) -> None:
    coupons(d, values["status"].capitalize())
    d.say("Here they are.")


def coupon_new(d: Driver, values: Mapping[str, str]) -> None:
    open_list(d, "Coupons")
    d.follow("Add New Coupon")
    d.fill("Coupon code", values["code"])
    d.fill("Discount percent", values["percent"])
    d.fill("Start", typed(spoken_date(values["first"])))
    d.fill("End", typed(spoken_date(values["last"])))
    d.select("Status", "Active")
    save(d)


def coupon_uses(d: Driver, values: Mapping[str, str]) -> None:
    open_list(d, "Coupons")
    if all(row.cells["Coupon code"] != values["code"] for row in rows(d)):
        d.refuse()


SOLUTIONS: dict[str, Solution] = {
    solution.__name__: solution
    for solution in (
        vague_left_over,
        price_change,
        customer_phone,
        vague_email,
        disable_dear,
        disable_scarce,
        approve_reviews,
        coupon_count,
        open_coupons,
        coupon_new,
        coupon_uses,
    )
}
