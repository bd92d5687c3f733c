"""What the shop does without saying so, through its pages: conventions, and look-alikes that do the opposite."""

from __future__ import annotations

from urllib.parse import quote_plus

import pytest
from shopping_site import Site

SEEDS = pytest.mark.parametrize("seed", [0, 1, 2])
SPENT = """
SELECT sum(shipping_cents + (SELECT sum(quantity * price_cents) FROM order_items i WHERE i.order_id = o.id))
FROM orders o WHERE placed_on LIKE ?
"""
HEADPHONES = "FROM products WHERE category_id = (SELECT id FROM categories WHERE slug = 'headphones')"


def money(cents: int) -> str:
    return f"${cents / 100:,.2f}"


def cents(text: str) -> int:
    return round(float(text.replace("$", "").replace(",", "")) * 100)


@SEEDS
def test_c1_search_wants_every_word_in_name_or_brand(seed: int) -> None:
    site = Site(seed)
    name, color, material = site.all("SELECT name, lower(color), lower(material) FROM products WHERE id = 40")[0]
    brand, *rest = name.split()
    assert name in site.go(f"/search?q={quote_plus(name)}").products()
    assert name in site.go(f"/search?q={quote_plus(' '.join([*rest[::-1], brand.upper()]))}").products()
    for phrase in (f"{color} {name}", f"{name} {material}", f"the {name}", f"{brand[:-1]} {rest[0]}"):
        site.go("/").press("Search", q=phrase)
        assert site.products() == []
        assert "no results" in site.main


def a_brand_of_some(site: Site, category: str) -> tuple[str, int]:
    """A brand with some of a category's products that the price order does not put first."""
    found = site.all(
        "SELECT brand, price_cents FROM products WHERE category_id = (SELECT id FROM categories WHERE slug = ?)"
        " ORDER BY price_cents",
        category,
    )
    brand = next(brand for brand, _ in found if brand != found[0][0])
    return brand, sum(other == brand for other, _ in found)


@SEEDS
def test_c2_sorting_a_category_forgets_the_filter_and_filtering_keeps_the_sort(seed: int) -> None:
    site = Site(seed)
    brand, count = a_brand_of_some(site, "headphones")
    everything = site.value(
        "SELECT count(*) FROM products WHERE category_id = (SELECT id FROM categories WHERE slug = 'headphones')"
    )
    site.go("/category/headphones").follow(f"{brand} ({count})")
    assert len(site.products()) == count
    assert any(brand in text for text in site.texts("//section[@id='active-filters']//li"))
    site.press("Apply sort", sort="price_asc")
    assert f"{everything} item" in site.main or f"of {everything}" in site.main
    assert site.texts("//section[@id='active-filters']") == []
    assert not site.products()[0].startswith(brand)
    site.follow(f"{brand} ({count})")
    cheapest = site.value(f"SELECT name {HEADPHONES} AND brand = ? ORDER BY price_cents", brand)
    assert site.products()[0] == cheapest
    assert site.url == f"/category/headphones?brand={brand}&sort=price_asc"
    assert site.texts("//select[@id='sort']/option[@selected]") == ["Price: low to high"]


def a_brand_of_several_leaves(site: Site) -> tuple[str, str, str, int]:
    """(brand, leaf slug, leaf name, products there)."""
    found = site.all(
        "SELECT brand, c.slug, c.name, count(*) FROM products p JOIN categories c ON c.id = category_id"
        " GROUP BY brand, c.slug HAVING count(*) > 2 AND count(*) <"
        " (SELECT count(*) FROM products o WHERE o.brand = p.brand) ORDER BY brand, c.slug"
    )
    return found[0]


@SEEDS
def test_f1_in_search_results_refining_forgets_the_sort_and_sorting_keeps_the_category(seed: int) -> None:
    site = Site(seed)
    brand, slug, leaf, count = a_brand_of_several_leaves(site)
    by_price = [
        name
        for (name,) in site.all(
            "SELECT p.name FROM products p JOIN categories c ON c.id = category_id WHERE brand = ? AND c.slug = ?"
            " ORDER BY price_cents",
            brand,
            slug,
        )
    ]
    site.go(f"/search?q={brand}").press("Apply sort", sort="price_asc").follow(f"{leaf} ({count})")
    assert site.texts("//select[@id='sort']/option[@selected]") == ["Relevance"]
    assert sorted(site.products()) == sorted(by_price)
    site.press("Apply sort", sort="price_asc")
    assert site.products() == by_price
    assert site.url == f"/search?q={brand}&category={slug}&sort=price_asc"


@SEEDS
def test_c3_money_spent_leaves_canceled_orders_out(seed: int) -> None:
    site = Site(seed)
    for year in ("2022", "2023", "2024"):
        site.go("/account")
        naive = site.value(SPENT, f"{year}%")
        real = site.value(f"{SPENT} AND status <> 'Canceled'", f"{year}%")
        assert naive != real
        assert f"Total spent in {year}: {money(real)}" in site.texts("//section[@id='spending']//li")
        assert money(naive) not in site.main


@SEEDS
def test_c3_the_order_list_shows_canceled_orders_and_their_totals(seed: int) -> None:
    site = Site(seed)
    rows = all_orders(site.go("/account/orders"))
    of_year = [row for row in rows if row[1].endswith("/2023")]
    kept = sum(cents(row[3]) for row in of_year if row[4] != "Canceled")
    assert kept == site.value(f"{SPENT} AND status <> 'Canceled'", "2023%")


