"""Tasks about orders: who placed them, how many there are, what their customers are told, and what is to be done."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from datetime import timedelta

from eval.suites.webarena_mini.tasks.base import Draft, Template
from eval.suites.webarena_mini.tasks.gold import at_url, exact, includes, page, pages
from eval.suites.webarena_mini.tasks.shopping_admin_view import SITE, TOLD, Office, Order
from eval.suites.webarena_mini.tasks.shopping_view import long_date, money

ORDERS = f"{SITE}/sales/orders"
NOTES = (
    "The customer will fetch the parcel in person.",
    "A colleague checked the delivery address by phone.",
    "The second parcel leaves from the other warehouse.",
    "The gift card was put into the parcel by hand.",
)
PAGE = 20
"""Rows of a grid's page."""


def shuffled(office: Office, rng: random.Random) -> list[Order]:
    """All orders in random order."""
    return rng.sample(office.orders, len(office.orders))


def orders_between(office: Office, rng: random.Random) -> Iterator[Draft]:
    """Orders were placed on the last day and on the day after it."""
    for first, last in rng.sample(office.months, len(office.months)):
        number = len(office.placed(first, last))
        if number not in (len(office.placed(first, last + timedelta(days=1))), 0):
            yield Draft({"first": long_date(first), "last": long_date(last)}, exact(str(number)))


def told_count(office: Office, rng: random.Random) -> Iterator[Draft]:
    """The customer's orders of the state that has the told name are not as many."""
    for customer in rng.sample(sorted(office.customers), len(office.customers)):
        own = Counter(order.state for order in office.orders if order.customer == customer)
        for state in ("New", "Pending", "Closed"):
            if 1 < own[state] != own[TOLD[state]] and office.unlike(customer):
                yield Draft({"customer": office.customers[customer].name, "told": TOLD[state]}, exact(str(own[state])))
                break


def two_counts(office: Office, rng: random.Random) -> Iterator[Draft]:
    """Few of the dear orders are the customer's."""
    for customer in rng.sample(sorted(office.customers), len(office.customers)):
        own = [order for order in office.orders if order.customer == customer]
        dollars = rng.choice((300, 400, 500, 600))
        dear = [order for order in office.orders if order.total >= 100 * dollars]
        both = [order for order in dear if order.customer == customer]
        if len({len(own), len(dear), len(both)}) == 3 and len(own) > 2 and office.unlike(customer):
            values = {"customer": office.customers[customer].name, "amount": f"${dollars}"}
            yield Draft(values, exact(f"{len(own)} and {len(dear)}"))


def open_told(office: Office, rng: random.Random) -> Iterator[Draft]:
    """The newest order of a state."""
    for state in rng.sample(("New", "Pending", "Closed"), 3):
        newest = next(order for order in office.orders if order.state == state)
        yield Draft({"told": TOLD[state]}, at_url(f"{ORDERS}/{newest.id}"))


def open_order(office: Office, rng: random.Random) -> Iterator[Draft]:
    """Any order, by its number."""
    for order in shuffled(office, rng):
        yield Draft({"number": order.number}, at_url(f"{ORDERS}/{order.id}"))


def order_phone(office: Office, rng: random.Random) -> Iterator[Draft]:
    """Stands on the order's page."""
    for order in shuffled(office, rng):
        yield Draft({"number": order.number}, includes(office.customers[order.customer].phone))


def invoiced_of_two(office: Office, rng: random.Random) -> Iterator[Draft]:
    """Two orders that are invoiced in part."""
    found = [order for order in shuffled(office, rng) if 0 < office.billed.get(order.id, 0) < order.total]
    for one, two in zip(found[::2], found[1::2]):
        total = office.billed[one.id] + office.billed[two.id]
        yield Draft({"one": one.number, "two": two.number}, includes(money(total)[1:]))


def order_comment(office: Office, rng: random.Random) -> Iterator[Draft]:
    """A text that no order has yet."""
    for order in shuffled(office, rng):
        note = rng.choice(NOTES)
        yield Draft({"number": order.number, "note": note}, pages([page(f"{ORDERS}/{order.id}", "#comments", note)]))


