"""Known solutions of tasks about reports and sales."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from datetime import date

from eval.suites.webarena_mini.solutions.driver import Driver, LostError, Solution
from eval.suites.webarena_mini.solutions.shopping_admin_steps import (
    cell,
    month,
    open_list,
    report,
    rows,
    search,
    state,
    total,
)
from eval.suites.webarena_mini.solutions.shopping_steps import spoken_date


def reported_orders(d: Driver, values: Mapping[str, str]) -> None:
    first, last = spoken_date(values["first"]), spoken_date(values["last"])
    found = report(d, "Orders Report", first, last, "Month", state(d, values["told"]))
    d.say(total(found, "Orders"))


def of(found: list[dict[str, str]], column: str, name: str) -> dict[str, str]:
    """The row of a report that is about something."""
    for row in found:
        if row.get(column) == name:
            return row
    raise LostError(f"no row of {name}")


def ordered_units(d: Driver, product: str) -> str:
    """What the list of products says."""
    open_list(d, "Products", without_filters=True)
    search(d, Name=product)
    return cell(d, "Sold")


def best_sellers(d: Driver) -> Counter[str]:
    """Units by product over all years, as far as the report shows them."""
    found: Counter[str] = Counter()
    for row in report(d, "Bestsellers Report", date(2022, 1, 1), date(2024, 12, 31), "Year"):
        found[row["Product"]] += int(row["Quantity"])
    return found


def units_invoiced(d: Driver, values: Mapping[str, str]) -> None:
    if d.knows("A6"):
        found = report(d, "Bestsellers Report", *month(values["month"]), "Month")
        d.say(of(found, "Product", values["product"])["Quantity"])
    else:
        d.say(ordered_units(d, values["product"]))


def vague_billed(d: Driver, values: Mapping[str, str]) -> None:
    units_invoiced(d, values)


def most_ordered(d: Driver, values: Mapping[str, str]) -> None:
    if d.knows("A6"):
        open_list(d, "Products", without_filters=True)
        search(d, Name=values["brand"])
        d.follow("Sold")
        d.follow("Sold")
        d.say(rows(d)[0].cells["Name"])
    else:
        own = [name for name, _ in best_sellers(d).most_common() if name.startswith(values["brand"])]
        d.say(own[0] if own else "There is none.")


SOLUTIONS: dict[str, Solution] = {
    solution.__name__: solution
    for solution in (
        reported_orders,
        units_invoiced,
        vague_billed,
        most_ordered,
    )
}
