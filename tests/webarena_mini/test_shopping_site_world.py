"""The seeded world: the same everywhere for a seed, another one for another seed, and full of what the tasks need."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys

import pytest
from shopping_site import Site

from eval.suites.webarena_mini.shopping import review_texts as texts
from eval.suites.webarena_mini.shopping.vocabulary import COLORS
from eval.suites.webarena_mini.sites import SITES

SEEDS = (0, 1, 2, 100)


@pytest.mark.parametrize("hash_seed", ["1", "2"])
def test_the_same_bytes_in_another_process(hash_seed: str) -> None:
    code = (
        "import hashlib; from eval.suites.webarena_mini.sites import SITES;"
        "print({name: hashlib.sha256(site.world(7)).hexdigest() for name, site in SITES.items()})"
    )
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment)
    assert found.stdout.strip() == str(
        {name: hashlib.sha256(site.world(7)).hexdigest() for name, site in SITES.items()}
    )


def test_worlds_share_no_name_no_order_and_few_prices() -> None:
    first, second = Site(0), Site(1)
    for sql in ("SELECT name FROM products", "SELECT number FROM orders", "SELECT placed_on, status FROM orders"):
        shared = set(first.all(sql)) & set(second.all(sql))
        assert len(shared) <= 0.05 * len(first.all(sql)), shared
    assert first.all("SELECT key, value FROM world WHERE key <> 'now'") != second.all(
        "SELECT key, value FROM world WHERE key <> 'now'"
    )


@pytest.mark.parametrize("seed", SEEDS)
def test_sizes(seed: int) -> None:
    site = Site(seed)
    assert site.value("SELECT count(*) FROM categories WHERE parent_id IS NULL") == 8
    assert site.value("SELECT count(*) FROM categories WHERE parent_id IS NOT NULL") == 24
    assert 210 <= site.value("SELECT count(*) FROM products") <= 280
    per_leaf = site.all("SELECT count(*), count(DISTINCT brand) FROM products GROUP BY category_id")
    assert all(8 <= products <= 14 and 3 <= brands <= 5 for products, brands in per_leaf)
    assert 40 <= site.value("SELECT count(*) FROM orders") <= 50
    assert 3 <= site.value("SELECT count(*) FROM addresses") <= 5
    assert site.value("SELECT count(*) FROM addresses WHERE is_default = 1") == 1
    assert 3 <= site.value("SELECT count(*) FROM cart_items") <= 6
    assert 14 <= site.value("SELECT count(*) FROM wishlist_items") <= 22
    assert site.value("SELECT count(*) FROM subscriptions") == 5
    most = "SELECT max(n) FROM (SELECT count(*) AS n FROM reviews GROUP BY product_id)"
    assert 20 <= site.value(most) <= 28
    assert site.value("SELECT count(*) FROM products WHERE id NOT IN (SELECT product_id FROM reviews)") > 0


@pytest.mark.parametrize("seed", SEEDS)
def test_what_the_conventions_need(seed: int) -> None:
    site = Site(seed)
    for year in ("2022", "2023", "2024"):
        assert site.value("SELECT count(*) FROM orders WHERE status = 'Canceled' AND placed_on LIKE ?", f"{year}%") >= 2
    ambiguous = site.value("SELECT avg(CAST(substr(placed_on, 9) AS INTEGER) <= 12) FROM orders")
    assert 0.4 < ambiguous < 0.9
    assert site.value("SELECT max(placed_on) FROM orders") < "2024-06-15"
    twins = "SELECT 1 FROM wishlist_items GROUP BY product_id, note, added_on HAVING count(*) = 2"
    assert len(site.all(twins)) == 3
    # one reviewer writes once about a product, so that a review that stands twice can be told
    assert not site.all("SELECT 1 FROM reviews GROUP BY product_id, nickname HAVING count(*) > 1")
    assert not site.all("SELECT 1 FROM products GROUP BY category_id, price_cents HAVING count(*) > 1")


@pytest.mark.parametrize("seed", SEEDS)
def test_names_hold_neither_color_nor_material(seed: int) -> None:
    site = Site(seed)
    named = {word for (word,) in site.all("SELECT DISTINCT word FROM search_words")}
    told = {word for color in COLORS for word in color.lower().split()}
    told |= {word for (text,) in site.all("SELECT DISTINCT material FROM products") for word in text.lower().split()}
    assert not named & told
    assert all(3 <= len(name.split()) <= 6 for (name,) in site.all("SELECT name FROM products"))


STEMS: dict[str, tuple[str, ...]] = {
    "comfort": ("comfort",),
    "noise": ("nois",),
    "battery": ("battery",),
    "cleaning": ("clean",),
    "weight": ("heavy", "weigh"),
    "leak": ("leak",),
    "color": ("color",),
    "size": ("size",),
    "smell": ("smell",),
    "breakage": ("broke", "crack"),
    "price": ("price",),
    "delivery": ("deliver",),
    "instructions": ("instruction",),
}
"""What names each topic of the reviews."""


def test_each_sentence_speaks_of_its_topic_alone() -> None:
    said = [(topic, text) for bank in (texts.GOOD, texts.BAD) for topic, found in bank.items() for text in found]
    said += [("", text) for text in (*texts.GOOD_OPENERS, *texts.BAD_OPENERS)]
    for topic, text in said:
        spoken = {name for name, stems in STEMS.items() if any(stem in text.lower() for stem in stems)}
        assert spoken == ({topic} if topic else set()), text
