"""Tasks whose answer stands on several pages: it has to be counted, added up or compared."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from datetime import date, timedelta

from eval.suites.webarena_mini.tasks.base import Draft, Template
from eval.suites.webarena_mini.tasks.gold import exact, includes
from eval.suites.webarena_mini.tasks.shopping_admin_view import Customer, Office
from eval.suites.webarena_mini.tasks.shopping_view import long_date, money

PAGE = 20
"""Rows of a grid's page."""


def periods(office: Office, rng: random.Random) -> list[tuple[date, date]]:
    """All spans of two to four whole months, in random order."""
    found = office.months
    return rng.sample(
        spans := [(found[at][0], found[at + more][1]) for more in (1, 2, 3) for at in range(len(found) - more)],
        len(spans),
    )


def on_two_pages(number: int) -> bool:
    """So many rows that a page does not hold them, and two pages do."""
    return PAGE < number <= 2 * PAGE


def said(first: date, last: date) -> dict[str, str]:
    """A period as it is worded."""
    return {"first": long_date(first), "last": long_date(last)}


def items_ordered(office: Office, rng: random.Random) -> Iterator[Draft]:
    """The period's orders fill two pages, and some were placed on the day after it."""
    for first, last in periods(office, rng):
        found, more = (office.placed(first, end) for end in (last, last + timedelta(days=1)))
        if on_two_pages(len(found)) and len(more) > len(found):
            units = sum(line.quantity for order in found for line in order.lines)
            yield Draft(said(first, last), exact(str(units)))


def invoiced_between(office: Office, rng: random.Random) -> Iterator[Draft]:
    """The period's invoices fill two pages, and there are some of the day after it."""
    for first, last in periods(office, rng):
        found = [(day, cents) for day, cents in office.invoices if first <= day <= last]
        after = last + timedelta(days=1)
        if on_two_pages(len(found)) and any(day == after and cents for day, cents in office.invoices):
            yield Draft(said(first, last), includes(money(sum(cents for _, cents in found))[1:]))


def pieces_of_dear(office: Office, rng: random.Random) -> Iterator[Draft]:
    """Products from a price on fill two pages, and some of them are disabled."""
    for dollars in rng.sample(range(60, 400, 5), 68):
        found = [product for product in office.products.values() if product.price >= 100 * dollars]
        if on_two_pages(len(found)) and any(product.status == "Disabled" and product.quantity for product in found):
            yield Draft({"price": f"${dollars}"}, exact(str(sum(product.quantity for product in found))))


def reviews_reported(office: Office, rng: random.Random) -> Iterator[Draft]:
    """Over years, so that the report has two pages; the last day has a review of the product, by chance of a draw."""
    for review in rng.sample(office.reviews, len(office.reviews)):
        first, last = date(office.years[0], rng.randint(1, 2), 1), review.day
        own = [other.day for other in office.reviews if other.product == review.product and first <= other.day <= last]
        rows = {(other.day.year, other.product) for other in office.reviews if first <= other.day < last}
        name = office.products[review.product].name
        # one more page than a report shows at once
        if len(rows) > 155 and len(own) > 2:
            yield Draft({"product": name, **said(first, last)}, exact(str(len(own))))


def busiest(office: Office, rng: random.Random) -> Iterator[tuple[dict[str, str], Customer]]:
    """Periods in which one customer is ahead of all others, as they are worded."""
    for first, last in periods(office, rng):
        found = office.placed(first, last)
        ranked = Counter(order.customer for order in found).most_common(2)
        if on_two_pages(len(found)) and ranked[0][1] > ranked[1][1]:
            yield said(first, last), office.customers[ranked[0][0]]


def most_orders(office: Office, rng: random.Random) -> Iterator[Draft]:
    """One customer is ahead of all others."""
    for values, customer in busiest(office, rng):
        yield Draft(values, includes(customer.name))


TEMPLATES = (
    Template(
        id=751,
        name="items_ordered",
        make=items_ordered,
        count=3,
        kind="information",
        needs=("FA1",),
        difficulty="hard",
        wording=(
            "According to the list of orders, how many items in all did customers order from {{first}} to {{last}}, "
            "both days included? Reply with the number only."
        ),
    ),
    Template(
        id=752,
        name="invoiced_between",
        make=invoiced_between,
        count=3,
        kind="information",
        needs=("FA1",),
        difficulty="hard",
        wording=(
            "What do the invoices with a date from {{first}} to {{last}}, both days included, add up to? Reply with "
            "the amount, such as $1,234.50."
        ),
    ),
    Template(
        id=753,
        name="pieces_of_dear",
        make=pieces_of_dear,
        count=4,
        kind="information",
        needs=("A2",),
        difficulty="hard",
        wording=(
            "How many pieces do we have in all of the products that cost {{price}} or more, enabled or not? Reply "
            "with the number only."
        ),
    ),
    Template(
        id=757,
        name="reviews_reported",
        make=reviews_reported,
        count=3,
        kind="information",
        needs=("A1",),
        wording=(
            "According to the product reviews report, how many reviews did the {{product}} get from {{first}} to "
            "{{last}}, both days included? Reply with the number only."
        ),
    ),
    Template(
        id=758,
        name="most_orders",
        make=most_orders,
        count=3,
        kind="information",
        wording="Which customer placed most of the orders from {{first}} to {{last}}, both days included?",
    ),
)
