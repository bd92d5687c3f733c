"""Fills the shop's terms and conditions: a long text whose numbers are the world's own."""

from __future__ import annotations

import random
import sqlite3

from eval.suites.webarena_mini.shopping import terms_categories as categories
from eval.suites.webarena_mini.shopping.terms_general import GENERAL

FACTS: dict[str, tuple[int, ...]] = {
    "reply_hours": (20, 24, 30, 36, 48),
    "minimum_age": (16, 17, 18),
    "idle_years": (3, 4, 5, 6),
    "price_match_days": (7, 10, 12, 15),
    "backorder_days": (20, 25, 28, 35, 40),
    "bulk_pieces": (20, 25, 40, 50),
    "quotation_days": (10, 14, 20, 30),
    "bank_fee_dollars": (8, 9, 11, 12),
    "invoice_years": (7, 8, 10),
    "gift_card_months": (18, 24, 30, 36, 48),
    "parcel_pounds": (35, 40, 45, 55, 65, 70),
    "delivery_attempts": (2, 3),
    "pickup_days": (5, 6, 8, 9, 11, 12),
    "damage_days": (3, 4, 6, 7, 10),
    "lost_days": (8, 9, 12, 15),
    "refund_days": (4, 5, 6, 8),
    "repair_days": (16, 18, 22, 24, 27),
    "estimate_dollars": (9, 12, 15, 19),
    "repaired_part_months": (4, 5, 6, 9),
    "unsubscribe_hours": (12, 24, 36, 72),
    "voucher_days": (14, 20, 25, 31),
    "recycling_devices": (2, 3, 4, 5),
    "complaint_days": (5, 7, 9, 14),
    "version_years": (3, 4, 5, 6),
}
"""What the terms name beside the facts that other pages name too, and the values it may have."""
WARRANTY_MONTHS = (6, 12, 15, 18, 24, 30, 36, 48, 60)
BOILERPLATE = (categories.CLAIMS, categories.RETURNS, categories.PARTS, categories.LIMITS)
INTRODUCTION = (
    "Please read these terms before you order. They are long because they try to leave nothing open, and each section "
    "can be read on its own. The general part comes first, then what holds for single categories."
)
WARRANTY_INTRODUCTION = (
    "The warranty depends on the category, and it covers faults in material and workmanship from the day of delivery. "
    "Where the page of a product promises more, that promise holds for this product."
)


def fill_terms(connection: sqlite3.Connection, rng: random.Random) -> None:
    """The facts, then the text line by line; the categories must be there already."""
    drawn = {name: str(rng.choice(values)) for name, values in FACTS.items()}
    connection.executemany("INSERT INTO world VALUES (?, ?)", drawn.items())
    facts = dict(connection.execute("SELECT key, value FROM world").fetchall())
    lines = [("paragraph", INTRODUCTION)]
    for number, (heading, paragraphs) in enumerate(GENERAL, start=1):
        lines.append(("section", f"{number}. {heading}"))
        lines += [("paragraph", text.format_map(facts)) for text in paragraphs]
    lines += [("section", f"{len(GENERAL) + 1}. Warranty by category"), ("paragraph", WARRANTY_INTRODUCTION)]
    leaves = "SELECT id, slug, name FROM categories WHERE parent_id IS NOT NULL ORDER BY id"
    for category_id, slug, name in connection.execute(leaves).fetchall():
        months = rng.choice(WARRANTY_MONTHS)
        connection.execute("INSERT INTO warranties VALUES (?, ?)", (category_id, months))
        lines += [("category", name), *(("paragraph", text) for text in _category(rng, slug, name, months))]
    connection.executemany("INSERT INTO terms (kind, text) VALUES (?, ?)", lines)


def _category(rng: random.Random, slug: str, name: str, months: int) -> list[str]:
    """The paragraphs of one category."""
    claims, returns, parts, limits = (rng.choice(bank) for bank in BOILERPLATE)
    own, own_returns = categories.OWN[slug]
    more = f"{parts} {limits}".format(years=rng.randint(2, 9), pieces=rng.choice((3, 4, 5, 6, 8, 10)))
    return [
        f"{categories.WARRANTY.format(category=name, months=months)} {own}",
        f"{claims} {returns} {own_returns}",
        more,
    ]
