"""Tasks about the cart, the wish list, checkout and reviews to write."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

from eval.suites.webarena_mini.tasks.base import Draft, Gold, Template
from eval.suites.webarena_mini.tasks.gold import at_page, exact, page, pages
from eval.suites.webarena_mini.tasks.shopping_catalog import described, named
from eval.suites.webarena_mini.tasks.shopping_view import Address, Product, Shop, money

CART = "__SHOPPING__/cart"
WISHLIST = "__SHOPPING__/account/wishlist"
SHIPPING = {"standard shipping": 499, "express shipping": 1499, "store pickup": 0}
"""Methods as an intent calls them, with their cost in cents."""
OPINIONS = (
    ("4", "harborgull", "Does what I need", "Arrived quickly and works as described."),
    ("2", "lanternfish", "Less than I hoped for", "It feels flimsy and I would not order it again."),
    ("5", "cedarwing", "Delighted with it", "We use it every single day and it still looks new."),
    ("3", "pebblebrook", "Fair enough", "Nothing special, but it does the work."),
)


def link_to(product: Product) -> str:
    """The locator of links to a product."""
    return f"main a[href='/product/{product.slug}']"


def cart_total(shop: Shop, changed: dict[int, int]) -> int:
    """The cart's subtotal after some quantities were set."""
    return sum(shop.products[key].price * number for key, number in (shop.cart | changed).items())


def in_cart(shop: Shop, product: Product, number: int) -> list[dict[str, Any]]:
    """Checks that the cart holds so many of a product, and that nothing else in it changed."""
    total = money(cart_total(shop, {product.id: number}))
    return [page(CART, link_to(product), product.name), page(CART, "main", money(product.price * number), total)]


def on_wishlist(product: Product) -> list[dict[str, Any]]:
    """Checks that the wish list holds a product."""
    return [page(WISHLIST, link_to(product), product.name)]


def cart_add(shop: Shop, rng: random.Random) -> Iterator[Draft]:
    """A product that is not in the cart."""
    for product in named(shop, rng):
        number = rng.randint(2, 4)
        if product.id not in shop.cart and product.stock >= number:
            yield Draft({"product": product.name, "number": str(number)}, pages(in_cart(shop, product, number)))


def cart_add_loose(shop: Shop, rng: random.Random) -> Iterator[Draft]:
    """As `cart_add`, but told by color, kind and brand."""
    for product, values in described(shop, rng):
        number = rng.randint(2, 4)
        if product.id not in shop.cart and product.stock >= number:
            yield Draft({**values, "number": str(number)}, pages(in_cart(shop, product, number)))


def cart_two(shop: Shop, rng: random.Random) -> Iterator[Draft]:
    """Two products that are not in the cart."""
    new = [product for product in named(shop, rng) if product.id not in shop.cart and product.stock >= 4]
    for first, second in zip(new[::2], new[1::2]):
        numbers = {first.id: rng.randint(2, 4), second.id: rng.randint(2, 4)}
        checks = [page(CART, link_to(product), product.name) for product in (first, second)]
        values = {"first": first.name, "n": str(numbers[first.id])}
        values |= {"second": second.name, "m": str(numbers[second.id])}
        yield Draft(values, pages([*checks, page(CART, "main", money(cart_total(shop, numbers)))]))


def cart_quantity(shop: Shop, rng: random.Random) -> Iterator[Draft]:
    """A product that is in the cart with another quantity."""
    for key in rng.sample(sorted(shop.cart), len(shop.cart)):
        product = shop.products[key]
        number = rng.choice([number for number in range(2, 10) if number != shop.cart[key]])
        if len(shop.cart) > 1 and product.stock >= number:
            yield Draft({"product": product.name, "number": str(number)}, pages(in_cart(shop, product, number)))


def next_number(shop: Shop) -> str:
    """The number that the next order gets."""
    return f"{max(int(order.number) for order in shop.orders) + 1:09d}"


def ordered(shop: Shop, address: Address, total: str) -> Gold:
    """The episode ends on the new order's page."""
    url = f"__SHOPPING__/account/orders/{next_number(shop)}"
    return at_page(url, [page(url, "main", address.street, total)])


def checkout(shop: Shop, rng: random.Random) -> Iterator[Draft]:
    """Every choice differs from what is chosen at first; the order's page does not exist until then."""
    choices = [(address, method) for address in shop.addresses if not address.is_default for method in SHIPPING]
    for address, method in rng.sample(choices, len(choices)):
        total = money(cart_total(shop, {}) + SHIPPING[method])
        yield Draft({"city": address.city, "method": method}, ordered(shop, address, total))


def repeatable(shop: Shop, rng: random.Random) -> Iterator[tuple[str, dict[int, int]]]:
    """Orders whose things are in stock and not in the cart: (number, quantity by product)."""
    for order in rng.sample(shop.orders[:20], 20):
        products = {line.product: line.quantity for line in order.lines}
        available = all(shop.products[key].stock >= number for key, number in products.items())
        if len(products) == len(order.lines) <= 4 and available and not set(products) & set(shop.cart):
            yield order.number, products


def reorder(shop: Shop, rng: random.Random) -> Iterator[Draft]:
    """The things of an order, beside what is in the cart."""
    for number, products in repeatable(shop, rng):
        checks = [page(CART, link_to(shop.products[key]), shop.products[key].name) for key in products]
        total = page(CART, "main", money(cart_total(shop, products)))
        yield Draft({"number": number}, at_page(CART, [*checks, total]))