def all_orders(site: Site) -> list[list[str]]:
    """The rows of the order list's pages."""
    rows = site.rows("orders")
    while site.page.xpath("//a[text()='Next page']"):
        rows += site.follow("Next page").rows("orders")
    return rows


@SEEDS
def test_f2_the_number_of_orders_counts_canceled_ones(seed: int) -> None:
    site = Site(seed)
    site.go("/account/orders").press("Apply filter", **{"from": "01/01/2023", "to": "31/12/2023"})
    placed = site.value("SELECT count(*) FROM orders WHERE placed_on LIKE '2023%'")
    assert f"of {placed}" in site.main
    rows = all_orders(site)
    assert len(rows) == placed
    assert "Canceled" in {row[4] for row in rows}


@SEEDS
def test_c4_load_more_reviews_shows_the_first_batch_again(seed: int) -> None:
    site = Site(seed)
    product = site.value("SELECT product_id FROM reviews GROUP BY product_id HAVING count(*) BETWEEN 16 AND 19")
    slug, count = site.all(
        "SELECT slug, (SELECT count(*) FROM reviews WHERE product_id = p.id) FROM products p WHERE id = ?", product
    )[0]
    wanted = [
        name
        for (name,) in site.all(
            "SELECT nickname FROM reviews WHERE product_id = ? ORDER BY posted_on DESC, id DESC", product
        )
    ]
    shown = []
    site.go(f"/product/{slug}")
    while True:
        signed = site.texts("//section[@id='reviews']//li/p[3]")
        shown.append([text.removeprefix("Review by ").rpartition(",")[0] for text in signed])
        if not site.page.xpath("//a[text()='Load More Reviews']"):
            break
        site.follow("Load More Reviews")
    assert shown[0] == wanted[:5]
    assert shown[1] == wanted[:5] + wanted[:10]
    assert shown[2] == wanted[:5] + wanted[:15]
    assert shown[-1] == wanted[:5] + wanted
    assert len(shown[-1]) == count + 5
    assert f"({count} reviews)" in site.main


@SEEDS
def test_f3_the_wish_list_does_not_repeat_and_equal_lines_are_two_entries(seed: int) -> None:
    site = Site(seed)
    entries = site.value("SELECT count(*) FROM wishlist_items")
    site.go("/account/wishlist")
    assert len(site.rows("wishlist")) == 8
    while site.page.xpath("//a[text()='Load More']"):
        site.follow("Load More")
    rows = site.rows("wishlist")
    assert len(rows) == entries
    assert f"{entries} of {entries}" in site.main
    assert len({tuple(row) for row in rows}) == entries - 3
    total = "SELECT sum(price_cents) FROM wishlist_items w JOIN products p ON p.id = w.product_id"
    assert sum(cents(row[1]) for row in rows) == site.value(total)


@SEEDS
def test_c6_order_dates_have_the_day_first_and_the_filter_wants_them_so(seed: int) -> None:
    site = Site(seed)
    number, placed = site.all(
        "SELECT number, placed_on FROM orders WHERE substr(placed_on, 9) < substr(placed_on, 6, 2)"
    )[0]
    year, month, day = placed.split("-")
    assert site.go(f"/account/orders/{number}").texts("//span[@id='order-date']") == [f"{day}/{month}/{year}"]
    dates = {row[0]: row[1] for row in all_orders(site.go("/account/orders"))}
    assert dates[number] == f"{day}/{month}/{year}"
    both = {"from": f"{day}/{month}/{year}", "to": f"{day}/{month}/{year}"}
    assert [row[0] for row in site.go("/account/orders").press("Apply filter", **both).rows("orders")] == [number]
    swapped = {"from": f"{month}/{day}/{year}", "to": f"{month}/{day}/{year}"}
    assert number not in [row[0] for row in site.go("/account/orders").press("Apply filter", **swapped).rows("orders")]
    site.go("/account/orders").press("Apply filter", **{"from": "12/31/2023"})
    assert "12/31/2023" in site.texts("//div[@id='errors']")[0]
    assert site.rows("orders") == []


@SEEDS
def test_f4_review_dates_have_the_month_first(seed: int) -> None:
    site = Site(seed)
    slug, posted = site.all(
        "SELECT slug, max(posted_on) FROM reviews r JOIN products p ON p.id = product_id GROUP BY p.id"
        " HAVING substr(max(posted_on), 9) <> substr(max(posted_on), 6, 2)"
    )[0]
    year, month, day = posted.split("-")
    assert f", {month}/{day}/{year}" in site.go(f"/product/{slug}").texts("//section[@id='reviews']//li/p[3]")[0]


def test_no_page_states_a_convention() -> None:
    site = Site()
    slug = site.value("SELECT slug FROM products WHERE id = 1")
    number = site.value("SELECT number FROM orders")
    paths = ["/", "/category/lighting", "/search?q=none", f"/product/{slug}", "/cart", "/account", "/account/orders"]
    paths += [f"/account/orders/{number}", "/account/wishlist", "/account/addresses", "/about", "/shipping", "/returns"]
    paths += ["/terms", "/checkout"]
    for path in paths:
        text = site.go(path).main.lower()
        for word in (
            "dd/mm",
            "mm/dd",
            "every word",
            "all words",
            "excluding",
            "except canceled",
            "shown twice",
            "unsaved",
        ):
            assert word not in text, (path, word)
