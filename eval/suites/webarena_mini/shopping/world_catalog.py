"""Fills categories, products and reviews of a world."""

from __future__ import annotations

import datetime
import random
import re
import sqlite3

from eval.suites.webarena_mini.shopping import review_texts as texts
from eval.suites.webarena_mini.shopping import vocabulary as vocabulary
from eval.suites.webarena_mini.shopping.vocabulary import Leaf

BRANDS = 30
PRICE_ENDINGS = (99, 49, 95, 0, 50, 25, 79)


def words(text: str) -> set[str]:
    """The words of a text as the search box sees them."""
    return set(re.findall(r"\w+", text.casefold()))


def slugify(text: str) -> str:
    """A name as it stands in a URL."""
    return "-".join(re.findall(r"[a-z0-9]+", text.lower()))


def fill_catalog(connection: sqlite3.Connection, rng: random.Random, now: datetime.date) -> None:
    """About 250 products in 24 leaves, each leaf with look-alikes of 3 to 5 brands, and their reviews."""
    brands = _brands(rng)
    category_id = 0
    taken: set[str] = set()
    for top in vocabulary.CATEGORIES:
        category_id += 1
        top_id = category_id
        connection.execute("INSERT INTO categories VALUES (?, ?, ?, NULL)", (top_id, top.slug, top.name))
        for leaf in top.leaves:
            category_id += 1
            connection.execute(
                "INSERT INTO categories VALUES (?, ?, ?, ?)", (category_id, leaf.slug, leaf.name, top_id)
            )
            _fill_leaf(connection, rng, leaf, category_id, brands, taken, now)


def _brands(rng: random.Random) -> list[str]:
    starts = rng.sample(vocabulary.BRAND_STARTS, BRANDS)
    return [start + rng.choice([end for end in vocabulary.BRAND_ENDS if end[0] != start[-1]]) for start in starts]


def _fill_leaf(
    connection: sqlite3.Connection,
    rng: random.Random,
    leaf: Leaf,
    category_id: int,
    brands: list[str],
    taken: set[str],
    now: datetime.date,
) -> None:
    count = rng.choice((8, 8, 9, 9, 10, 10, 11, 12, 14))
    names = _names(rng, leaf, rng.sample(brands, rng.randint(3, 5)), count, taken)
    prices: set[int] = set()
    for brand, kind, name in names:
        number = connection.execute("SELECT count(*) FROM products").fetchone()[0] + 1
        price = _price(rng, leaf, prices)
        color, material = rng.choice(vocabulary.COLORS), rng.choice(leaf.materials)
        first, second = rng.sample(vocabulary.FEATURES, 2)
        article = "An" if kind[0] in "AEIOU" else "A"
        description = f"{article} {kind.lower()} in {color.lower()}, made of {material.lower()}. {first} {second}"
        added = now - datetime.timedelta(days=rng.randint(20, 1100))
        stock = 0 if rng.random() < 0.05 else rng.randint(4, 90)
        sku = f"{leaf.slug[:2].upper()}{brand[:2].upper()}-{rng.randrange(10_000, 99_999)}-{number:03d}"
        connection.execute(
            "INSERT INTO products VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                number,
                sku,
                slugify(name),
                name,
                brand,
                category_id,
                color,
                material,
                price,
                stock,
                added.isoformat(),
                description,
            ),
        )
        found = sorted(words(name) | words(brand))
        connection.executemany("INSERT INTO search_words VALUES (?, ?)", [(word, number) for word in found])
        _fill_reviews(connection, rng, leaf, number, kind, added, now)


def _names(
    rng: random.Random, leaf: Leaf, brands: list[str], count: int, taken: set[str]
) -> list[tuple[str, str, str]]:
    """(brand, kind, name): families that differ in one word, so that reading closely matters."""
    kinds = rng.sample(leaf.kinds, min(len(leaf.kinds), rng.randint(3, 4)))
    found: list[tuple[str, str, str]] = []
    waiting = list(brands)
    while len(found) < count:
        brand = waiting.pop() if waiting else rng.choice(brands)
        kind, qualifier = rng.choice(kinds), rng.choice(vocabulary.QUALIFIERS)
        # A family leaves room for the brands that have no product yet.
        size = min(rng.choice((1, 2, 2, 3)), count - len(found) - len(waiting))
        for variant in ("", *rng.sample(vocabulary.VARIANTS[1:], size - 1)):
            name = f"{brand} {qualifier} {kind} {variant}".strip()
            if name not in taken and len(name.split()) <= 6:
                taken.add(name)
                found.append((brand, kind, name))
    rng.shuffle(found)
    return found


def _price(rng: random.Random, leaf: Leaf, taken: set[int]) -> int:
    """Unlike any other price of the leaf, so that the cheapest and the dearest are one product each."""
    while True:
        dollars = leaf.low + (leaf.high - leaf.low) * rng.random() ** 1.6
        price = int(dollars) * 100 + rng.choice(PRICE_ENDINGS)
        if price not in taken:
            taken.add(price)
            return price


def _fill_reviews(
    connection: sqlite3.Connection,
    rng: random.Random,
    leaf: Leaf,
    product_id: int,
    kind: str,
    added: datetime.date,
    now: datetime.date,
) -> None:
    days = (now - added).days
    count = min(0 if rng.random() < 0.06 else round(rng.triangular(1, 28, 7)), days)
    quality = rng.uniform(2.3, 4.8)
    topics = [*leaf.topics, *leaf.topics, *texts.COMMON_TOPICS]
    # One topic comes up again and again, as it does in life.
    topics += [rng.choice(topics)] * 4
    posted = sorted(added + datetime.timedelta(days=day) for day in rng.sample(range(days), count))
    rows = []
    for nickname, day in zip(rng.sample(texts.NICKNAMES, count), posted):
        stars = max(1, min(5, round(rng.gauss(quality, 1.1))))
        title, body = _review(rng, stars, kind, topics)
        rows.append((product_id, nickname, title, body, stars, _often_ambiguous(rng, day, added, now).isoformat()))
    rows.sort(key=lambda row: row[5])
    connection.executemany(
        "INSERT INTO reviews (product_id, nickname, title, body, stars, posted_on) VALUES (?, ?, ?, ?, ?, ?)", rows
    )


def _often_ambiguous(
    rng: random.Random, day: datetime.date, first: datetime.date, last: datetime.date
) -> datetime.date:
    """The same month, but often a day that could also be read as a month."""
    moved = day.replace(day=rng.randint(1, 12)) if rng.random() < 0.5 else day
    return moved if first <= moved < last else day


def _review(rng: random.Random, stars: int, kind: str, topics: list[str]) -> tuple[str, str]:
    happy = stars > 3 or (stars == 3 and rng.random() < 0.5)
    titles = texts.MIDDLE_TITLES if stars == 3 else texts.GOOD_TITLES if happy else texts.BAD_TITLES
    sentences = []
    if rng.random() < 0.7:
        sentences.append(rng.choice(texts.GOOD_OPENERS if happy else texts.BAD_OPENERS).format(kind=kind.lower()))
    for topic in sorted({rng.choice(topics) for _ in range(rng.choice((1, 1, 2, 2, 3)))}):
        # Even a happy reviewer finds a fault now and then.
        positive = happy != (rng.random() < 0.15)
        sentences.append(rng.choice((texts.GOOD if positive else texts.BAD)[topic]))
    return rng.choice(titles), " ".join(sentences)
