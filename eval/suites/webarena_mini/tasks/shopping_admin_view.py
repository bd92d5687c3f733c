"""The back office's database as templates see it: plain records, and the world's rules stated apart from the pages."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property

from eval.suites.webarena_mini.tasks.shopping_view import MONTHS

SITE = "__SHOPPING_ADMIN__"
TOLD = {"New": "Pending", "Pending": "Processing", "Closed": "Complete", "Cancelled": "Canceled"}
"""What a customer is told of an order, by its state."""


@dataclass(frozen=True)
class Product:
    """A product. `price` in cents."""

    id: int
    sku: str
    name: str
    brand: str
    category: str
    price: int
    quantity: int
    status: str


@dataclass(frozen=True)
class Review:
    """A review of a product."""

    id: int
    product: int
    nickname: str
    title: str
    stars: int
    status: str
    day: date


@dataclass(frozen=True)
class Customer:
    """A customer."""

    id: int
    name: str
    email: str
    group: str
    phone: str
    city: str
    state: str


@dataclass(frozen=True)
class Coupon:
    """A coupon."""

    id: int
    code: str
    percent: int
    starts: date
    ends: date
    active: bool


@dataclass(frozen=True)
class Line:
    """A line of an order. `price` of one piece, in cents."""

    product: int
    name: str
    quantity: int
    price: int
    invoiced: int
    shipped: int


@dataclass(frozen=True)
class Order:
    """An order with its lines."""

    id: int
    number: str
    customer: int
    day: date
    state: str
    coupon: str
    discount: int
    shipping: int
    lines: tuple[Line, ...]

    @property
    def total(self) -> int:
        """Grand total in cents."""
        return sum(line.quantity * line.price for line in self.lines) - self.discount + self.shipping


def next_month(day: date) -> date:
    """The first day of the month after."""
    return date(day.year + day.month // 12, day.month % 12 + 1, 1)


def month_name(day: date) -> str:
    """`March 2023`."""
    return f"{MONTHS[day.month - 1]} {day.year}"


def own_name(name: str, names: Iterable[str]) -> bool:
    """No other one of the names holds this one, so that a search for it finds nothing else."""
    return sum(name in other for other in names) == 1


class Office:
    """One world's back office, read once from a connection."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._sql = connection

    @cached_property
    def today(self) -> date:
        """The world's date."""
        [(now,)] = self._sql.execute("select value from world where key = 'now'")
        return date.fromisoformat(now)

    @cached_property
    def years(self) -> list[int]:
        """The years of which there are orders."""
        return list(range(self.orders[-1].day.year, self.today.year + 1))

    @cached_property
    def months(self) -> list[tuple[date, date]]:
        """First and last day of every month that is over, from that of the first order on."""
        starts = [date(year, month, 1) for year in self.years for month in range(1, 13)]
        spans = [(first, next_month(first) - timedelta(days=1)) for first in starts]
        return [(first, last) for first, last in spans if self.orders[-1].day <= last < self.today]

    @cached_property
    def products(self) -> dict[int, Product]:
        """All products by id."""
        rows = self._sql.execute(
            "select id, sku, name, brand, category, price_cents, quantity, status from products order by id"
        )
        return {row[0]: Product(*row) for row in rows}

    @cached_property
    def reviews(self) -> list[Review]:
        """All reviews, newest first."""
        rows = self._sql.execute(
            "select id, product_id, nickname, title, stars, status, posted_on from reviews"
            " order by posted_on desc, id desc"
        )
        return [Review(*(*row[:6], date.fromisoformat(row[6]))) for row in rows]

    @cached_property
    def customers(self) -> dict[int, Customer]:
        """All customers by id."""
        rows = self._sql.execute("select id, name, email, group_name, phone, city, state from customers order by id")
        return {row[0]: Customer(*row) for row in rows}

    @cached_property
    def coupons(self) -> list[Coupon]:
        """All coupons."""
        rows = self._sql.execute("select id, code, percent, starts_on, ends_on, active from coupons order by id")
        return [
            Coupon(key, code, percent, date.fromisoformat(starts), date.fromisoformat(ends), bool(active))
            for key, code, percent, starts, ends, active in rows
        ]

    @cached_property
    def orders(self) -> list[Order]:
        """All orders, newest first."""
        lines: dict[int, list[Line]] = {}
        for row in self._sql.execute(
            "select order_id, product_id, name, quantity, price_cents, invoiced, shipped from order_items order by id"
        ):
            lines.setdefault(row[0], []).append(Line(*row[1:]))
        rows = self._sql.execute(
            "select id, number, customer_id, placed_on, state, coupon_code, discount_cents, shipping_cents"
            " from orders order by placed_on desc, id desc"
        )
        return [
            Order(key, number, customer, date.fromisoformat(day), state, coupon, off, shipping, tuple(lines[key]))
            for key, number, customer, day, state, coupon, off, shipping in rows
        ]

    @cached_property
    def billed(self) -> dict[int, int]:
        """What is invoiced by order id, in cents."""
        return dict(self._sql.execute("select order_id, sum(total_cents) from invoices group by order_id"))

    @cached_property
    def invoices(self) -> list[tuple[date, int]]:
        """Day and amount in cents of all invoices."""
        rows = self._sql.execute("select created_on, total_cents from invoices order by id")
        return [(date.fromisoformat(day), cents) for day, cents in rows]

    @cached_property
    def invoice_numbers(self) -> list[str]:
        """The numbers of all invoices."""
        return [number for (number,) in self._sql.execute("select number from invoices order by id")]

    def alone(self, product: Product) -> bool:
        """No other product's name holds this one's."""
        return own_name(product.name, (other.name for other in self.products.values()))

    def unlike(self, customer: int) -> bool:
        """No other customer's name holds this one's."""
        return own_name(self.customers[customer].name, (other.name for other in self.customers.values()))

    def placed(self, first: date, last: date) -> list[Order]:
        """Orders placed from one day to another, both included."""
        return [order for order in self.orders if first <= order.day <= last]

    @cached_property
    def ordered(self) -> Counter[int]:
        """Units ordered by product, over all orders."""
        return Counter(self._units("quantity"))

    @cached_property
    def invoiced(self) -> Counter[int]:
        """Units invoiced by product, over all orders."""
        return Counter(self._units("invoiced"))

    def _units(self, column: str) -> dict[int, int]:
        found: dict[int, int] = {}
        for order in self.orders:
            for line in order.lines:
                found[line.product] = found.get(line.product, 0) + getattr(line, column)
        return found
