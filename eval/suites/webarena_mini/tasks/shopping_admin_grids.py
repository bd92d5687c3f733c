"""Tasks about products, customers, reviews and coupons, which stand in lists with filters and mass actions."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import date

from eval.suites.webarena_mini.tasks.base import Draft, Template
from eval.suites.webarena_mini.tasks.gold import at_url, exact, includes, page, pages
from eval.suites.webarena_mini.tasks.shopping_admin_view import SITE, Customer, Office, Product
from eval.suites.webarena_mini.tasks.shopping_view import long_date

PRODUCTS, CUSTOMERS = f"{SITE}/catalog/products", f"{SITE}/customers"
REVIEWS, COUPONS = f"{SITE}/marketing/reviews", f"{SITE}/marketing/coupons"
PAGE = 20
"""Rows of a grid's page."""
CODES = ("LANTERN", "DRIFTWOOD", "SEAGLASS", "COMPASS", "BEACON", "TIDEPOOL")


def vague_left_over(office: Office, rng: random.Random) -> Iterator[Draft]:
    """An enabled product, told by its name."""
    for product in rng.sample(list(office.products.values()), len(office.products)):
        if office.alone(product) and product.status == "Enabled" and product.quantity > 9:
            yield Draft({"product": product.name}, exact(str(product.quantity)))


def price_change(office: Office, rng: random.Random) -> Iterator[Draft]:
    """A disabled product."""
    for product in rng.sample(list(office.products.values()), len(office.products)):
        if product.status == "Disabled":
            price = f"{product.price // 100 + rng.randint(2, 9)}.{rng.randint(11, 89)}"
            check = page(f"{PRODUCTS}/{product.id}", "#price", price)
            yield Draft({"sku": product.sku, "price": f"${price}"}, pages([check]))


def distinct(office: Office, rng: random.Random, *, general: bool) -> Iterator[Customer]:
    """Customers in the first group or in others, whose name no other customer's name holds."""
    for customer in rng.sample(list(office.customers.values()), len(office.customers)):
        if office.unlike(customer.id) and (customer.group == "General") == general:
            yield customer


def customer_phone(office: Office, rng: random.Random) -> Iterator[Draft]:
    """A customer outside the first group."""
    for customer in distinct(office, rng, general=False):
        number = f"555-{rng.randint(100, 999)}-{rng.randint(1000, 9999)}"
        check = page(f"{CUSTOMERS}/{customer.id}", "#customer", f"Phone: {number}")
        yield Draft({"customer": customer.name, "phone": number}, pages([check]))


def vague_email(office: Office, rng: random.Random) -> Iterator[Draft]:
    """A customer of the first group, whose address does not follow from the name."""
    for customer in distinct(office, rng, general=True):
        if any(sign.isdigit() for sign in customer.email):
            yield Draft({"customer": customer.name}, includes(customer.email))


def on_two_pages(found: list[Product]) -> bool:
    """So many that a page of the grid does not hold them, and two pages do."""
    return PAGE < len(found) <= 2 * PAGE - 4


def disabled(office: Office, found: list[Product]) -> list[dict[str, object]]:
    """Checks of products on the first and on the second page, and of one that must stay as it is."""
    other = next(
        product for product in office.products.values() if product.status == "Enabled" and product not in found
    )
    chosen = [(product, "Disabled") for product in (found[0], found[PAGE - 1], found[PAGE], found[-1])]
    return [
        page(f"{PRODUCTS}/{product.id}", "#status option[selected]", status)
        for product, status in [*chosen, (other, "Enabled")]
    ]


def disable_dear(office: Office, rng: random.Random) -> Iterator[Draft]:
    """Enabled products from a price on fill two pages."""
    for dollars in rng.sample(range(60, 400, 5), 68):
        found = [
            product
            for product in office.products.values()
            if product.price >= 100 * dollars and product.status == "Enabled"
        ]
        if on_two_pages(found):
            yield Draft({"price": f"${dollars}"}, pages(disabled(office, found)))


def disable_scarce(office: Office, rng: random.Random) -> Iterator[Draft]:
    """Enabled products up to a quantity fill two pages."""
    for most in rng.sample(range(15, 60), 45):
        found = [
            product for product in office.products.values() if product.quantity <= most and product.status == "Enabled"
        ]
        if on_two_pages(found):
            yield Draft({"most": str(most)}, pages(disabled(office, found)))


