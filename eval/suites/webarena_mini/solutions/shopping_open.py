"""Known solutions of tasks that end on a page of the shop."""

from __future__ import annotations

from collections.abc import Mapping

from eval.suites.webarena_mini.solutions.driver import Driver, Solution
from eval.suites.webarena_mini.solutions.shopping_catalog import BANDS, BEST_FIRST, LOW_FIRST
from eval.suites.webarena_mini.solutions.shopping_steps import (
    filter_orders,
    filtered,
    open_orders,
    spoken_date,
)
from eval.suites.webarena_mini.solutions.shopping_steps import open_order as open_by_number


def show_band(d: Driver, values: Mapping[str, str]) -> None:
    filtered(d, values["category"], BANDS[values["band"]], BEST_FIRST)
    d.say("Here they are.")


def open_cheapest(d: Driver, values: Mapping[str, str]) -> None:
    name, _ = filtered(d, values["category"], values["brand"], LOW_FIRST)[0]
    d.follow(name)
    d.say("Here it is.")


def show_orders(d: Driver, values: Mapping[str, str]) -> None:
    filter_orders(d, spoken_date(values["first"]), spoken_date(values["last"]))
    d.say("Here they are.")


def show_order(d: Driver, values: Mapping[str, str]) -> None:
    open_orders(d)
    open_by_number(d, values["number"])
    d.say("Here it is.")


SOLUTIONS: dict[str, Solution] = {
    solution.__name__: solution for solution in (show_band, open_cheapest, show_orders, show_order)
}
