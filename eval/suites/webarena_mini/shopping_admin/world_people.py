"""Fills customers and reviews."""

from __future__ import annotations

import datetime
import random
import sqlite3

from eval.suites.webarena_mini.shopping import review_texts as texts
from eval.suites.webarena_mini.shopping import vocabulary as shop

CUSTOMER = "INSERT INTO customers VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
REVIEW = (
    "INSERT INTO reviews (product_id, nickname, title, body, stars, status, posted_on) VALUES (?, ?, ?, ?, ?, ?, ?)"
)
FIRST_DAY = datetime.date(2022, 1, 1)


def fill_customers(connection: sqlite3.Connection, rng: random.Random) -> None:
    """About 70 customers of three groups; all were there before the first order."""
    names = [f"{first} {last}" for first in shop.FIRST_NAMES for last in shop.LAST_NAMES]
    for number, name in enumerate(rng.sample(names, rng.randint(66, 76)), start=1):
        city, state, prefix = rng.choice(shop.CITIES)
        created = FIRST_DAY - datetime.timedelta(days=rng.randint(1, 900))
        values = (
            number,
            name,
            f"{name.replace(' ', '.').lower()}{rng.choice(('', rng.randrange(10, 99)))}@example.com",
            rng.choice(("General", "General", "General", "Wholesale", "Retailer")),
            f"555-{rng.randrange(100, 1000)}-{rng.randrange(1000, 10_000)}",
            f"{rng.randrange(2, 980)} {rng.choice(shop.STREETS)}",
            city,
            state,
            f"{prefix}{rng.randrange(10, 99)}",
            "United States",
            created.isoformat(),
        )
        connection.execute(CUSTOMER, values)


def fill_reviews(connection: sqlite3.Connection, rng: random.Random, now: datetime.date) -> None:
    """0 to 9 reviews a product in the order of their days; the newest ones wait more often."""
    rows = []
    days = (now - FIRST_DAY).days
    topics = {leaf.name: leaf.topics for top in shop.CATEGORIES for leaf in top.leaves}
    for product, category in connection.execute("SELECT id, category FROM products ORDER BY id"):
        quality = rng.uniform(2.2, 4.8)
        count = rng.choice((0, 1, 1, 2, 2, 3, 3, 4, 5, 6, 9))
        for nickname in rng.sample(texts.NICKNAMES, count):
            stars = max(1, min(5, round(rng.gauss(quality, 1.1))))
            posted = FIRST_DAY + datetime.timedelta(days=rng.randrange(days))
            # the last day of a month is a busy one
            if rng.random() < 0.25:
                end = (posted.replace(day=1) + datetime.timedelta(days=32)).replace(day=1) - datetime.timedelta(days=1)
                posted = min(end, now - datetime.timedelta(days=1))
            waiting = 0.55 if (now - posted).days < 120 else 0.08
            draw = rng.random()
            status = "Pending" if draw < waiting else "Not Approved" if draw < waiting + 0.1 else "Approved"
            title, body = _words(rng, stars, topics[category])
            rows.append((product, nickname, title, body, stars, status, posted.isoformat()))
    rows.sort(key=lambda row: (row[6], row[0]))
    connection.executemany(REVIEW, rows)


def _words(rng: random.Random, stars: int, topics: tuple[str, ...]) -> tuple[str, str]:
    happy = stars > 3 or (stars == 3 and rng.random() < 0.5)
    titles = texts.MIDDLE_TITLES if stars == 3 else texts.GOOD_TITLES if happy else texts.BAD_TITLES
    opener = rng.choice(texts.GOOD_OPENERS if happy else texts.BAD_OPENERS).format(kind="one")
    chosen = sorted({rng.choice([*topics, *texts.COMMON_TOPICS]) for _ in range(rng.choice((1, 1, 2)))})
    said = [rng.choice((texts.GOOD if happy else texts.BAD)[topic]) for topic in chosen]
    return rng.choice(titles), " ".join([opener, *said])
