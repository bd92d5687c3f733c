"""Tasks about what the shop offers: single products, category lists, search results."""

from __future__ import annotations

import random
from collections.abc import Iterator

from eval.suites.webarena_mini.tasks.base import Draft, Template
from eval.suites.webarena_mini.tasks.gold import at_url, exact, includes
from eval.suites.webarena_mini.tasks.shopping_view import Category, Product, Shop, money

PRODUCT = "__SHOPPING__/product/"
BANDS = {"under $25": (0, 2500), "from $25 to $49.99": (2500, 5000), "from $50 to $99.99": (5000, 10_000)}
"""From (included) and to (excluded), in cents."""
PAGE = 12
"""Rows of a list."""


def described(shop: Shop, rng: random.Random) -> Iterator[tuple[Product, dict[str, str]]]:
    """Products told by color, kind and brand: the whole phrase finds nothing, kind and brand find three or four."""
    for product in rng.sample(list(shop.products.values()), len(shop.products)):
        values = {"color": product.color.lower(), "kind": product.kind, "brand": product.brand}
        found = shop.search(f"{product.brand} {product.kind}")
        same = [other for other in found if other.color == product.color]
        if same == [product] and 3 <= len(found) <= 4 and not shop.search(" ".join(values.values())):
            yield product, values


def named(shop: Shop, rng: random.Random) -> Iterator[Product]:
    """Products that are told by their full name."""
    found = [product for product in shop.products.values() if len(shop.by_name[product.name]) == 1]
    return iter(rng.sample(found, len(found)))


def product_price(shop: Shop, rng: random.Random) -> Iterator[Draft]:
    """The name finds look-alikes too."""
    for product in named(shop, rng):
        prices = {other.price for other in shop.search(product.name)}
        if len(prices) > 1:
            yield Draft({"product": product.name}, includes(money(product.price)[1:]))


def open_loose(shop: Shop, rng: random.Random) -> Iterator[Draft]:
    """A page to end on, whose address is not the beginning of another's: the comparison would take that too."""
    slugs = [product.slug for product in shop.products.values()]
    for product, values in described(shop, rng):
        if sum(slug.startswith(product.slug) for slug in slugs) == 1:
            yield Draft(values, at_url(PRODUCT + product.slug))


def vague_left(shop: Shop, rng: random.Random) -> Iterator[Draft]:
    """The look-alikes have other stocks."""
    for product, values in described(shop, rng):
        stocks = [other.stock for other in shop.search(f"{product.brand} {product.kind}")]
        if stocks.count(product.stock) == 1 and product.stock > 0:
            yield Draft(values, exact(str(product.stock)))


def ranged(shop: Shop, rng: random.Random, fewest: int) -> Iterator[tuple[Category, str, list[Product]]]:
    """Brands with several products, of different prices, in a top category that the brand neither leads nor closes."""
    pairs = [(top, brand) for top in shop.tops() for brand in sorted({p.brand for p in shop.within(top.id)})]
    for top, brand in rng.sample(pairs, len(pairs)):
        all_of_it = sorted(shop.within(top.id), key=lambda product: product.price)
        found = [product for product in all_of_it if product.brand == brand]
        prices = [product.price for product in found]
        inside = brand not in (all_of_it[0].brand, all_of_it[-1].brand) and brand not in (
            all_of_it[1].brand,
            all_of_it[-2].brand,
        )
        if inside and fewest <= len(found) <= PAGE and len(set(prices)) == len(prices):
            yield top, brand, found


def brand_cheapest(shop: Shop, rng: random.Random) -> Iterator[Draft]:
    """The category's cheapest product is of another brand."""
    for top, brand, found in ranged(shop, rng, 3):
        if shop.own_name(found[0]):
            yield Draft({"brand": brand, "category": top.name}, includes(found[0].name))


def banded(shop: Shop, rng: random.Random) -> Iterator[tuple[Category, str, Product]]:
    """Categories and price bands with the best rated product of the band: the category's costs more or less."""
    bands = [(category, name) for category in shop.tops() for name in BANDS]
    for category, name in rng.sample(bands, len(bands)):
        low, high = BANDS[name]
        everything = by_rating(shop, shop.within(category.id))
        found = [product for product in everything if low <= product.price < high]
        if len(found) < 4 or everything[0] is found[0] or found[0] is min(found, key=lambda product: product.id):
            continue
        clear = (shop.rating(found[0]) or 0) > (shop.rating(found[1]) or 0) + 0.05
        if clear and shop.own_name(found[0]):
            yield category, name, found[0]


