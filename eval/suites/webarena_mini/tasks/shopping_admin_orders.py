"""Tasks about orders: who placed them, how many there are, what their customers are told, and what is to be done."""

from __future__ import annotations

import random
from collections.abc import Iterator

from eval.suites.webarena_mini.tasks.base import Draft, Template
from eval.suites.webarena_mini.tasks.gold import at_url, includes, page, pages
from eval.suites.webarena_mini.tasks.shopping_admin_view import SITE, TOLD, Office, Order
from eval.suites.webarena_mini.tasks.shopping_view import long_date

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
        count=2,
        kind="information",
        difficulty="easy",
        wording="What is the phone number of the customer who placed order {{number}}?",
    ),
    Template(
        id=718,
        name="order_comment",
        make=order_comment,
        count=2,
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
