"""Tasks that end on a page of the shop, which must be the right one and show the right things."""

from __future__ import annotations

import random
from collections.abc import Iterator

from eval.suites.webarena_mini.tasks.base import Draft, Template
from eval.suites.webarena_mini.tasks.gold import at_page, page
from eval.suites.webarena_mini.tasks.shopping_catalog import BANDS, PRODUCT, banded, ranged
from eval.suites.webarena_mini.tasks.shopping_orders import ORDERS, misread, period, periods
from eval.suites.webarena_mini.tasks.shopping_view import Shop, money


def show_band(shop: Shop, rng: random.Random) -> Iterator[Draft]:
    """The category's best rated product costs more or less, and the band's is not listed first."""
    for category, band, best in banded(shop, rng):
        low, high = (cents // 100 for cents in BANDS[band])
        url = f"__SHOPPING__/category/{category.slug}?price={low}-{high}&sort=rating"
        checks = [page("last", "#products li:first-child", best.name)]
        yield Draft({"category": category.name, "band": band}, at_page(url, checks))


def open_cheapest(shop: Shop, rng: random.Random) -> Iterator[Draft]:
    """The category's cheapest product is of another brand."""
    for top, brand, (cheapest, *_) in ranged(shop, rng, 3):
        gold = at_page(PRODUCT + cheapest.slug, [page("last", "h1", cheapest.name), page("last", "main", cheapest.sku)])
        if shop.own_name(cheapest):
            yield Draft({"brand": brand, "category": top.name}, gold)


def show_orders(shop: Shop, rng: random.Random) -> Iterator[Draft]:
    """Who swaps day and month gets another list."""
    for first, last, found in periods(shop, rng, 3, 9):
        if found not in misread(shop, first, last):
            checks = [page("last", "#amount", f"{len(found)} orders")]
            checks += [page("last", "main", order.number) for order in (found[0], found[-1])]
            yield Draft(period(first, last), at_page(ORDERS.rstrip("/"), checks))


def show_order(shop: Shop, rng: random.Random) -> Iterator[Draft]:
    """An order that stands on one of the first two pages of the list."""
    for order in rng.sample(shop.orders[:20], 20):
        check = page("last", "#order-lines", order.lines[0].name, money(order.total))
        yield Draft({"number": order.number}, at_page(ORDERS + order.number, [check]))


TEMPLATES = (
    Template(
        id=121,
        name="show_band",
        make=show_band,
        count=2,
        kind="navigation",
        needs=("C2",),
        wording="Show me the {{category}} products priced {{band}}, those with the best customer rating first.",
    ),
    Template(
        id=122,
        name="open_cheapest",
        make=open_cheapest,
        count=2,
        kind="navigation",
        needs=("C2",),
        wording="Open the page of the least expensive {{brand}} product in {{category}}.",
    ),
    Template(
        id=123,
        name="show_orders",
        make=show_orders,
        count=2,
        kind="navigation",
        needs=("C6",),
        wording="Show me the list of the orders that I placed from {{first}} to {{last}}, and of no others.",
    ),
    Template(
        id=124,
        name="show_order",
        make=show_order,
        count=2,
        kind="navigation",
        difficulty="easy",
        wording="Open the page of my order {{number}}.",
    ),
)