def approve_reviews(office: Office, rng: random.Random) -> Iterator[Draft]:
    """Pending reviews of a period fill two pages."""
    spans = [(first, last) for first, _ in office.months for _, last in office.months if first < last]
    for first, last in rng.sample(spans, len(spans)):
        found = [review for review in office.reviews if review.status == "Pending" and first <= review.day <= last]
        if PAGE < len(found) <= 2 * PAGE - 4:
            chosen = (found[0], found[PAGE - 1], found[PAGE], found[-1])
            checks = [page(f"{REVIEWS}/{review.id}", "#status option[selected]", "Approved") for review in chosen]
            others = [review for review in office.reviews if review.status == "Pending" and review not in found]
            checks += [page(f"{REVIEWS}/{other.id}", "#status option[selected]", "Pending") for other in others[:1]]
            yield Draft({"first": long_date(first), "last": long_date(last)}, pages(checks))


def coupon_count(office: Office, rng: random.Random) -> Iterator[Draft]:
    """Coupons of a status."""
    for status in rng.sample(("active", "inactive"), 2):
        number = sum(coupon.active == (status == "active") for coupon in office.coupons)
        yield Draft({"status": status}, exact(str(number)))


def open_coupons(office: Office, rng: random.Random) -> Iterator[Draft]:
    """The list with a filter in its address."""
    for status in rng.sample(("Active", "Inactive"), 2):
        yield Draft({"status": status.lower()}, at_url(f"{COUPONS}?status={status}"))


def coupon_new(office: Office, rng: random.Random) -> Iterator[Draft]:
    """A code that no coupon has, with days that no other coupon has."""
    year = office.today.year + 1
    for word in rng.sample(CODES, len(CODES)):
        percent = rng.randint(31, 60)
        first, last = date(year, rng.randint(1, 6), rng.randint(1, 28)), date(year, rng.randint(7, 12), 15)
        check = page(COUPONS, "#coupons", f"{word}{percent}", f"{percent}%", f"{last:%b} {last.day}, {last.year}")
        values = {"code": f"{word}{percent}", "percent": str(percent)}
        yield Draft({**values, "first": long_date(first), "last": long_date(last)}, pages([check]))


TEMPLATES = (
    Template(
        id=735,
        name="vague_left_over",
        make=vague_left_over,
        count=2,
        kind="information",
        difficulty="easy",
        vague=True,
        wording="someone on the phone wants {{product}}, lots of them. how many have we got? just the number",
    ),
    Template(
        id=724,
        name="price_change",
        make=price_change,
        count=2,
        kind="change",
        needs=("A2", "A5"),
        wording="Set the price of the product with the SKU {{sku}} to {{price}}.",
    ),
    Template(
        id=725,
        name="customer_phone",
        make=customer_phone,
        count=2,
        kind="change",
        needs=("A2", "A5"),
        wording="Change the phone number of the customer {{customer}} to {{phone}}.",
    ),
    Template(
        id=726,
        name="vague_email",
        make=vague_email,
        count=2,
        kind="information",
        difficulty="easy",
        vague=True,
        wording="need to write to {{customer}}, where do i send it? the mail address i mean",
    ),
    Template(
        id=727,
        name="disable_dear",
        make=disable_dear,
        count=2,
        kind="change",
        needs=("A4", "A5"),
        difficulty="hard",
        wording="Disable all products that cost {{price}} or more.",
    ),
    Template(
        id=728,
        name="disable_scarce",
        make=disable_scarce,
        count=1,
        kind="change",
        needs=("A4", "A5"),
        difficulty="hard",
        wording="Disable all products of which the quantity is {{most}} or less.",
    ),
    Template(
        id=729,
        name="approve_reviews",
        make=approve_reviews,
        count=2,
        kind="change",
        needs=("A4", "A5"),
        difficulty="hard",
        wording="Approve all pending reviews that were created from {{first}} to {{last}}.",
    ),
    Template(
        id=731,
        name="coupon_count",
        make=coupon_count,
        count=2,
        kind="information",
        needs=("FA2",),
        wording="How many coupons are {{status}}? Reply with the number only.",
    ),
    Template(
        id=732,
        name="open_coupons",
        make=open_coupons,
        count=2,
        kind="navigation",
        needs=("FA2",),
        wording="Open the list of coupons so that it shows only the {{status}} ones.",
    ),
    Template(
        id=734,
        name="coupon_new",
        make=coupon_new,
        count=2,
        kind="change",
        needs=("A5",),
        wording=(
            "Create an active coupon {{code}} with a discount of {{percent}} percent that starts on {{first}} and ends "
            "on {{last}}."
        ),
    ),
)
