"""Tasks about reports: sums and numbers of a period, and what was sold."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from datetime import date, timedelta

from eval.suites.webarena_mini.tasks.base import Draft, Template
from eval.suites.webarena_mini.tasks.gold import exact, includes
from eval.suites.webarena_mini.tasks.shopping_admin_view import TOLD, Office, month_name
from eval.suites.webarena_mini.tasks.shopping_view import long_date


def spans(office: Office, rng: random.Random) -> Iterator[tuple[date, date]]:
    """Periods of one to four whole months, in random order."""
    ends = [last for _, last in office.months]
    for first, _ in rng.sample(office.months, len(ends)):
        length = rng.randint(1, 4)
        last = [end for end in ends if end > first][:length][-1]
        yield first, last


def day_before(day: date) -> date:
    """Yesterday, on that day."""
    return day - timedelta(days=1)


def reported_orders(office: Office, rng: random.Random) -> Iterator[Draft]:
    """Orders of the state were placed on the last day; those of the state with the told name are not as many."""
    for first, last in spans(office, rng):
        state = rng.choice(("New", "Pending", "Closed"))

        def number(end: date, state: str) -> int:
            return sum(order.state == state for order in office.placed(first, end))  # noqa: B023

        right = number(last, state)
        if right not in (0, number(day_before(last), state), number(last, TOLD[state])):
            values = {"told": TOLD[state], "first": long_date(first), "last": long_date(last)}
            yield Draft(values, exact(str(right)))


def top_five(office: Office, first: date, last: date) -> Counter[int]:
    """What the bestsellers report shows of an interval: the five products with most invoiced units of its orders."""
    units: Counter[int] = Counter()
    for order in office.placed(first, last):
        for line in order.lines:
            units[line.product] += line.invoiced
    found = sorted(units, key=lambda key: (-units[key], office.products[key].name))[:5]
    return Counter({key: units[key] for key in found if units[key]})


def billed(office: Office, rng: random.Random) -> Iterator[tuple[str, str, str]]:
    """(product, month, units): units are invoiced of an order of the month's last day, but not as many as are ordered
    of the product in all."""
    for first, last in rng.sample(office.months, len(office.months)):
        right, short = top_five(office, first, last), top_five(office, first, day_before(last))
        for key in rng.sample(sorted(right), len(right)):
            product = office.products[key]
            if right[key] not in (short[key], office.ordered[key]) and office.alone(product):
                yield product.name, month_name(first), str(right[key])
                break


def units_invoiced(office: Office, rng: random.Random) -> Iterator[Draft]:
    """The product is among the month's five that sell best."""
    for product, month, units in billed(office, rng):
        yield Draft({"product": product, "month": month}, exact(units))


def vague_billed(office: Office, rng: random.Random) -> Iterator[Draft]:
    """As `units_invoiced`, in other words."""
    for product, month, units in billed(office, rng):
        yield Draft({"product": product, "month": month}, exact(units))


def most_ordered(office: Office, rng: random.Random) -> Iterator[Draft]:
    """Of the brand's products another one is first among the bestsellers of all years, or none is there."""
    years = [(date(year, 1, 1), date(year, 12, 31)) for year in office.years]
    shown: Counter[int] = sum((top_five(office, *year) for year in years), Counter())
    brands = sorted({product.brand for product in office.products.values()})
    for brand in rng.sample(brands, len(brands)):
        keys = [key for key, product in office.products.items() if product.brand == brand]
        first, *others = sorted(keys, key=lambda key: -office.ordered[key])
        if not others or office.ordered[first] == office.ordered[others[0]]:
            continue
        seen = max(keys, key=lambda key: shown[key])
        enabled = office.products[first].status == "Enabled" and office.alone(office.products[first])
        if enabled and (not shown[seen] or seen != first):
            yield Draft({"brand": brand}, includes(office.products[first].name))


TEMPLATES = (
    Template(
        id=702,
        name="reported_orders",
        make=reported_orders,
        count=2,
        kind="information",
        needs=("A1", "A3"),
        difficulty="hard",
        wording=(
            "According to the orders report, how many orders of which the shop tells the customer the status "
            '"{{told}}" were placed from {{first}} to {{last}}, both days included? Reply with the number only.'
        ),
    ),
    Template(
        id=704,
        name="units_invoiced",
        make=units_invoiced,
        count=2,
        kind="information",
        needs=("A1", "A6"),
        difficulty="hard",
        wording=(
            "How many units of the {{product}} are invoiced on the orders that were placed in {{month}}? Reply with "
            "the number only."
        ),
    ),
    Template(
        id=706,
        name="most_ordered",
        make=most_ordered,
        count=2,
        kind="information",
        needs=("A6",),
        difficulty="hard",
        wording=(
            "Of which {{brand}} product did customers order most units up to now, invoiced or not? Reply with its name."
        ),
    ),
    Template(
        id=707,
        name="vague_billed",
        make=vague_billed,
        count=2,
        kind="information",
        needs=("A1", "A6"),
        difficulty="hard",
        vague=True,
        wording="of the {{month}} orders, how many {{product}} did we bill people for by now? just the number pls",
    ),
)
