"""Known solutions of tasks about reviews."""

from __future__ import annotations

from collections.abc import Mapping

from eval.suites.webarena_mini.solutions.driver import Driver, Solution
from eval.suites.webarena_mini.solutions.shopping_steps import open_named, reviews, spoken_date


def low_star_count(d: Driver, values: Mapping[str, str]) -> None:
    open_named(d, values["product"])
    d.say(str(sum(review.stars <= 2 for review in reviews(d))))


def five_star_share(d: Driver, values: Mapping[str, str]) -> None:
    since = spoken_date(values["date"])
    open_named(d, values["product"])
    stars = [review.stars for review in reviews(d) if review.day >= since]
    d.say(f"{round(100 * stars.count(5) / len(stars))}%")


def reviews_in_period(d: Driver, values: Mapping[str, str]) -> None:
    first, last = spoken_date(values["first"]), spoken_date(values["last"])
    open_named(d, values["product"])
    d.say(str(sum(first <= review.day <= last for review in reviews(d))))


def vague_rating(d: Driver, values: Mapping[str, str]) -> None:
    open_named(d, values["product"])
    d.say(rating(d).partition(" (")[0])


def rating(d: Driver) -> str:
    """`Rating: 4.2 out of 5 (17 reviews)`."""
    return next(text for text in d.read().texts if text.startswith("Rating: "))


SOLUTIONS: dict[str, Solution] = {
    solution.__name__: solution
    for solution in (
        low_star_count,
        five_star_share,
        reviews_in_period,
        vague_rating,
    )
}
