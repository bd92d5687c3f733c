"""Tasks that end on a page of the back office: a record, or a list or report that shows these entries and no others."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

from eval.suites.webarena_mini.tasks.base import Draft, Template
from eval.suites.webarena_mini.tasks.gold import at_page, page
from eval.suites.webarena_mini.tasks.shopping_admin_grids import CUSTOMERS, PRODUCTS, REVIEWS, distinct
from eval.suites.webarena_mini.tasks.shopping_admin_orders import ORDERS
from eval.suites.webarena_mini.tasks.shopping_admin_reports import day_before, spans, top_five
from eval.suites.webarena_mini.tasks.shopping_admin_sums import busiest
from eval.suites.webarena_mini.tasks.shopping_admin_view import SITE, TOLD, Office, month_name
from eval.suites.webarena_mini.tasks.shopping_view import long_date, money

REPORTS = f"{SITE}/reports"


def listing(number: int, first: str) -> list[dict[str, Any]]:
    """Checks that the list on the last page has so many records, and this text in its first row."""
    return [page("last", "#amount", f"{number} records found"), page("last", "tbody tr:first-child", first)]


def show_told(office: Office, rng: random.Random) -> Iterator[Draft]:
    """There are not as many orders of the state that has the told name."""
    for state in rng.sample(("New", "Pending", "Closed"), 3):
        found = [order for order in office.orders if order.state == state]
        others = [order for order in office.orders if order.state == TOLD[state]]
        if len(found) > 1 and len(found) != len(others):
            yield Draft({"told": TOLD[state]}, at_page(ORDERS, listing(len(found), found[0].number)))


def show_placed(office: Office, rng: random.Random) -> Iterator[Draft]:
    """Orders were placed on the last day and on the day after it."""
    for first, last in rng.sample(office.months, len(office.months)):
        found = office.placed(first, last)
        more = office.placed(first, last + timedelta(days=1))
        if found and found[0].day == last and 1 < len(found) < len(more):
            values = {"first": long_date(first), "last": long_date(last)}
            yield Draft(values, at_page(ORDERS, listing(len(found), found[0].number)))


def show_catalog(office: Office, rng: random.Random) -> Iterator[Draft]:
    """One product of the brand or more is disabled."""
    brands = sorted({product.brand for product in office.products.values() if product.status == "Disabled"})
    for brand in rng.sample(brands, len(brands)):
        number = sum(product.brand == brand for product in office.products.values())
        if number > 1:
            yield Draft({"brand": brand}, at_page(PRODUCTS, listing(number, brand)))


def open_customer(office: Office, rng: random.Random) -> Iterator[Draft]:
    """A customer outside the first group."""
    for customer in distinct(office, rng, general=False):
        check = page("last", "#customer", customer.name, customer.email)
        yield Draft({"customer": customer.name}, at_page(f"{CUSTOMERS}/{customer.id}", [check]))


def open_busiest(office: Office, rng: random.Random) -> Iterator[Draft]:
    """Those of the first group come first, whom the list of customers shows at once."""
    for values, customer in sorted(busiest(office, rng), key=lambda found: found[1].group != "General"):
        if office.unlike(customer.id):
            check = page("last", "#customer", customer.name, customer.email)
            yield Draft(values, at_page(f"{CUSTOMERS}/{customer.id}", [check]))


def open_review(office: Office, rng: random.Random) -> Iterator[Draft]:
    """The only one of the product by somebody of that name."""
    for review in rng.sample(office.reviews, len(office.reviews)):
        product = office.products[review.product]
        own = [other for other in office.reviews if other.product == review.product]
        alone = sum(review.nickname in other.nickname for other in own) == 1
        if alone and len(own) > 2 and office.alone(product):
            day = f"{review.day:%b} {review.day.day}, {review.day.year}"
            gold = at_page(f"{REVIEWS}/{review.id}", [page("last", "main", product.name, day)])
            yield Draft({"product": product.name, "nickname": review.nickname}, gold)


def show_sales(office: Office, rng: random.Random) -> Iterator[Draft]:
    """Orders were placed on the last day."""
    for first, last in spans(office, rng):
        right, short = (sum(order.total for order in office.placed(first, end)) for end in (last, day_before(last)))
        if right != short:
            gold = at_page(f"{REPORTS}/sales", [page("last", "tfoot", money(right))])
            yield Draft({"first": long_date(first), "last": long_date(last)}, gold)


def show_best(office: Office, rng: random.Random) -> Iterator[Draft]:
    """Of the product that sells best, units of the last day's orders are among those that are invoiced."""
    for first, last in rng.sample(office.months, len(office.months)):
        right, short = top_five(office, first, last), top_five(office, first, day_before(last))
        key = next(iter(right), None)
        if key is not None and right[key] != short[key]:
            name = office.products[key].name
            checks = [page("last", "tbody tr:first-child", name), page("last", "tbody tr:first-child", str(right[key]))]
            yield Draft({"month": month_name(first)}, at_page(f"{REPORTS}/bestsellers", checks))


TEMPLATES = (
    Template(
        id=771,
        name="show_told",
        make=show_told,
        count=2,
        kind="navigation",
        needs=("A3",),
        wording='Show me every order for which the shop tells the customer the status "{{told}}", and no others.',
    ),
    Template(
        id=772,
        name="show_placed",
        make=show_placed,
        count=2,
        kind="navigation",
        needs=("FA1",),
        wording=(
            "Show me the list of the orders with a purchase date from {{first}} to {{last}}, both days included, and "
            "no others."
        ),
    ),
    Template(
        id=773,
        name="show_catalog",
        make=show_catalog,
        count=2,
        kind="navigation",
        needs=("A2",),
        wording="Show me every {{brand}} product of the catalog, whether enabled or not, and no others.",
    ),
    Template(
        id=774,
        name="open_customer",
        make=open_customer,
        count=2,
        kind="navigation",
        needs=("A2",),
        wording="Open the page of the customer {{customer}}.",
    ),
    Template(
        id=778,
        name="open_busiest",
        make=open_busiest,
        count=4,
        kind="navigation",
        difficulty="hard",
        wording=(
            "Open the page of the customer who placed most of the orders from {{first}} to {{last}}, both days "
            "included."
        ),
    ),
    Template(
        id=775,
        name="open_review",
        make=open_review,
        count=2,
        kind="navigation",
        wording="Open the review of the {{product}} that {{nickname}} wrote.",
    ),
    Template(
        id=776,
        name="show_sales",
        make=show_sales,
        count=2,
        kind="navigation",
        needs=("A1",),
        wording=(
            "Show me the orders report by month for the orders that were placed from {{first}} to {{last}}, both days "
            "included."
        ),
    ),
    Template(
        id=777,
        name="show_best",
        make=show_best,
        count=2,
        kind="navigation",
        needs=("A1",),
        wording="Show me the bestsellers report of {{month}}, by month.",
    ),
)
