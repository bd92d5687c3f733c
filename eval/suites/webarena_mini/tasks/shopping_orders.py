"""Tasks about what the customer has ordered and paid."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from datetime import date

from eval.suites.webarena_mini.tasks.base import Draft, Template
from eval.suites.webarena_mini.tasks.gold import at_url, exact, fuzzy, includes
from eval.suites.webarena_mini.tasks.shopping_view import Order, Shop, long_date, money, swapped

ORDERS = "__SHOPPING__/account/orders/"
NEWEST = 9
"""How many of the newest orders a patient reader opens one after the other."""
SEASONS = {"first two months": (1, 2, 28), "spring": (3, 5, 31), "summer": (6, 8, 31), "fall": (9, 11, 30)}
"""First month, last month, last day."""


def periods(shop: Shop, rng: random.Random, fewest: int, most: int) -> Iterator[tuple[date, date, list[Order]]]:
    """Periods whose bounds can be read with day and month swapped, with the orders placed in them."""
    days = [date(year, month, day) for year in shop.years for month in range(1, 13) for day in range(1, 13)]
    days = [day for day in days if day.day != day.month and day < shop.today]
    for first in rng.sample(days * 4, len(days) * 4):
        last = rng.choice(days)
        found = shop.placed(first, last)
        if fewest <= len(found) <= most and 45 <= (last - first).days <= 320:
            yield first, last, found


def misread(shop: Shop, first: date, last: date) -> list[list[Order]]:
    """The orders of a period for who swaps day and month: when typing the bounds, and when reading the dates."""
    typed = shop.placed(swapped(first) or first, swapped(last) or last)
    read = [order for order in shop.orders if first <= (swapped(order.day) or order.day) <= last]
    return [typed, read]


def telling(
    shop: Shop, rng: random.Random, most: int, measure: Callable[[list[Order]], int | None], skips_canceled: bool
) -> Iterator[tuple[date, date, int]]:
    """Periods where each mistake changes the measure: (first, last, right measure)."""
    for first, last, found in periods(shop, rng, 3, most):
        kept = [order for order in found if not order.canceled]
        right, other = (kept, found) if skips_canceled else (found, kept)
        swaps = misread(shop, first, last)
        if skips_canceled:
            swaps = [[order for order in orders if not order.canceled] for orders in swaps]
        value = measure(right)
        if value and value not in [measure(orders) for orders in (other, *swaps)]:
            yield first, last, value


def spaced(found: Iterator[tuple[date, date, int]]) -> Iterator[tuple[date, date, int]]:
    """Only periods of which no two begin in the same month."""
    seen: set[tuple[int, int]] = set()
    for first, last, value in found:
        if (first.year, first.month) not in seen:
            seen.add((first.year, first.month))
            yield first, last, value


def period(first: date, last: date) -> dict[str, str]:
    """The slots of a period."""
    return {"first": long_date(first), "last": long_date(last)}


def spent_in_period(shop: Shop, rng: random.Random) -> Iterator[Draft]:
    """The period holds a canceled order."""
    for first, last, cents in spaced(telling(shop, rng, 9, lambda orders: sum(o.total for o in orders), True)):
        yield Draft(period(first, last), includes(money(cents)[1:]))


def orders_placed(shop: Shop, rng: random.Random) -> Iterator[Draft]:
    """The period holds a canceled order, which was placed like the others."""
    for first, last, number in spaced(telling(shop, rng, 12, len, False)):
        yield Draft(period(first, last), exact(str(number)))


def spent_on_brand(shop: Shop, rng: random.Random) -> Iterator[Draft]:
    """Things of a brand stand in two orders or more of the period, one of them canceled."""

    def cents(orders: list[Order], brand: str) -> int:
        lines = [line for order in orders for line in order.lines if shop.products[line.product].brand == brand]
        return sum(line.quantity * line.price for line in lines)

    seen: set[str] = set()
    for first, last, found in periods(shop, rng, 2, 7):
        kept = [order for order in found if not order.canceled]
        for brand in sorted({shop.products[line.product].brand for order in found for line in order.lines} - seen):
            right = cents(kept, brand)
            wrong = [cents(found, brand)]
            wrong += [cents([o for o in orders if not o.canceled], brand) for orders in misread(shop, first, last)]
            if right and right not in wrong:
                seen.add(brand)
                yield Draft({"brand": brand, **period(first, last)}, includes(money(right)[1:]))
                break


def last_order_with(shop: Shop, rng: random.Random) -> Iterator[Draft]:
    """The thing stands in one of the newest orders, not a canceled one; dates that can be misread come first."""
    found: list[tuple[bool, str, date]] = []
    seen: set[int] = set()
    for order in shop.orders[:NEWEST]:
        plain = swapped(order.day) in (None, order.day)
        new = [line for line in order.lines if line.product not in seen and not order.canceled]
        found += [(plain, line.name, order.day) for line in new]
        seen |= {line.product for line in order.lines}
    for _, name, day in sorted(rng.sample(found, len(found)), key=lambda entry: entry[0]):
        yield Draft({"product": name}, exact(day.isoformat()))


def open_recent(shop: Shop, rng: random.Random) -> Iterator[Draft]:
    """The newest order of a status; that of the newest order of all comes last."""
    newest = {order.status: order for order in reversed(shop.orders)}
    statuses = rng.sample(sorted(newest), len(newest))
    for status in sorted(statuses, key=lambda status: newest[status] is shop.orders[0]):
        yield Draft({"status": status.lower()}, at_url(ORDERS + newest[status].number))


def vague_price_paid(shop: Shop, rng: random.Random) -> Iterator[Draft]:
    """One order of a season holds one thing of that kind; the shop asks another price today."""
    seasons = [(f"{name} of {year}", year, *bounds) for year in shop.years for name, bounds in SEASONS.items()]
    seasons = [season for season in seasons if date(season[1], *season[3:]) < shop.today]
    for when, year, start, end, day in rng.sample(seasons, len(seasons)):
        orders = shop.placed(date(year, start, 1), date(year, end, day))
        lines = [(order, line) for order in orders for line in order.lines]
        kinds = [shop.products[line.product].kind for _, line in lines]
        if len(orders) > 7:
            continue
        for order, line in rng.sample(lines, len(lines)):
            product = shop.products[line.product]
            alone = kinds.count(product.kind) == 1 and line.quantity == 1 and not order.canceled
            if alone and line.price != product.price:
                values = {"color": product.color.lower(), "kind": product.kind, "when": when}
                yield Draft(values, fuzzy(money(line.price)))
                break


TEMPLATES = (
    Template(
        id=301,
        name="spent_in_period",
        make=spent_in_period,
        count=3,
        kind="information",
        needs=("C3", "C6"),
        difficulty="hard",
        wording=(
            "How much money did I spend in this shop, shipping included, on orders placed from {{first}} to "
            "{{last}}? Reply with the amount, such as $1,234.50."
        ),
    ),
    Template(
        id=303,
        name="orders_placed",
        make=orders_placed,
        count=3,
        kind="information",
        needs=("F2", "C6"),
        wording="How many orders did I place from {{first}} to {{last}}? Reply with the number only.",
    ),
    Template(
        id=304,
        name="spent_on_brand",
        make=spent_on_brand,
        count=2,
        kind="information",
        needs=("C3", "C6"),
        difficulty="hard",
        wording=(
            "How much did I spend on {{brand}} products from {{first}} to {{last}}, leaving out shipping? Reply "
            "with the amount, such as $1,234.50."
        ),
    ),
    Template(
        id=306,
        name="last_order_with",
        make=last_order_with,
        count=2,
        kind="information",
        needs=("C6",),
        difficulty="hard",
        wording="When did I last order the {{product}}? Reply with the date as YYYY-MM-DD.",
    ),
    Template(
        id=309,
        name="open_recent",
        make=open_recent,
        count=2,
        kind="navigation",
        difficulty="easy",
        wording="Open my most recent {{status}} order.",
    ),
    Template(
        id=310,
        name="vague_price_paid",
        make=vague_price_paid,
        count=2,
        kind="information",
        needs=("C6",),
        difficulty="hard",
        vague=True,
        wording="what did that {{color}} {{kind}} i got in the {{when}} set me back?",
    ),
)