def order_again(shop: Shop, rng: random.Random) -> Iterator[Draft]:
    """As `reorder` and then `checkout`."""
    for number, products in repeatable(shop, rng):
        address, method = (
            rng.choice([line for line in shop.addresses if not line.is_default]),
            rng.choice(list(SHIPPING)),
        )
        total = money(cart_total(shop, products) + SHIPPING[method])
        values = {"number": number, "city": address.city, "method": method}
        yield Draft(values, ordered(shop, address, total))


def wishlist_add_loose(shop: Shop, rng: random.Random) -> Iterator[Draft]:
    """As `wishlist_add`, but told by color, kind and brand."""
    for product, values in described(shop, rng):
        if product not in shop.wishlist:
            yield Draft(values, pages(on_wishlist(product)))


def wishlist_two(shop: Shop, rng: random.Random) -> Iterator[Draft]:
    """Two products that are not on the list."""
    new = [product for product in named(shop, rng) if product not in shop.wishlist]
    for first, second in zip(new[::2], new[1::2]):
        values = {"first": first.name, "second": second.name}
        yield Draft(values, pages([*on_wishlist(first), *on_wishlist(second)]))


def twins(shop: Shop, rng: random.Random) -> Iterator[tuple[str, list[Product]]]:
    """Brands of which a product stands on the wish list twice, with all their entries."""
    twice = [product.brand for product, number in Counter(shop.wishlist).items() if number > 1]
    for brand in rng.sample(sorted(set(twice)), len(set(twice))):
        yield brand, [product for product in shop.wishlist if product.brand == brand]


def wishlist_count(shop: Shop, rng: random.Random) -> Iterator[Draft]:
    """Equal lines are entries of their own."""
    for brand, entries in twins(shop, rng):
        yield Draft({"brand": brand}, exact(str(len(entries))))


def write_review(shop: Shop, rng: random.Random) -> Iterator[Draft]:
    """The review is the newest, so it stands in the first batch."""
    for product in named(shop, rng):
        stars, nickname, title, text = rng.choice(OPINIONS)
        values = {"product": product.name, "stars": stars, "nickname": nickname, "title": title, "text": text}
        check = page(f"__SHOPPING__/product/{product.slug}", "main", nickname, title, text)
        yield Draft(values, pages([check]))


TEMPLATES = (
    Template(
        id=402,
        name="cart_add_loose",
        make=cart_add_loose,
        count=2,
        kind="change",
        needs=("C1",),
        wording="Add {{number}} of the {{color}} {{kind}} by {{brand}} to my cart.",
    ),
    Template(
        id=403,
        name="cart_quantity",
        make=cart_quantity,
        count=2,
        kind="change",
        needs=("C5",),
        wording="Change the quantity of the {{product}} in my cart to {{number}}.",
    ),
    Template(
        id=405,
        name="checkout",
        make=checkout,
        count=2,
        kind="change",
        difficulty="hard",
        wording="Order everything that is in my cart, to my address in {{city}}, with {{method}}, then show me the new "
        "order.",
    ),
    Template(
        id=406,
        name="reorder",
        make=reorder,
        count=1,
        kind="change",
        wording="Put everything from order {{number}} into my cart once more, then show me the cart.",
    ),
    Template(
        id=408,
        name="wishlist_add_loose",
        make=wishlist_add_loose,
        count=2,
        kind="change",
        needs=("C1",),
        wording="Add the {{color}} {{kind}} by {{brand}} to my wish list.",
    ),
    Template(
        id=409,
        name="vague_keep",
        make=wishlist_add_loose,
        count=2,
        kind="change",
        needs=("C1",),
        vague=True,
        wording=(
            "can you keep that {{color}} {{kind}} from {{brand}} somewhere so i don't forget about it? my wish "
            "list or so"
        ),
    ),
    Template(
        id=410,
        name="wishlist_count",
        make=wishlist_count,
        count=1,
        kind="information",
        needs=("F3",),
        wording="How many entries on my wish list are {{brand}} products? Reply with the number only.",
    ),
    Template(
        id=412,
        name="write_review",
        make=write_review,
        count=2,
        kind="change",
        wording=(
            'Write a review of the {{product}} as {{nickname}}: {{stars}} stars, summary "{{title}}", text "{{text}}"'
        ),
    ),
    Template(
        id=413,
        name="wishlist_two",
        make=wishlist_two,
        count=2,
        kind="change",
        difficulty="easy",
        wording="Add the {{first}} and the {{second}} to my wish list.",
    ),
    Template(
        id=414,
        name="cart_two",
        make=cart_two,
        count=2,
        kind="change",
        wording="Put {{n}} pieces of the {{first}} and {{m}} pieces of the {{second}} into my cart.",
    ),
    Template(
        id=415,
        name="order_again",
        make=order_again,
        count=2,
        kind="change",
        difficulty="hard",
        wording="Put everything from order {{number}} into my cart once more, then order all that is in the cart, "
        "to my address in {{city}}, with {{method}}, then show me the new order.",
    ),
    Template(
        id=416,
        name="vague_more",
        make=cart_add,
        count=2,
        kind="change",
        difficulty="easy",
        vague=True,
        wording="i'm running out of the {{product}}, get {{number}} of them into my cart will you",
    ),
)
