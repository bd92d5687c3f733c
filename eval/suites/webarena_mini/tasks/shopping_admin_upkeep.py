"""Tasks that change one thing, or the same of several: orders, reviews, coupons, customers."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import date

from eval.suites.webarena_mini.tasks.base import Draft, Template
from eval.suites.webarena_mini.tasks.gold import not_possible, page, pages
from eval.suites.webarena_mini.tasks.shopping_admin_view import SITE, Office
from eval.suites.webarena_mini.tasks.shopping_view import long_date

ORDERS, CUSTOMERS = f"{SITE}/sales/orders", f"{SITE}/customers"
REVIEWS, COUPONS = f"{SITE}/marketing/reviews", f"{SITE}/marketing/coupons"
STREETS = ("Juniper Court", "Wharf Street", "Saltmarsh Lane", "Beech Crescent", "Foundry Road", "Mill Close")
PAGE = 20
"""Rows of a grid's page."""


def cancel_order(office: Office, rng: random.Random) -> Iterator[Draft]:
    """Nothing of it is invoiced."""
    for order in rng.sample(office.orders, len(office.orders)):
        if order.state == "New" and not any(line.invoiced for line in order.lines):
            check = page(f"{ORDERS}/{order.id}", "#order-state", "Cancelled")
            yield Draft({"number": order.number}, pages([check]))


def approve_review(office: Office, rng: random.Random) -> Iterator[Draft]:
    """A pending review, and another one of the product that must stay as it is."""
    for review in rng.sample(office.reviews, len(office.reviews)):
        product = office.products[review.product]
        others = [other for other in office.reviews if other.product == review.product and other.status == "Pending"]
        alone = not any(review.nickname in other.nickname for other in others if other is not review)
        if review.status == "Pending" and len(others) > 1 and alone and office.alone(product):
            chosen = ((review, "Approved"), (next(other for other in others if other is not review), "Pending"))
            checks = [page(f"{REVIEWS}/{each.id}", "#status option[selected]", status) for each, status in chosen]
            yield Draft({"product": product.name, "nickname": review.nickname}, pages(checks))


def coupon_longer(office: Office, rng: random.Random) -> Iterator[Draft]:
    """A day after the last one of all coupons."""
    for coupon in rng.sample(office.coupons, len(office.coupons)):
        last = date(office.today.year + 1, rng.randint(3, 12), rng.randint(13, 28))
        check = page(f"{COUPONS}/{coupon.id}", "#ends", f"{last:%m/%d/%Y}")
        yield Draft({"code": coupon.code, "last": long_date(last)}, pages([check]))


def vague_moved(office: Office, rng: random.Random) -> Iterator[Draft]:
    """A customer outside the first group."""
    for customer in rng.sample(list(office.customers.values()), len(office.customers)):
        if customer.group != "General" and office.unlike(customer.id):
            street = f"{rng.randint(2, 980)} {rng.choice(STREETS)}"
            checks = page(f"{CUSTOMERS}/{customer.id}", "#address", street, f"{customer.city}, {customer.state}")
            yield Draft({"customer": customer.name, "street": street}, pages([checks]))


def group_of_state(office: Office, rng: random.Random) -> Iterator[Draft]:
    """Customers of the first group and of others live there, and fit on one page."""
    customers = list(office.customers.values())
    for state in rng.sample(sorted({customer.state for customer in customers}), 8):
        group = rng.choice(("Wholesale", "Retailer"))
        found = [customer for customer in customers if customer.state == state]
        groups = {customer.group for customer in found}
        if len(found) <= PAGE and len(groups) == 3:
            # one of each group, and somebody who lives elsewhere
            chosen = [next(customer for customer in found if customer.group == each) for each in sorted(groups)]
            checks = [page(f"{CUSTOMERS}/{customer.id}", "#customer", f"Group: {group}") for customer in chosen]
            other = next(each for each in customers if each.state != state and each.group != group)
            checks.append(page(f"{CUSTOMERS}/{other.id}", "#customer", f"Group: {other.group}"))
            yield Draft({"state": state, "group": group}, pages(checks))


def delete_invoice(office: Office, rng: random.Random) -> Iterator[Draft]:
    """The pages offer no way to delete invoices."""
    for number in rng.sample(office.invoice_numbers, len(office.invoice_numbers)):
        yield Draft({"number": number}, not_possible("the back office offers no way to delete an invoice"))


TEMPLATES = (
    Template(
        id=761,
        name="cancel_sale",
        make=cancel_order,
        count=2,
        kind="change",
        difficulty="easy",
        wording="Cancel order {{number}}.",
    ),
    Template(
        id=762,
        name="approve_review",
        make=approve_review,
        count=2,
        kind="change",
        needs=("A5",),
        wording="Approve the review of the {{product}} that {{nickname}} wrote.",
    ),
    Template(
        id=763,
        name="coupon_longer",
        make=coupon_longer,
        count=2,
        kind="change",
        needs=("A5",),
        wording="Let the coupon {{code}} end on {{last}}.",
    ),
    Template(
        id=764,
        name="vague_moved",
        make=vague_moved,
        count=2,
        kind="change",
        needs=("A2", "A5"),
        vague=True,
        wording="{{customer}} moved, it's {{street}} now, same town. can you put that in",
    ),
    Template(
        id=765,
        name="group_of_state",
        make=group_of_state,
        count=1,
        kind="change",
        needs=("A2", "A5"),
        difficulty="hard",
        wording="Put all customers who live in the state {{state}} into the group {{group}}.",
    ),
    Template(
        id=766,
        name="delete_invoice",
        make=delete_invoice,
        count=1,
        kind="change",
        impossible=True,
        wording="Delete invoice {{number}}.",
    ),
)
