"""Known solutions of tasks about orders."""

from __future__ import annotations

from collections.abc import Mapping

from eval.suites.webarena_mini.solutions.driver import Driver, Solution
from eval.suites.webarena_mini.solutions.shopping_admin_steps import (
    act_on_all,
    open_first,
    open_list,
    open_order,
    state,
    typed,
)
from eval.suites.webarena_mini.solutions.shopping_steps import spoken_date


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
            open_told,
            order_phone,
            order_comment,
            ship_order,
            hold_orders,
            refund_order,
        )
    },
}
