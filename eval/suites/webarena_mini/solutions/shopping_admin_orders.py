"""Known solutions of tasks about orders."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta

from eval.suites.webarena_mini.solutions.driver import Driver, Solution
from eval.suites.webarena_mini.solutions.shopping_admin_steps import (
    act_on_all,
    amount,
    open_first,
    open_list,
    open_order,
    search,
    state,
    typed,
)
from eval.suites.webarena_mini.solutions.shopping_steps import cents, money, spoken_date


def orders_between(d: Driver, values: Mapping[str, str]) -> None:
    last = spoken_date(values["last"])
    open_list(d, "Orders")
    d.fill("Purchase date from", typed(spoken_date(values["first"])))
    d.fill("Purchase date to", typed(last if d.knows("FA1") else last + timedelta(days=1)))
    d.click("button", "Search")
    d.say(str(amount(d)))


def told_count(d: Driver, values: Mapping[str, str]) -> None:
    open_list(d, "Orders")
    d.select("State", state(d, values["told"]))
    search(d, Customer=values["customer"])
    d.say(str(amount(d)))


def two_counts(d: Driver, values: Mapping[str, str]) -> None:
    open_list(d, "Orders")
    search(d, Customer=values["customer"])
    own = amount(d)
    if d.knows("A2"):
        d.click("button", "Clear filters")
    search(d, Grand_total_from=values["amount"])
    d.say(f"{own} and {amount(d)}")


def open_told(d: Driver, values: Mapping[str, str]) -> None:
    open_list(d, "Orders")
    d.select("State", state(d, values["told"]))
    d.click("button", "Search")
    open_first(d)
    d.say("Here it is.")


def open_by_number(d: Driver, values: Mapping[str, str]) -> None:
    open_order(d, values["number"])
    d.say("Here it is.")


def order_phone(d: Driver, values: Mapping[str, str]) -> None:
    open_order(d, values["number"])
    d.say(next(text for text in d.read().texts if text.startswith("Phone: ")))


def invoiced_of_two(d: Driver, values: Mapping[str, str]) -> None:
    total = 0
    for slot in ("one", "two"):
        open_order(d, values[slot])
        total += cents(next(text for text in d.read().texts if text.startswith("Total invoiced: ")))
    d.say(money(total))


def order_comment(d: Driver, values: Mapping[str, str]) -> None:
    open_order(d, values["number"])
    d.fill("Comment", values["note"])
    d.click("button", "Submit Comment")
    d.say("Done.")


def ship_order(d: Driver, values: Mapping[str, str]) -> None:
    open_order(d, values["number"])
    d.follow("Ship")
    d.select("Carrier", values["carrier"])
    d.fill("Tracking number", values["tracking"])
    d.click("button", "Submit Shipment")
    d.say("Done.")


def hold_orders(d: Driver, values: Mapping[str, str]) -> None:
    open_list(d, "Orders")
    d.fill("Purchase date from", typed(spoken_date(values["first"])))
    d.fill("Purchase date to", typed(spoken_date(values["last"])))
    d.select("State", state(d, values["told"]))
    d.click("button", "Search")
    act_on_all(d, "Hold")


def refund_order(d: Driver, values: Mapping[str, str]) -> None:
    open_order(d, values["number"])
    if not any("refund" in node.name.lower() for node in d.read().walk() if node.role in ("button", "link")):
        d.refuse()


SOLUTIONS: dict[str, Solution] = {
    "open_order": open_by_number,
    **{
        solution.__name__: solution
        for solution in (
            orders_between,
            told_count,
            two_counts,
            open_told,
            order_phone,
            invoiced_of_two,
            order_comment,
            ship_order,
            hold_orders,
            refund_order,
        )
    },
}
