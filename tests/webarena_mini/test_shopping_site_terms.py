"""The longest and the shortest pages: the terms with the world's own numbers, and the checkout's reduced frame."""

from __future__ import annotations

import itertools
import re

import pytest
from shopping_site import Site

from eval.suites.webarena_mini.shopping.world_terms import FACTS

SEEDS = (0, 1, 2, 100)
SAYINGS = {
    "damage_days": r"Damage in transit must be reported within (\d+) days",
    "pickup_days": r"A pickup order is kept for (\d+) days",
    "parcel_pounds": r"A parcel weighs at most (\d+) pounds",
    "gift_card_months": r"A gift card is valid for (\d+) months",
    "repair_days": r"needs at most (\d+) days for a repair",
    "restocking_fee_percent": r"A restocking fee of (\d+)%",
    "return_days": r"can be returned within (\d+) days",
}


@pytest.mark.parametrize("seed", SEEDS)
def test_what_tasks_ask_for_is_said_once(seed: int) -> None:
    site = Site(seed).go("/").follow("Terms and Conditions", "//footer")
    for key, saying in SAYINGS.items():
        assert re.findall(saying, site.main) == [site.value("SELECT value FROM world WHERE key = ?", key)], saying
    warranties = dict(re.findall(r"Warranty on ([\w& ]+): (\d+) months", site.main))
    stored = site.all("SELECT name, CAST(months AS TEXT) FROM warranties JOIN categories c ON c.id = category_id")
    assert warranties == dict(stored)
    assert site.main.count("Warranty on ") == len(warranties) == 24
    assert site.texts("//main/h3") == [name for name, _ in stored]
    assert "{" not in site.main


@pytest.mark.parametrize("seed", SEEDS)
def test_pages_agree(seed: int) -> None:
    site = Site(seed)
    for key in ("return_days", "restocking_fee_percent"):
        value = site.value("SELECT value FROM world WHERE key = ?", key)
        unit = "%" if key.endswith("percent") else " days"
        for path in ("/returns", "/terms"):
            assert f" {value}{unit}" in site.go(path).main


def test_worlds_differ_in_their_terms() -> None:
    texts = [Site(seed).go("/terms").texts("//main/p") for seed in SEEDS]
    for first, second in itertools.pairwise(texts):
        assert sum(line not in second for line in first) > len(first) / 2
    for key in FACTS:
        assert len({Site(seed).value("SELECT value FROM world WHERE key = ?", key) for seed in range(8)}) > 1, key


def test_the_checkout_leads_nowhere_else() -> None:
    site = Site().go("/checkout")
    for _ in range(2):
        assert site.page.xpath("//nav | //aside | //input[@name='q']") == []
        assert site.texts("//header//a") == ["Harbor & Pine", "Back to Shopping Cart"]
        assert "Need help? Call 555-" in site.texts("//footer")[0]
        if site.page.xpath("//button[.='Review Order']"):
            site.press("Review Order")
    site.press("Place Order")
    assert site.page.xpath("//nav[@aria-label='Categories']")
