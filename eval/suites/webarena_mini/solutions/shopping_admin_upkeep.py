"""Known solutions of tasks that change one thing, or the same of several."""

from __future__ import annotations

from collections.abc import Mapping

from eval.suites.webarena_mini.solutions.driver import Driver, LostError, Solution
from eval.suites.webarena_mini.solutions.shopping_admin_steps import (
    open_first,
    open_list,
    open_order,
    rows,
    save,
    search,
    submit,
    typed,
)
from eval.suites.webarena_mini.solutions.shopping_steps import spoken_date


def cancel_sale(d: Driver, values: Mapping[str, str]) -> None:
    open_order(d, values["number"])
    d.click("button", "Cancel")
    d.say("Done.")


def approve_review(d: Driver, values: Mapping[str, str]) -> None:
    open_list(d, "Reviews")
    search(d, Product=values["product"], Nickname=values["nickname"])
    open_first(d)
    d.select("Status", "Approved")
    save(d)


def coupon_longer(d: Driver, values: Mapping[str, str]) -> None:
    open_list(d, "Coupons")
    for row in rows(d):
        if row.cells["Coupon code"] == values["code"]:
            d.act("click", row.link)
            d.fill("End", typed(spoken_date(values["last"])))
            return save(d)
    raise LostError(f"no coupon {values['code']}")


def vague_moved(d: Driver, values: Mapping[str, str]) -> None:
    open_list(d, "All Customers", without_filters=True)
    search(d, Name=values["customer"])
    open_first(d)
    d.follow("Edit customer")
    d.fill("Street", values["street"])
    save(d)


def group_of_state(d: Driver, values: Mapping[str, str]) -> None:
    open_list(d, "All Customers", without_filters=True)
    d.fill("State/Province", values["state"])
    d.click("button", "Search")
    d.click("button", "Select All")
    submit(d, f"Assign Group: {values['group']}")
    d.say("Done.")


def delete_invoice(d: Driver, values: Mapping[str, str]) -> None:
    open_list(d, "Invoices")
    d.fill("Invoice #", values["number"])
    d.click("button", "Search")
    open_first(d)
    if not any("delete" in node.name.lower() for node in d.read().walk() if node.role in ("button", "link")):
        d.refuse()


SOLUTIONS: dict[str, Solution] = {
    solution.__name__: solution
    for solution in (cancel_sale, approve_review, coupon_longer, vague_moved, group_of_state, delete_invoice)
}
