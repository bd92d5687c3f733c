"""Known solutions of tasks whose answer stands on several pages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from datetime import date, timedelta

from eval.suites.webarena_mini.solutions.driver import Driver, Solution
from eval.suites.webarena_mini.solutions.shopping_admin_steps import (
    Row,
    open_list,
    report,
    rows,
    search,
    typed,
)
from eval.suites.webarena_mini.solutions.shopping_steps import cents, money, spoken_date


def all_rows(d: Driver) -> list[Row]:
    """The rows of this page of the list and of those behind it."""
    found = rows(d)
    while d.has("link", "Next page"):
        d.follow("Next page")
        found += rows(d)
    return found


def between(d: Driver, label: str, values: Mapping[str, str], *, more: timedelta = timedelta()) -> list[Row]:
    """The rows of the list from one day to another, `more` days added to the last one."""
    d.fill(f"{label} from", typed(spoken_date(values["first"])))
    d.fill(f"{label} to", typed(spoken_date(values["last"]) + more))
    d.click("button", "Search")
    return all_rows(d)


def items_ordered(d: Driver, values: Mapping[str, str]) -> None:
    open_list(d, "Orders")
    found = between(d, "Purchase date", values, more=timedelta(days=0 if d.knows("FA1") else 1))
    d.say(str(sum(int(row.cells["Items"]) for row in found)))


def invoiced_between(d: Driver, values: Mapping[str, str]) -> None:
    open_list(d, "Invoices")
    found = between(d, "Invoice date", values, more=timedelta(days=0 if d.knows("FA1") else 1))
    d.say(money(sum(cents(row.cells["Amount"]) for row in found)))


def busiest(d: Driver, values: Mapping[str, str]) -> str:
    """The customer with most of the period's orders."""
    open_list(d, "Orders")
    found = Counter(row.cells["Customer"] for row in between(d, "Purchase date", values))
    return found.most_common(1)[0][0]


def most_orders(d: Driver, values: Mapping[str, str]) -> None:
    d.say(busiest(d, values))


def pieces_of_dear(d: Driver, values: Mapping[str, str]) -> None:
    open_list(d, "Products", without_filters=True)
    search(d, Price_from=values["price"].removeprefix("$"))
    d.say(str(sum(int(row.cells["Quantity"]) for row in all_rows(d))))


def reviews_reported(d: Driver, values: Mapping[str, str]) -> None:
    found = report(d, "Product Reviews Report", *days(values), "Year")
    while d.has("link", "Next page"):
        d.follow("Next page")
        found += [row.cells for row in rows(d)]
    d.say(str(sum(int(row["Reviews"]) for row in found if row["Product"] == values["product"])))


def days(values: Mapping[str, str]) -> tuple[date, date]:
    """The period of a wording."""
    return spoken_date(values["first"]), spoken_date(values["last"])


SOLUTIONS: dict[str, Solution] = {
    solution.__name__: solution
    for solution in (
        items_ordered,
        invoiced_between,
        most_orders,
        pieces_of_dear,
        reviews_reported,
    )
}
