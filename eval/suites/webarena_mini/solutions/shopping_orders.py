"""Known solutions of tasks about orders."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from eval.suites.webarena_mini.solutions.driver import Driver, LostError, Solution
from eval.suites.webarena_mini.solutions.shopping_steps import (
    OrderRow,
    filter_orders,
    money,
    open_order,
    open_orders,
    order_lines,
    rest_of_list,
    rows_of_page,
    spoken_date,
)

SEASONS = {
    "first two months": ((1, 1), (2, 28)),
    "spring": ((3, 1), (5, 31)),
    "summer": ((6, 1), (8, 31)),
    "fall": ((9, 1), (11, 30)),
}


def in_period(d: Driver, values: Mapping[str, str]) -> list[OrderRow]:
    """The orders between the two dates of the wording."""
    filter_orders(d, spoken_date(values["first"]), spoken_date(values["last"]))
    return rest_of_list(d)


def that_count(d: Driver, orders: list[OrderRow]) -> list[OrderRow]:
    """Those for which money was spent."""
    return [order for order in orders if not (d.knows("C3") and order.status == "Canceled")]


def spent_in_period(d: Driver, values: Mapping[str, str]) -> None:
    d.say(money(sum(order.total for order in that_count(d, in_period(d, values)))))


def orders_placed(d: Driver, values: Mapping[str, str]) -> None:
    orders = in_period(d, values)
    d.say(str(len(orders if d.knows("F2") else [order for order in orders if order.status != "Canceled"])))


def spent_on_brand(d: Driver, values: Mapping[str, str]) -> None:
    total = 0
    for order in that_count(d, in_period(d, values)):
        d.act("click", order.link)
        total += sum(line.subtotal for line in order_lines(d) if line.name.split()[0] == values["brand"])
        d.back()
    d.say(money(total))


def last_order_with(d: Driver, values: Mapping[str, str]) -> None:
    open_orders(d)
    for order in rows_of_page(d):
        d.act("click", order.link)
        if any(line.name == values["product"] for line in order_lines(d)):
            return d.say(order.day.isoformat())
        d.back()
    raise LostError("in none of the newest orders")


def open_recent(d: Driver, values: Mapping[str, str]) -> None:
    open_orders(d)
    d.select("Status", values["status"].capitalize())
    d.click("button", "Apply filter")
    d.act("click", rows_of_page(d)[0].link)
    d.say("Here it is.")


def vague_price_paid(d: Driver, values: Mapping[str, str]) -> None:
    season, _, year = values["when"].rpartition(" of ")
    first, last = (date(int(year), *day) for day in SEASONS[season])
    filter_orders(d, first, last)
    for order in rest_of_list(d):
        d.act("click", order.link)
        for line in order_lines(d):
            if f" {values['kind']} " in f" {line.name.lower()} ":
                return d.say(f"You paid {money(line.price)}.")
        d.back()
    raise LostError("no such thing in any of the orders")


def cancel_order(d: Driver, values: Mapping[str, str]) -> None:
    open_orders(d)
    open_order(d, values["number"])
    if not any("cancel" in node.name.lower() for node in d.main.walk() if node.role in ("button", "link")):
        d.refuse()


SOLUTIONS: dict[str, Solution] = {
    solution.__name__: solution
    for solution in (
        spent_in_period,
        orders_placed,
        spent_on_brand,
        last_order_with,
        open_recent,
        vague_price_paid,
        cancel_order,
    )
}
