"""Tasks about what customers say of a product."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from datetime import date, timedelta

from eval.suites.webarena_mini.tasks.base import Draft, Template
from eval.suites.webarena_mini.tasks.gold import exact, includes
from eval.suites.webarena_mini.tasks.shopping_view import Product, Review, Shop, long_date, swapped

BATCH = 5
"""Reviews that a product's page shows at first."""


def reviewed(shop: Shop, rng: random.Random, most: int = 25) -> Iterator[tuple[Product, list[Review]]]:
    """Products whose reviews need several batches and can be told by their name, in random order."""
    found = [
        product
        for product in shop.products.values()
        if 2 * BATCH < len(shop.reviews[product.id]) <= most and len(shop.by_name[product.name]) == 1
    ]
    rng.shuffle(found)
    return ((product, shop.reviews[product.id]) for product in found)


def counted(reviews: list[Review], holds: Callable[[Review], bool]) -> tuple[int, int, int]:
    """How many hold; how many when the first batch is counted twice; how many of the first batch."""
    first = sum(map(holds, reviews[:BATCH]))
    right = sum(map(holds, reviews))
    return right, right + first, first


def low_star_count(shop: Shop, rng: random.Random) -> Iterator[Draft]:
    """Bad reviews stand in the first batch and behind it."""
    for product, reviews in reviewed(shop, rng):
        right, twice, first = counted(reviews, lambda review: review.stars <= 2)
        if len({right, twice, first}) == 3 and right >= 2:
            yield Draft({"product": product.name}, exact(str(right)))


def five_star_share(shop: Shop, rng: random.Random) -> Iterator[Draft]:
    """Double counting and day-first reading each give another share."""
    for product, reviews in reviewed(shop, rng):
        for since in rng.sample(starts(shop), 12):
            right = share(reviews, since, read=lambda review: review.day)
            wrong = (
                share(reviews[:BATCH] + reviews, since, read=lambda review: review.day),
                share(reviews, since, read=lambda review: swapped(review.day) or review.day),
                share(reviews[:BATCH], since, read=lambda review: review.day),
            )
            if right and right not in wrong and None not in wrong and right != 100:
                yield Draft({"product": product.name, "date": long_date(since)}, exact(f"{right}%"))
                break


def reviews_in_period(shop: Shop, rng: random.Random) -> Iterator[Draft]:
    """Double counting and day-first reading each give another number."""
    for product, reviews in reviewed(shop, rng):
        for first in rng.sample(starts(shop), 12):
            last = date(first.year + (first.month + 5 > 12), (first.month + 4) % 12 + 1, rng.randint(1, 28))
            if last > shop.today:
                continue
            right, twice, batch = counted(reviews, lambda review: first <= review.day <= last)  # noqa: B023
            misread = sum(first <= (swapped(review.day) or review.day) <= last for review in reviews)
            if right not in (0, twice, batch, misread):
                values = {"product": product.name, "first": long_date(first), "last": long_date(last)}
                yield Draft(values, exact(str(right)))
                break


def vague_rating(shop: Shop, rng: random.Random) -> Iterator[Draft]:
    """The mean is not half way between two tenths."""
    for product, reviews in reviewed(shop, rng, most=99):
        stars = sum(review.stars for review in reviews)
        if 20 * stars % len(reviews):
            yield Draft({"product": product.name}, includes(f"{stars / len(reviews):.1f}"))


def starts(shop: Shop) -> list[date]:
    """Days on which a period may begin: some months are behind each."""
    days = [date(year, month, 1) for year in shop.years for month in range(1, 13)]
    return [day for day in days if day < shop.today - timedelta(days=90)]


def share(reviews: list[Review], since: date, read: Callable[[Review], date]) -> int | None:
    """Percentage of five stars since a day; None where it is undefined or lies between two whole numbers."""
    stars = [review.stars for review in reviews if read(review) >= since]
    if len(stars) < 3 or (200 * stars.count(5)) % (2 * len(stars)) * 2 == 2 * len(stars):
        return None
    return round(100 * stars.count(5) / len(stars))


TEMPLATES = (
    Template(
        id=201,
        name="low_star_count",
        make=low_star_count,
        count=3,
        kind="information",
        needs=("C4",),
        wording="How many reviewers gave the {{product}} at most 2 stars? Reply with the number only.",
    ),
    Template(
        id=204,
        name="five_star_share",
        make=five_star_share,
        count=2,
        kind="information",
        needs=("C4", "F4"),
        difficulty="hard",
        wording=(
            "Of the reviews of the {{product}} written on or after {{date}}, what share has 5 stars? Reply with "
            "the percentage rounded to a whole number, such as 40%."
        ),
    ),
    Template(
        id=205,
        name="reviews_in_period",
        make=reviews_in_period,
        count=2,
        kind="information",
        needs=("C4", "F4"),
        difficulty="hard",
        wording=(
            "How many reviews did customers write about the {{product}} from {{first}} to {{last}}? Reply with "
            "the number only."
        ),
    ),
    Template(
        id=208,
        name="vague_rating",
        make=vague_rating,
        count=2,
        kind="information",
        difficulty="easy",
        vague=True,
        wording="the {{product}}, is it any good? how many stars do people give it on the whole",
    ),
)
