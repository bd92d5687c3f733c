"""Fills products, coupons and what visitors searched for."""

from __future__ import annotations

import datetime
import random
import sqlite3

from eval.suites.webarena_mini.shopping import vocabulary as shop
from eval.suites.webarena_mini.shopping_admin import vocabulary as words

BRANDS = 22
PRICE_ENDINGS = (99, 49, 95, 0, 50, 25, 79)
PRODUCT = "INSERT INTO products VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
COUPON = "INSERT INTO coupons (code, description, percent, starts_on, ends_on, active) VALUES (?, ?, ?, ?, ?, ?)"
FIRST_DAY = datetime.date(2022, 1, 1)


def fill_products(connection: sqlite3.Connection, rng: random.Random) -> None:
    """4 to 6 products of each of the shop's 24 categories, some of them look-alikes of one brand."""
    starts = rng.sample(shop.BRAND_STARTS, BRANDS)
    brands = [start + rng.choice([end for end in shop.BRAND_ENDS if end[0] != start[-1]]) for start in starts]
    number, prices = 0, set[int]()
    for leaf in [leaf for top in shop.CATEGORIES for leaf in top.leaves]:
        for name, brand, kind in _names(rng, leaf.kinds, rng.sample(brands, 3)):
            number += 1
            price = 0
            while not price or price in prices:
                dollars = leaf.low + (leaf.high - leaf.low) * rng.random() ** 1.6
                price = int(dollars) * 100 + rng.choice(PRICE_ENDINGS)
            prices.add(price)
            article = "An" if kind[0] in "AEIOU" else "A"
            feature, material = rng.choice(shop.FEATURES), rng.choice(leaf.materials)
            description = f"{article} {kind.lower()} made of {material.lower()}. {feature}"
            sku = f"{leaf.slug[:2].upper()}{brand[:2].upper()}-{rng.randrange(10_000, 99_999)}-{number:03d}"
            status = "Disabled" if rng.random() < 0.12 else "Enabled"
            quantity = 0 if rng.random() < 0.07 else rng.randint(2, 160)
            added = FIRST_DAY - datetime.timedelta(days=rng.randint(10, 700))
            connection.execute(
                PRODUCT,
                (number, sku, name, brand, leaf.name, price, quantity, status, description, added.isoformat()),
            )


def _names(rng: random.Random, kinds: tuple[str, ...], brands: list[str]) -> list[tuple[str, str, str]]:
    """(name, brand, kind): the first two differ in one word."""
    found: list[tuple[str, str, str]] = []
    taken: set[str] = set()
    count = rng.choice((4, 4, 5, 5, 6))
    while len(found) < count:
        brand, kind, qualifier = rng.choice(brands), rng.choice(kinds), rng.choice(shop.QUALIFIERS)
        variants = ("", rng.choice(shop.VARIANTS[1:])) if not found else ("",)
        for name in [f"{brand} {qualifier} {kind} {variant}".strip() for variant in variants]:
            if name not in taken:
                taken.add(name)
                found.append((name, brand, kind))
    rng.shuffle(found)
    return found


def fill_coupons(connection: sqlite3.Connection, rng: random.Random, now: datetime.date) -> None:
    """16 to 20 coupons; those that ended are mostly inactive."""
    for word in rng.sample(words.COUPON_WORDS, rng.randint(16, 20)):
        percent = rng.choice((5, 8, 10, 12, 15, 20, 25, 30))
        starts = FIRST_DAY + datetime.timedelta(days=rng.randint(0, 860))
        ends = starts + datetime.timedelta(days=rng.choice((30, 60, 90, 120, 240)))
        active = int(rng.random() < (0.2 if ends < now else 0.7))
        values = (f"{word}{percent}", rng.choice(words.COUPON_REASONS), percent, starts.isoformat(), ends.isoformat())
        connection.execute(COUPON, (*values, active))


def fill_searches(connection: sqlite3.Connection, rng: random.Random, now: datetime.date) -> None:
    """About 45 terms; some find nothing, and those that find most are not those that are used most."""
    kinds = [kind.lower() for top in shop.CATEGORIES for leaf in top.leaves for kind in leaf.kinds]
    brands = [name for (name,) in connection.execute("SELECT DISTINCT brand FROM products ORDER BY brand")]
    terms = rng.sample(kinds, 32) + [brand.lower() for brand in rng.sample(brands, 6)]
    terms += [_misspelt(rng, kind) for kind in rng.sample(kinds, 7)]
    rng.shuffle(terms)
    days = (now - FIRST_DAY).days
    for number, term in enumerate(dict.fromkeys(terms), start=1):
        sql = "SELECT count(*) FROM products WHERE lower(name) LIKE ?"
        results = connection.execute(sql, (f"%{term}%",)).fetchone()[0]
        connection.execute("INSERT INTO search_terms VALUES (?, ?, ?)", (number, term, results))
        often = rng.randint(1, 5)
        for day in sorted(rng.sample(range(days), rng.randint(12, 40))):
            used = FIRST_DAY + datetime.timedelta(days=day)
            # the last day of a month is a busy one
            if rng.random() < 0.3:
                used = (used.replace(day=1) + datetime.timedelta(days=32)).replace(day=1) - datetime.timedelta(days=1)
            if used < now:
                connection.execute(
                    "INSERT OR IGNORE INTO search_uses VALUES (?, ?, ?)",
                    (number, used.isoformat(), rng.randint(1, 4) * often),
                )


def _misspelt(rng: random.Random, term: str) -> str:
    at = rng.randrange(1, len(term) - 1)
    return f"{term[:at]}{term[at + 1 :]}".strip()
