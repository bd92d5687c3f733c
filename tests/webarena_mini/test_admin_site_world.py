"""The back office's seeded world: the same everywhere for a seed, another one for another, and consistent in itself."""

from __future__ import annotations

import pytest
from admin_site import Site

from eval.suites.webarena_mini.shopping_admin.vocabulary import STATES

SEEDS = pytest.mark.parametrize("seed", [0, 1, 2, 100])
UNITS = "SELECT sum({done}) FROM order_items WHERE order_id = o.id"


def test_worlds_share_few_names_orders_and_terms() -> None:
    first, second = Site(0), Site(1)
    for sql in (
        "SELECT name FROM products",
        "SELECT number, state FROM orders",
        "SELECT number FROM invoices",
        "SELECT code FROM coupons",
        "SELECT email FROM customers",
    ):
        shared = set(first.all(sql)) & set(second.all(sql))
        assert len(shared) <= 0.25 * len(first.all(sql)), (sql, shared)


def test_the_back_office_is_not_the_shop_of_the_same_seed() -> None:
    from shopping_site import Site as Shop

    assert not set(Site(0).all("SELECT name FROM products")) & set(Shop(0).all("SELECT name FROM products"))


@SEEDS
def test_sizes(seed: int) -> None:
    site = Site(seed)
    assert 100 <= site.value("SELECT count(*) FROM products") <= 135
    assert 66 <= site.value("SELECT count(*) FROM customers") <= 76
    assert 290 <= site.value("SELECT count(*) FROM orders") <= 320
    assert 16 <= site.value("SELECT count(*) FROM coupons") <= 20
    assert site.value("SELECT count(*) FROM search_terms") >= 40
    assert site.value("SELECT count(*) FROM search_terms WHERE results = 0") >= 3
    assert site.value("SELECT count(*) FROM reviews WHERE status = 'Pending'") > 20
    for state in STATES:
        # mostly more than a page, so that "all" and "all visible" differ
        assert site.value("SELECT count(*) FROM orders WHERE state = ?", state) >= (
            15 if state == "Cancelled" else 21
        ), state
    assert site.value("SELECT count(*) FROM orders WHERE strftime('%d', placed_on, '+1 day') = '01'") > 50
    assert site.value("SELECT max(placed_on) FROM orders") < "2024-06-15"


@SEEDS
def test_states_follow_from_what_is_invoiced_and_shipped(seed: int) -> None:
    site = Site(seed)
    for state, ordered, invoiced, shipped, held in site.all(
        f"SELECT state, ({UNITS.format(done='quantity')}), ({UNITS.format(done='invoiced')}),"
        f" ({UNITS.format(done='shipped')}), held_from FROM orders o"
    ):
        reached = held or state
        if reached in ("New", "Cancelled"):
            assert (invoiced, shipped) == (0, 0)
        elif reached == "Closed":
            assert invoiced == shipped == ordered
        else:
            assert 0 < invoiced + shipped < 2 * ordered
        assert bool(held) == (state == "On Hold")


@SEEDS
def test_invoices_and_shipments_add_up(seed: int) -> None:
    site = Site(seed)
    for kind, done in (("invoice", "invoiced"), ("shipment", "shipped")):
        assert not site.all(
            f"SELECT i.id FROM order_items i WHERE {done} <>"
            f" (SELECT coalesce(sum(quantity), 0) FROM {kind}_items u WHERE u.order_item_id = i.id)"
        )
        assert not site.all(
            f"SELECT 1 FROM {kind}s p JOIN orders o ON o.id = order_id"
            " WHERE created_on < placed_on OR created_on >= '2024-06-15'"
        )
    wrong = (
        "SELECT v.id FROM invoices v JOIN orders o ON o.id = v.order_id JOIN order_totals t ON t.order_id = o.id"
        " WHERE o.state = 'Closed' AND v.total_cents <> t.total_cents"
    )
    assert not site.all(wrong)
    assert not site.all("SELECT 1 FROM order_comments c JOIN orders o ON o.id = order_id WHERE written_on < placed_on")