def best_rated(shop: Shop, rng: random.Random) -> Iterator[Draft]:
    """The band's best rated product is not listed first."""
    for category, band, best in banded(shop, rng):
        yield Draft({"band": band, "category": category.name}, includes(best.name))


def by_rating(shop: Shop, products: list[Product]) -> list[Product]:
    """Best first; those without reviews last."""
    return sorted(products, key=lambda product: -(shop.rating(product) or 0))


def open_sorted(shop: Shop, rng: random.Random) -> Iterator[Draft]:
    """A list to end on, sorted and filtered."""
    for top, brand, _ in ranged(shop, rng, 3):
        url = f"__SHOPPING__/category/{top.slug}?brand={brand}&sort=price_asc"
        yield Draft({"brand": brand, "category": top.name}, at_url(url))


def open_category(shop: Shop, rng: random.Random) -> Iterator[Draft]:
    """A page that the navigation leads to."""
    for leaf in rng.sample(shop.leaves(), len(shop.leaves())):
        yield Draft({"category": leaf.name}, at_url(f"__SHOPPING__/category/{leaf.slug}"))


def refined(shop: Shop, rng: random.Random) -> Iterator[tuple[str, Category, list[Product]]]:
    """Brands that the search finds in several categories, with what it finds in one, ordered by price."""
    brands = sorted({product.brand for product in shop.products.values()})
    for brand in rng.sample(brands, len(brands)):
        for leaf in rng.sample(shop.leaves(), len(shop.leaves())):
            found = [product for product in shop.search(brand) if product.category == leaf.id]
            if 3 <= len(found) < len(shop.search(brand)):
                yield brand, leaf, sorted(found, key=lambda product: product.price)
                break


def open_refined(shop: Shop, rng: random.Random) -> Iterator[Draft]:
    """Search results to end on, refined and sorted."""
    for brand, leaf, _ in refined(shop, rng):
        url = f"__SHOPPING__/search?q={brand}&category={leaf.slug}&sort=price_asc"
        yield Draft({"brand": brand, "category": leaf.name}, at_url(url))


def search_cheapest(shop: Shop, rng: random.Random) -> Iterator[Draft]:
    """The cheapest is not the first that the unsorted results show."""
    for brand, leaf, found in refined(shop, rng):
        if found[0] is not min(found, key=lambda product: product.id) and shop.own_name(found[0]):
            yield Draft({"brand": brand, "category": leaf.name}, includes(found[0].name))


TEMPLATES = (
    Template(
        id=101,
        name="product_price",
        make=product_price,
        count=3,
        kind="information",
        difficulty="easy",
        wording="What does the {{product}} cost?",
    ),
    Template(
        id=105,
        name="open_loose",
        make=open_loose,
        count=2,
        kind="navigation",
        needs=("C1",),
        wording="Show me the page of the {{brand}} {{kind}} in {{color}}.",
    ),
    Template(
        id=106,
        name="brand_cheapest",
        make=brand_cheapest,
        count=2,
        kind="information",
        needs=("C2",),
        wording="What is the name of the least expensive {{brand}} product in {{category}}?",
    ),
    Template(
        id=109,
        name="best_rated",
        make=best_rated,
        count=2,
        kind="information",
        needs=("C2",),
        wording="Which product in {{category}} has the best customer rating among those priced {{band}}?",
    ),
    Template(
        id=110,
        name="open_sorted",
        make=open_sorted,
        count=2,
        kind="navigation",
        needs=("C2",),
        wording="Show me only the {{brand}} products in {{category}}, sorted by price from low to high.",
    ),
    Template(
        id=111,
        name="open_category",
        make=open_category,
        count=1,
        kind="navigation",
        difficulty="easy",
        wording="Take me to the {{category}} category.",
    ),
    Template(
        id=113,
        name="open_refined",
        make=open_refined,
        count=2,
        kind="navigation",
        needs=("F1",),
        wording=(
            "Search the shop for {{brand}} and show me the results in {{category}} only, sorted by price from low"
            " to high."
        ),
    ),
    Template(
        id=114,
        name="search_cheapest",
        make=search_cheapest,
        count=2,
        kind="information",
        needs=("F1",),
        wording="When I search the shop for {{brand}}, which of the results in {{category}} is the cheapest?",
    ),
    Template(
        id=115,
        name="vague_left",
        make=vague_left,
        count=2,
        kind="information",
        needs=("C1",),
        vague=True,
        wording="any of those {{color}} {{kind}} things by {{brand}} left, and if so how many? just the number",
    ),
)