def ship_order(office: Office, rng: random.Random) -> Iterator[Draft]:
    """All is invoiced and nothing is shipped."""
    for order in shuffled(office, rng):
        carrier, tracking = rng.choice(("Gull Post", "Blue Freight")), f"ZX{rng.randint(10**7, 10**8 - 1)}"
        ready = all(line.invoiced == line.quantity and not line.shipped for line in order.lines)
        if order.state == "Pending" and ready:
            check = page(f"{ORDERS}/{order.id}", "main", tracking, carrier)
            state = page(f"{ORDERS}/{order.id}", "#order-state", "Closed")
            values = {"number": order.number, "carrier": carrier, "tracking": tracking}
            yield Draft(values, pages([check, state]))


def hold_orders(office: Office, rng: random.Random) -> Iterator[Draft]:
    """Orders of a state on two pages; those of the state with the told name are others."""
    spans = [(first, last) for first, _ in office.months for _, last in office.months if first < last]
    for first, last in rng.sample(spans, len(spans)):
        state = rng.choice(("Pending", "New"))
        found = [order for order in office.placed(first, last) if order.state == state]
        if PAGE < len(found) <= PAGE + 10:
            values = {"told": TOLD[state], "first": long_date(first), "last": long_date(last)}
            chosen = [found[0], found[PAGE - 1], found[PAGE], found[-1]]
            checks = [page(f"{ORDERS}/{order.id}", "#order-state", "On Hold") for order in chosen]
            others = [order for order in office.orders if order.state == state and order not in found]
            checks += [page(f"{ORDERS}/{other.id}", "#order-state", state) for other in others[:1]]
            yield Draft(values, pages(checks))


TEMPLATES = (
    Template(
        id=711,
        name="orders_between",
        make=orders_between,
        count=3,
        kind="information",
        needs=("FA1",),
        wording=(
            "How many orders stand in the list of orders with a purchase date from {{first}} to {{last}}, both days "
            "included? Reply with the number only."
        ),
    ),
    Template(
        id=712,
        name="told_count",
        make=told_count,
        count=3,
        kind="information",
        needs=("A3",),
        wording=(
            'For how many of the orders of {{customer}} does the shop tell the customer the status "{{told}}"? Reply '
            "with the number only."
        ),
    ),
    Template(
        id=713,
        name="two_counts",
        make=two_counts,
        count=3,
        kind="information",
        needs=("A2",),
        difficulty="hard",
        wording=(
            "How many orders did {{customer}} place, and how many orders of all customers have a grand total of "
            'at least {{amount}}? Reply with the two numbers, such as "3 and 40".'
        ),
    ),
    Template(
        id=714,
        name="open_told",
        make=open_told,
        count=2,
        kind="navigation",
        needs=("A3",),
        wording='Open the newest order for which the shop tells the customer the status "{{told}}".',
    ),
    Template(
        id=715,
        name="open_order",
        make=open_order,
        count=2,
        kind="navigation",
        difficulty="easy",
        wording="Open order {{number}}.",
    ),
    Template(
        id=716,
        name="order_phone",
        make=order_phone,
        count=3,
        kind="information",
        difficulty="easy",
        wording="What is the phone number of the customer who placed order {{number}}?",
    ),
    Template(
        id=717,
        name="invoiced_of_two",
        make=invoiced_of_two,
        count=2,
        kind="information",
        wording=(
            "How much of the orders {{one}} and {{two}} together is invoiced so far? Reply with the amount, such as "
            "$1,234.50."
        ),
    ),
    Template(
        id=718,
        name="order_comment",
        make=order_comment,
        count=3,
        kind="change",
        difficulty="easy",
        wording='Add this comment to order {{number}}: "{{note}}"',
    ),
    Template(
        id=719,
        name="ship_order",
        make=ship_order,
        count=2,
        kind="change",
        wording="Ship all items of order {{number}} with {{carrier}}, tracking number {{tracking}}.",
    ),
    Template(
        id=720,
        name="hold_orders",
        make=hold_orders,
        count=2,
        kind="change",
        needs=("A3", "A4", "A5"),
        difficulty="hard",
        wording=(
            "Put all orders on hold that were placed from {{first}} to {{last}} and of which customers are told the "
            'status "{{told}}".'
        ),
    ),
)
