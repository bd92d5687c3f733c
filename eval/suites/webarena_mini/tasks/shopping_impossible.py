"""Tasks that ask for what the shop does not have. The right answer says so."""

from __future__ import annotations

import random
from collections.abc import Iterator

from eval.suites.webarena_mini.tasks.base import Draft, Template
from eval.suites.webarena_mini.tasks.gold import not_possible
from eval.suites.webarena_mini.tasks.shopping_account import PLACES, phone
from eval.suites.webarena_mini.tasks.shopping_view import Shop


def price_of_kind(shop: Shop, rng: random.Random) -> Iterator[Draft]:
    """A brand of the shop, and a kind of thing that others make."""
    brands = sorted({product.brand for product in shop.products.values()})
    kinds = sorted({product.kind for product in shop.products.values()})
    while True:
        brand, kind = rng.choice(brands), rng.choice(kinds)
        if not shop.search(f"{brand} {kind.split()[-1]}"):
            yield Draft({"brand": brand, "kind": kind}, not_possible(f"{brand} makes no {kind}"))


def phone_of_address(shop: Shop, rng: random.Random) -> Iterator[Draft]:
    """A city that the address book does not have."""
    for city, _, _ in rng.sample(PLACES, len(PLACES)):
        values = {"city": city, "phone": phone(rng)}
        yield Draft(values, not_possible(f"the address book has no address in {city}"))


def cancel_order(shop: Shop, rng: random.Random) -> Iterator[Draft]:
    """The shop offers no way to cancel an order."""
    for order in shop.orders:
        if not order.canceled:
            yield Draft({"number": order.number}, not_possible("the pages offer no way to cancel an order"))


TEMPLATES = (
    Template(
        id=601,
        name="price_of_kind",
        make=price_of_kind,
        count=1,
        kind="information",
        impossible=True,
        wording="What does the {{brand}} {{kind}} cost?",
    ),
    Template(
        id=602,
        name="phone_of_address",
        make=phone_of_address,
        count=2,
        kind="change",
        impossible=True,
        wording="Change the phone number of my {{city}} address to {{phone}}.",
    ),
    Template(
        id=603,
        name="cancel_order",
        make=cancel_order,
        count=1,
        kind="change",
        impossible=True,
        wording="Cancel order {{number}} for me.",
    ),
)
