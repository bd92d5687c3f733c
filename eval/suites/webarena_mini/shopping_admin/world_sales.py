"""Fills orders with their items, invoices, shipments and comments."""

from __future__ import annotations

import datetime
import random
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass, field

from eval.suites.webarena_mini.shopping_admin import vocabulary as words

MONTHS = [(year, month) for year in (2022, 2023, 2024) for month in range(1, 13) if (year, month) <= (2024, 6)]
ORDER = "INSERT INTO orders VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
ITEM = "INSERT INTO order_items VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
COMMENT = "INSERT INTO order_comments (order_id, written_on, state, text, notified) VALUES (?, ?, ?, ?, ?)"
COUPON = "SELECT code, percent FROM coupons WHERE starts_on <= ? AND ends_on >= ? ORDER BY id"


@dataclass
class Line:
    """An item of an order."""

    id: int
    product: int
    name: str
    sku: str
    quantity: int
    price: int
    invoiced: int = 0
    shipped: int = 0


@dataclass
class Order:
    """An order while it is made."""

    id: int
    number: str
    day: datetime.date
    state: str
    lines: list[Line]
    discount: int
    shipping: int
    comments: list[tuple[datetime.date, str, str, bool]] = field(default_factory=list)


@dataclass
class Parcel:
    """An invoice or a shipment: its day and the units of each item."""

    order: Order
    day: datetime.date
    units: list[tuple[Line, int]]
    first: bool


def fill_orders(connection: sqlite3.Connection, rng: random.Random, now: datetime.date) -> None:
    """About 300 orders of 2022-01 to now: popular products, many on a month's last or first day, all states at any
    time."""
    products = connection.execute("SELECT id, name, sku, price_cents FROM products ORDER BY id").fetchall()
    rng.shuffle(products)
    popular = [1 / (rank + 8) for rank in range(len(products))]
    customers = [number for (number,) in connection.execute("SELECT id FROM customers ORDER BY id")]
    rng.shuffle(customers)
    loyal = [1 / (rank + 6) for rank in range(len(customers))]
    days = sorted(_day(rng, now) for _ in range(rng.randint(290, 320)))
    number, line_id = rng.randrange(1200, 60_000), 0
    invoices: list[Parcel] = []
    shipments: list[Parcel] = []
    for order_id, day in enumerate(days, start=1):
        number += rng.randint(1, 17)
        lines: list[Line] = []
        for product, name, sku, price in _chosen(rng, products, popular, rng.choice((1, 1, 2, 2, 3, 4))):
            line_id += 1
            paid = max(100, round(price * rng.uniform(0.9, 1.06)))
            lines.append(Line(line_id, product, name, sku, rng.choice((1, 1, 1, 2, 2, 3, 4)), paid))
        method, shipping = rng.choice((words.SHIPPING_METHODS[0], *words.SHIPPING_METHODS))
        code, discount = _coupon(connection, rng, day, sum(line.quantity * line.price for line in lines))
        made = Order(order_id, f"{number:09d}", day, _state(rng, (now - day).days), lines, discount, shipping)
        held_from = _progress(rng, made, now, invoices, shipments)
        customer = rng.choices(customers, loyal)[0]
        row = (
            order_id,
            made.number,
            customer,
            day.isoformat(),
            made.state,
            held_from,
            code,
            discount,
            method,
            shipping,
        )
        connection.execute(ORDER, row)
        for line in lines:
            item = (line.id, order_id, line.product, line.name, line.sku, line.quantity, line.price)
            connection.execute(ITEM, (*item, line.invoiced, line.shipped))
        for written, state, text, notified in made.comments:
            connection.execute(COMMENT, (order_id, written.isoformat(), state, text, int(notified)))
    _store(connection, rng, invoices, shipments)


def _day(rng: random.Random, now: datetime.date) -> datetime.date:
    """A day before today; a third of them are the first or the last of their month."""
    while True:
        year, month = rng.choice(MONTHS)
        start = datetime.date(year, month, 1)
        end = (start + datetime.timedelta(days=32)).replace(day=1) - datetime.timedelta(days=1)
        draw = rng.random()
        day = end if draw < 0.22 else start if draw < 0.34 else start.replace(day=rng.randint(1, 28))
        if day < now:
            return day


