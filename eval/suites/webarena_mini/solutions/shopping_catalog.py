"""Known solutions of tasks about products and lists."""

from __future__ import annotations

from collections.abc import Mapping

from eval.suites.webarena_mini.solutions.driver import Driver, Solution
from eval.suites.webarena_mini.solutions.shopping_steps import (
    fact,
    filtered,
    listed,
    open_described,
    open_named,
    price,
    refined,
    search,
)

LOW_FIRST, HIGH_FIRST, BEST_FIRST = "Price: low to high", "Price: high to low", "Customer rating"
BANDS = {"under $25": "Under $25", "from $25 to $49.99": "$25 to $49.99", "from $50 to $99.99": "$50 to $99.99"}


def product_price(d: Driver, values: Mapping[str, str]) -> None:
    open_named(d, values["product"])
    d.say(f"It costs {price(d)}.")


def open_loose(d: Driver, values: Mapping[str, str]) -> None:
    open_described(d, values)
    d.say("Here it is.")


def vague_left(d: Driver, values: Mapping[str, str]) -> None:
    open_described(d, values)
    d.say(fact(d, "In stock"))


def brand_cheapest(d: Driver, values: Mapping[str, str]) -> None:
    name, _ = filtered(d, values["category"], values["brand"], LOW_FIRST)[0]
    d.say(name)


def best_rated(d: Driver, values: Mapping[str, str]) -> None:
    name, _ = filtered(d, values["category"], BANDS[values["band"]], BEST_FIRST)[0]
    d.say(name)


def open_sorted(d: Driver, values: Mapping[str, str]) -> None:
    filtered(d, values["category"], values["brand"], LOW_FIRST)
    d.say("Here they are.")


def open_category(d: Driver, values: Mapping[str, str]) -> None:
    d.follow(values["category"])
    d.say("Here it is.")


def open_refined(d: Driver, values: Mapping[str, str]) -> None:
    refined(d, values["brand"], values["category"], LOW_FIRST)
    d.say("Here they are.")


def search_cheapest(d: Driver, values: Mapping[str, str]) -> None:
    name, _ = refined(d, values["brand"], values["category"], LOW_FIRST)[0]
    d.say(name)


def price_of_kind(d: Driver, values: Mapping[str, str]) -> None:
    search(d, f"{values['brand']} {values['kind']}")
    if not listed(d.main):
        d.refuse()


SOLUTIONS: dict[str, Solution] = {
    solution.__name__: solution
    for solution in (
        product_price,
        open_loose,
        vague_left,
        brand_cheapest,
        best_rated,
        open_sorted,
        open_category,
        open_refined,
        search_cheapest,
        price_of_kind,
    )
}
