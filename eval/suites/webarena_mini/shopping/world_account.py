"""Fills the customer of a world: addresses, orders, cart, wish list, newsletter, and nothing sent yet."""

from __future__ import annotations

import datetime
import random
import sqlite3

from eval.suites.webarena_mini.shopping import vocabulary as vocabulary

YEARS = (2022, 2023, 2024)


def fill_account(connection: sqlite3.Connection, rng: random.Random, now: datetime.date) -> None:
    """One customer; the catalogue must be there already."""
    first, last = rng.choice(vocabulary.FIRST_NAMES), rng.choice(vocabulary.LAST_NAMES)
    email = f"{first}.{last}@example.com".lower()
    connection.execute("INSERT INTO customer VALUES (1, ?, ?, ?)", (f"{first} {last}", email, _phone(rng)))
    addresses = _fill_addresses(connection, rng, f"{first} {last}", last)
    products = connection.execute("SELECT id, name, price_cents, stock FROM products ORDER BY id").fetchall()
    # The customer comes back to the same things, so that "how many of these did I buy" has an answer above one.
    favorites = rng.sample(products, 70)
    _fill_orders(connection, rng, favorites, addresses, now)
    in_stock = [product for product in products if product[3]]
    _fill_cart(connection, rng, in_stock)
    _fill_wishlist(connection, rng, in_stock, now)
    for topic in vocabulary.NEWSLETTER_TOPICS:
        values = (topic, rng.choice(vocabulary.FREQUENCIES), int(rng.random() < 0.5))
        connection.execute("INSERT INTO subscriptions (topic, frequency, active) VALUES (?, ?, ?)", values)


def _phone(rng: random.Random) -> str:
    return f"555-{rng.randrange(100, 1000)}-{rng.randrange(1000, 10_000)}"


def _fill_addresses(connection: sqlite3.Connection, rng: random.Random, name: str, last: str) -> int:
    count = rng.randint(3, 5)
    default = rng.randint(1, count)
    cities = rng.sample(vocabulary.CITIES, count)
    streets = rng.sample(vocabulary.STREETS, count)
    for number, ((city, state, prefix), street) in enumerate(zip(cities, streets), start=1):
        who = name if number == default or rng.random() < 0.5 else f"{rng.choice(vocabulary.FIRST_NAMES)} {last}"
        values = (
            number,
            1,
            who,
            f"{rng.randrange(2, 980)} {street}",
            city,
            state,
            f"{prefix}{rng.randrange(10, 99)}",
            "United States",
            _phone(rng),
            int(number == default),
        )
        connection.execute("INSERT INTO addresses VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", values)
    return count


def _fill_orders(
    connection: sqlite3.Connection,
    rng: random.Random,
    favorites: list[tuple[int, str, int, int]],
    addresses: int,
    now: datetime.date,
) -> None:
    days = _order_days(rng, now)
    canceled = _canceled(rng, days)
    number = rng.randrange(1200, 7800)
    for order_id, day in enumerate(days, start=1):
        number += rng.randint(1, 17)
        age = (now - day).days
        if order_id in canceled:
            status = "Canceled"
        elif age < 12:
            status = "Pending"
        else:
            status = "Processing" if age < 40 else "Complete"
        shipping = rng.choice((0, 499, 499, 499, 1499))
        values = (order_id, f"{number:09d}", day.isoformat(), status, shipping, rng.randint(1, addresses))
        connection.execute("INSERT INTO orders VALUES (?, ?, ?, ?, ?, ?)", values)
        for product_id, name, price, _ in rng.sample(favorites, rng.choice((1, 1, 2, 2, 3, 4, 5))):
            paid = max(100, round(price * rng.uniform(0.85, 1.08)))
            connection.execute(
                "INSERT INTO order_items (order_id, product_id, name, quantity, price_cents) VALUES (?, ?, ?, ?, ?)",
                (order_id, product_id, name, rng.choice((1, 1, 1, 2, 2, 3)), paid),
            )


def _order_days(rng: random.Random, now: datetime.date) -> list[datetime.date]:
    """Days in ascending order: most of them could be read with day and month swapped, and months hold several."""
    found: set[datetime.date] = set()
    for year in YEARS:
        last_month = now.month if year == now.year else 12
        wanted = rng.randint(10, 12) if year == now.year else rng.randint(15, 19)
        busy = rng.sample(range(1, last_month + 1), 4)
        of_year: set[datetime.date] = set()
        while len(of_year) < wanted:
            month = rng.choice(busy) if rng.random() < 0.55 else rng.randint(1, last_month)
            day = datetime.date(year, month, rng.randint(1, 12) if rng.random() < 0.65 else rng.randint(13, 28))
            if day < now:
                of_year.add(day)
        found |= of_year
    return sorted(found)


def _canceled(rng: random.Random, days: list[datetime.date]) -> set[int]:
    """About 18 % of the orders (ids from 1), in every year, preferably in months that hold another order."""
    chosen: set[int] = set()
    for year in YEARS:
        ids = [number for number, day in enumerate(days, start=1) if day.year == year]
        months = [(days[number - 1].month) for number in ids]
        crowded = [number for number in ids if months.count(days[number - 1].month) > 1]
        chosen |= set(rng.sample(crowded, max(2, round(0.18 * len(ids)))))
    return chosen


def _fill_cart(connection: sqlite3.Connection, rng: random.Random, products: list[tuple[int, str, int, int]]) -> None:
    for product_id, _, _, _ in rng.sample(products, rng.randint(3, 6)):
        connection.execute(
            "INSERT INTO cart_items (product_id, quantity) VALUES (?, ?)", (product_id, rng.choice((1, 1, 2, 3, 4)))
        )


def _fill_wishlist(
    connection: sqlite3.Connection, rng: random.Random, products: list[tuple[int, str, int, int]], now: datetime.date
) -> None:
    """14 to 22 lines, oldest first; three products stand there twice with the same day and note."""
    count = rng.randint(14, 22)
    chosen = rng.sample(products, count - 3)
    twice = set(rng.sample(range(len(chosen)), 3))
    days = sorted(now - datetime.timedelta(days=back) for back in rng.sample(range(3, 500), len(chosen)))
    for position, (product, day) in enumerate(zip(chosen, days)):
        note = rng.choice(vocabulary.NOTES) if rng.random() < 0.4 else ""
        for _ in range(2 if position in twice else 1):
            connection.execute(
                "INSERT INTO wishlist_items (product_id, note, added_on) VALUES (?, ?, ?)",
                (product[0], note, day.isoformat()),
            )