def _state(rng: random.Random, age: int) -> str:
    weights = (45, 35, 8, 6, 6) if age < 45 else (15, 15, 47, 11, 12)
    return rng.choices(words.STATES, weights)[0]


def _chosen(
    rng: random.Random, products: list[tuple[int, str, str, int]], weights: list[float], count: int
) -> Iterator[tuple[int, str, str, int]]:
    """Different products, popular ones more often."""
    taken: set[int] = set()
    while len(taken) < count:
        found = rng.choices(products, weights)[0]
        if found[0] not in taken:
            taken.add(found[0])
            yield found


def _coupon(connection: sqlite3.Connection, rng: random.Random, day: datetime.date, subtotal: int) -> tuple[str, int]:
    """Code and discount in cents of one that was valid on the day; mostly none."""
    valid = connection.execute(COUPON, (day.isoformat(), day.isoformat())).fetchall()
    if not valid or rng.random() > 0.3:
        return "", 0
    code, percent = rng.choice(valid)
    return code, subtotal * percent // 100


def _progress(
    rng: random.Random, order: Order, now: datetime.date, invoices: list[Parcel], shipments: list[Parcel]
) -> str:
    """Invoices and ships what the state says, and writes the comments; gives the state to go back to from hold."""
    yesterday = now - datetime.timedelta(days=1)

    def later(day: datetime.date, most: int) -> datetime.date:
        return min(day + datetime.timedelta(days=rng.randint(0, most)), yesterday)

    def tell(day: datetime.date, state: str) -> None:
        order.comments.append((day, state, f"Your order is now {words.TOLD[state]}.", True))

    tell(order.day, "New")
    if rng.random() < 0.25:
        order.comments.append((order.day, "New", rng.choice(words.ORDER_NOTES), False))
    reached = rng.choice(("New", "Pending")) if order.state == "On Hold" else order.state
    billed = later(order.day, 5)
    if reached in ("Pending", "Closed"):
        partly = reached == "Pending" and rng.random() < 0.55
        units = [(line, rng.randint(0, line.quantity) if partly else line.quantity) for line in order.lines]
        if not any(count for _, count in units):
            units[0] = (order.lines[0], 1)
        invoices.append(Parcel(order, billed, [(line, count) for line, count in units if count], True))
        for line, count in units:
            line.invoiced = count
        tell(billed, "Pending")
    if reached == "Closed":
        sent = later(billed, 6)
        for line in order.lines:
            line.shipped = line.quantity
        shipments.append(Parcel(order, sent, [(line, line.quantity) for line in order.lines], True))
        tell(sent, "Closed")
    elif reached == "Pending" and len(order.lines) > 1 and rng.random() < 0.3:
        line = order.lines[0]
        line.shipped = line.quantity
        shipments.append(Parcel(order, later(billed, 6), [(line, line.quantity)], True))
    if order.state == "Cancelled":
        tell(later(order.day, 8), "Cancelled")
    if order.state == "On Hold":
        order.comments.append((later(billed, 4), "On Hold", "The order was put on hold.", False))
        return reached
    return ""


def _store(connection: sqlite3.Connection, rng: random.Random, invoices: list[Parcel], shipments: list[Parcel]) -> None:
    """Invoices and shipments in the order of their days, with numbers of their own."""
    for kind, parcels in (("invoice", invoices), ("shipment", shipments)):
        parcels.sort(key=lambda parcel: (parcel.day, parcel.order.id))
        number = rng.randrange(1000, 9000)
        for parcel_id, parcel in enumerate(parcels, start=1):
            number += rng.randint(1, 4)
            head = (parcel_id, f"{number:09d}", parcel.order.id, parcel.day.isoformat())
            if kind == "invoice":
                total = sum(line.price * count for line, count in parcel.units)
                total += parcel.order.shipping - parcel.order.discount
                connection.execute("INSERT INTO invoices VALUES (?, ?, ?, ?, ?)", (*head, max(0, total)))
            else:
                carrier = rng.choice(words.CARRIERS[:3])
                tracking = f"{carrier[:2].upper()}{rng.randrange(10**8, 10**9)}"
                connection.execute("INSERT INTO shipments VALUES (?, ?, ?, ?, ?, ?)", (*head, carrier, tracking))
            rows = [(parcel_id, line.id, count) for line, count in parcel.units]
            connection.executemany(f"INSERT INTO {kind}_items VALUES (?, ?, ?)", rows)
