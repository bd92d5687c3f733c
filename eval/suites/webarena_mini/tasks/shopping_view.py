"""The shop's database as templates see it: plain records, and the world's rules stated apart from the pages."""

from __future__ import annotations

import re
import sqlite3
from dataclasses import dataclass
from datetime import date
from functools import cached_property

MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)


def words(text: str) -> set[str]:
    """Its whole words, lower case."""
    return set(re.findall(r"[a-z0-9]+", text.lower()))


def kind_of(description: str) -> str:
    """`desk lamp` from `A desk lamp in black, made of oak. …`."""
    found = re.match(r"An? (.+?) in ", description)
    assert found, description
    return found[1]


def money(cents: int) -> str:
    """`$1,234.50`."""
    return f"${cents / 100:,.2f}"


def long_date(day: date) -> str:
    """`March 5, 2023`."""
    return f"{MONTHS[day.month - 1]} {day.day}, {day.year}"


def swapped(day: date) -> date | None:
    """The date that a reader takes it for who mixes up day and month; None where there is no such date."""
    return date(day.year, day.day, day.month) if day.day <= 12 else None


@dataclass(frozen=True)
class Category:
    """A category; `parent` is None at the top."""

    id: int
    slug: str
    name: str
    parent: int | None


@dataclass(frozen=True)
class Product:
    """A product. `price` in cents."""

    id: int
    sku: str
    slug: str
    name: str
    brand: str
    category: int
    color: str
    material: str
    price: int
    stock: int
    kind: str
    """What sort of thing it is, such as `desk lamp`."""


@dataclass(frozen=True)
class Review:
    """A review of a product."""

    id: int
    product: int
    nickname: str
    title: str
    body: str
    stars: int
    day: date


@dataclass(frozen=True)
class Line:
    """A line of an order. `price` of one piece, in cents."""

    product: int
    name: str
    quantity: int
    price: int


@dataclass(frozen=True)
class Order:
    """An order with its lines."""

    id: int
    number: str
    day: date
    status: str
    shipping: int
    lines: tuple[Line, ...]

    @property
    def total(self) -> int:
        """Grand total in cents."""
        return self.shipping + sum(line.quantity * line.price for line in self.lines)

    @property
    def canceled(self) -> bool:
        """Whether it came to nothing."""
        return self.status == "Canceled"


@dataclass(frozen=True)
class Address:
    """An entry of the address book."""

    id: int
    name: str
    street: str
    city: str
    state: str
    zip: str
    phone: str
    is_default: bool


class Shop:
    """One world's shop, read once from a connection."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._sql = connection

    @cached_property
    def today(self) -> date:
        """The world's date."""
        return date.fromisoformat(self.facts["now"])

    @cached_property
    def years(self) -> list[int]:
        """The years that orders and reviews are asked for."""
        return [self.today.year - 2, self.today.year - 1, self.today.year]

    @cached_property
    def categories(self) -> dict[int, Category]:
        """All categories by id."""
        rows = self._sql.execute("select id, slug, name, parent_id from categories order by id")
        return {row[0]: Category(*row) for row in rows}

    @cached_property
    def products(self) -> dict[int, Product]:
        """All products by id."""
        rows = self._sql.execute(
            "select id, sku, slug, name, brand, category_id, color, material, price_cents, stock, description"
            " from products order by id"
        )
        return {row[0]: Product(*(*row[:10], kind_of(row[10]))) for row in rows}

    @cached_property
    def reviews(self) -> dict[int, list[Review]]:
        """The reviews of each product, newest first."""
        found: dict[int, list[Review]] = {key: [] for key in self.products}
        for row in self._sql.execute(
            "select id, product_id, nickname, title, body, stars, posted_on from reviews"
            " order by posted_on desc, id desc"
        ):
            found[row[1]].append(Review(*(*row[:6], date.fromisoformat(row[6]))))
        return found

    @cached_property
    def orders(self) -> list[Order]:
        """All orders, newest first."""
        lines: dict[int, list[Line]] = {}
        for row in self._sql.execute(
            "select order_id, product_id, name, quantity, price_cents from order_items order by id"
        ):
            lines.setdefault(row[0], []).append(Line(*row[1:]))
        rows = self._sql.execute(
            "select id, number, placed_on, status, shipping_cents from orders order by placed_on desc, id desc"
        )
        return [
            Order(key, str(number), date.fromisoformat(placed), status, shipping, tuple(lines[key]))
            for key, number, placed, status, shipping in rows
        ]

    @cached_property
    def addresses(self) -> list[Address]:
        """The address book."""
        rows = self._sql.execute(
            "select id, name, street, city, state, zip, phone, is_default from addresses order by id"
        )
        return [Address(*(*row[:7], bool(row[7]))) for row in rows]

    @cached_property
    def wishlist(self) -> list[Product]:
        """One product for each line of the wish list: the same one may stand there twice."""
        rows = self._sql.execute("select product_id from wishlist_items order by id")
        return [self.products[row[0]] for row in rows]

    @cached_property
    def cart(self) -> dict[int, int]:
        """Quantity by product id."""
        return dict(self._sql.execute("select product_id, quantity from cart_items order by id"))

    @cached_property
    def subscriptions(self) -> list[tuple[int, str, str, bool]]:
        """Newsletters: (row, topic, frequency, whether the customer gets it)."""
        rows = self._sql.execute("select id, topic, frequency, active from subscriptions order by id")
        return [(row, topic, frequency, bool(active)) for row, topic, frequency, active in rows]

    @cached_property
    def facts(self) -> dict[str, str]:
        """What the shop's own texts say."""
        return dict(self._sql.execute("select key, value from world"))

    @cached_property
    def warranties(self) -> dict[int, int]:
        """Months of warranty by category."""
        return dict(self._sql.execute("select category_id, months from warranties"))

    @cached_property
    def by_name(self) -> dict[str, list[Product]]:
        """Products of the same name, together."""
        found: dict[str, list[Product]] = {}
        for product in self.products.values():
            found.setdefault(product.name, []).append(product)
        return found

    def search(self, query: str) -> list[Product]:
        """Products whose name and brand hold every word."""
        wanted = words(query)
        return [self.products[key] for key, held in self._words.items() if wanted <= held]

    @cached_property
    def _words(self) -> dict[int, set[str]]:
        """What a search finds each product by."""
        return {product.id: words(f"{product.name} {product.brand}") for product in self.products.values()}

    def own_name(self, product: Product) -> bool:
        """Whether no other product's name holds its name, so that an answer can be told by it."""
        return not any(product.name in other.name for other in self.products.values() if other is not product)

    def within(self, category: int) -> list[Product]:
        """Products of a category or of those below it."""
        below = {key for key, item in self.categories.items() if category in (key, item.parent)}
        return [product for product in self.products.values() if product.category in below]

    def leaves(self) -> list[Category]:
        """Categories that hold products."""
        return [item for item in self.categories.values() if item.parent is not None]

    def tops(self) -> list[Category]:
        """Categories that hold categories."""
        return [item for item in self.categories.values() if item.parent is None]

    def rating(self, product: Product) -> float | None:
        """Mean stars; None without reviews."""
        stars = [review.stars for review in self.reviews[product.id]]
        return sum(stars) / len(stars) if stars else None

    def placed(self, first: date, last: date) -> list[Order]:
        """Orders placed from one day to another, both included."""
        return [order for order in self.orders if first <= order.day <= last]
