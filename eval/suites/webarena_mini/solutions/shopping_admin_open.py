"""Known solutions of tasks that end on a page of the back office."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta

from eval.suites.webarena_mini.solutions.driver import Driver, Solution
from eval.suites.webarena_mini.solutions.shopping_admin_steps import (
    month,
    open_first,
    open_list,
    report,
    search,
    state,
    typed,
)
from eval.suites.webarena_mini.solutions.shopping_admin_sums import busiest
from eval.suites.webarena_mini.solutions.shopping_steps import spoken_date


def show_told(d: Driver, values: Mapping[str, str]) -> None:
    open_list(d, "Orders")
    d.select("State", state(d, values["told"]))
    d.click("button", "Search")
    d.say("Here they are.")


def show_placed(d: Driver, values: Mapping[str, str]) -> None:
    last = spoken_date(values["last"])
    open_list(d, "Orders")
    d.fill("Purchase date from", typed(spoken_date(values["first"])))
    d.fill("Purchase date to", typed(last if d.knows("FA1") else last + timedelta(days=1)))
    d.click("button", "Search")
    d.say("Here they are.")


def show_catalog(d: Driver, values: Mapping[str, str]) -> None:
    open_list(d, "Products", without_filters=True)
    search(d, Name=values["brand"])
    d.say("Here they are.")


def open_customer(d: Driver, values: Mapping[str, str]) -> None:
    open_list(d, "All Customers", without_filters=True)
    search(d, Name=values["customer"])
    open_first(d)
    d.say("Here it is.")


def open_busiest(d: Driver, values: Mapping[str, str]) -> None:
    name = busiest(d, values)
    open_list(d, "All Customers", without_filters=True)
    search(d, Name=name)
    open_first(d)
    d.say("Here it is.")


def open_review(d: Driver, values: Mapping[str, str]) -> None:
    open_list(d, "Reviews")
    search(d, Product=values["product"], Nickname=values["nickname"])
    open_first(d)
    d.say("Here it is.")


def show_sales(d: Driver, values: Mapping[str, str]) -> None:
    report(d, "Orders Report", spoken_date(values["first"]), spoken_date(values["last"]), "Month")
    d.say("Here it is.")


def show_best(d: Driver, values: Mapping[str, str]) -> None:
    report(d, "Bestsellers Report", *month(values["month"]), "Month")
    d.say("Here it is.")


SOLUTIONS: dict[str, Solution] = {
    solution.__name__: solution
    for solution in (
        show_told,
        show_placed,
        show_catalog,
        open_customer,
        open_busiest,
        open_review,
        show_sales,
        show_best,
    )
}
