"""What solutions of the shop's tasks have in common: finding products, lists, reviews, orders, entries."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime

from eval.suites.webarena_mini.solutions.driver import Driver, LostError
from eval.suites.webarena_mini.solutions.tree import Node


def cents(text: str) -> int:
    """The amount in a text such as `Shipping: $1,234.50`."""
    found = re.search(r"\$([\d,]+)\.(\d\d)", text)
    if not found:
        raise LostError(f"no amount in {text!r}")
    return int(found[1].replace(",", "") + found[2])


def money(amount: int) -> str:
    """An amount as the shop writes it."""
    return f"${amount / 100:,.2f}"


def spoken_date(text: str) -> date:
    """A date as people write it: `March 5, 2023`."""
    return datetime.strptime(text, "%B %d, %Y").date()


def printed_date(text: str, *, day_first: bool) -> date:
    """A date written with slashes; read the other way round where there is no such date."""
    first, second, year = (int(part) for part in text.split("/"))
    day, month = (first, second) if day_first else (second, first)
    return date(year, month, day) if month <= 12 else date(year, day, month)


# products


def search(d: Driver, text: str) -> None:
    """The header's search form, sent by the Enter key."""
    d.fill("Search", text)
    d.act("press", d.find("textbox", "Search").bid, "Enter")


def open_named(d: Driver, name: str) -> None:
    """The page of a product whose full name is known."""
    d.fill("Search", name)
    d.click("button", "Search")
    d.follow(name)


def open_described(d: Driver, values: Mapping[str, str]) -> None:
    """The page of a product told by color, kind and brand."""
    color, kind, brand = values["color"], values["kind"], values["brand"]
    search(d, f"{brand} {kind}" if d.knows("C1") else f"{color} {kind} {brand}")
    for name in [name for name, _ in listed(d.main)]:
        d.follow(name)
        if fact(d, "Color").lower() == color:
            return
        d.back()
    raise LostError(f"no {kind} in {color}")


def fact(d: Driver, label: str) -> str:
    """A line of the product's specification."""
    for row in d.read().all("row"):
        if row.cells[:1] == [label]:
            return row.cells[1]
    raise LostError(f"no {label} on {d.url}")


def price(d: Driver) -> str:
    """The product's price: the first amount on its page."""
    return next(text for text in d.read().texts if text.startswith("$"))


def listed(main: Node) -> list[tuple[str, int]]:
    """Name and price in cents of the products on a list's page, from top to bottom."""
    found = []
    for item in main.all("listitem"):
        amounts = [text for text in item.texts if text.startswith("$")]
        if item.all("heading") and amounts:
            found.append((item.all("heading")[0].name, cents(amounts[0])))
    return found


def filter_by(d: Driver, label: str) -> None:
    """A filter or category link, whatever number stands behind its name."""
    for node in d.main.all("link"):
        if re.fullmatch(re.escape(label) + r" \(\d+\)", node.name):
            return d.act("click", node.bid)
    raise LostError(f"no filter {label}")


def sort_by(d: Driver, order: str) -> None:
    """The list's sort form."""
    d.select("Sort by", order)
    d.click("button", "Apply sort")


def filtered(d: Driver, category: str, label: str, order: str) -> list[tuple[str, int]]:
    """A category's list, filtered and sorted."""
    d.follow(category)
    if d.knows("C2"):
        sort_by(d, order)
        filter_by(d, label)
    else:
        filter_by(d, label)
        sort_by(d, order)
    return listed(d.read())


def refined(d: Driver, text: str, category: str, order: str) -> list[tuple[str, int]]:
    """Search results of one category, sorted."""
    search(d, text)
    if d.knows("F1"):
        filter_by(d, category)
        sort_by(d, order)
    else:
        sort_by(d, order)
        filter_by(d, category)
    return listed(d.read())


# reviews


@dataclass(frozen=True)
class Review:
    """A review as it is shown."""

    nickname: str
    stars: int
    text: str
    day: date


def reviews(d: Driver) -> list[Review]:
    """All reviews of the product whose page is open."""
    d.read()
    while d.has("link", "Load More Reviews"):
        d.follow("Load More Reviews")
        d.read()
    found = [_review(d, item) for item in d.main.all("listitem") if any("Review by " in text for text in item.texts)]
    return list(dict.fromkeys(found)) if d.knows("C4") else found


def _review(d: Driver, item: Node) -> Review:
    title = item.all("heading")[0].name
    stars, body, by = item.texts[-3:]
    nickname, printed = by.removeprefix("Review by ").rsplit(", ", 1)
    day = printed_date(printed, day_first=not d.knows("F4"))
    return Review(nickname, int(stars.split()[0]), f"{title} {body}", day)


# orders


@dataclass(frozen=True)
class OrderRow:
    """A line of the list of orders."""

    number: str
    day: date
    total: int
    status: str
    link: str
    """Bid of its link on the page it was read from."""


def rows_of_page(d: Driver) -> list[OrderRow]:
    """The orders on the list's page."""
    found = []
    for row in d.read().all("row"):
        if row.all("link"):
            number, printed, _, total, status = row.cells[:5]
            day = printed_date(printed, day_first=d.knows("C6"))
            found.append(OrderRow(number, day, cents(total), status, row.all("link")[0].bid))
    return found


def open_orders(d: Driver) -> None:
    """The list of all orders."""
    d.follow("My Account")
    d.follow("My Orders")


def filter_orders(d: Driver, first: date, last: date) -> None:
    """The list of the orders from one day to another."""
    open_orders(d)
    form = "{0.day:02}/{0.month:02}/{0.year}" if d.knows("C6") else "{0.month:02}/{0.day:02}/{0.year}"
    d.fill("From date", form.format(first))
    d.fill("To date", form.format(last))
    d.click("button", "Apply filter")


def rest_of_list(d: Driver) -> list[OrderRow]:
    """The rows of this page of the list and of those behind it."""
    found = rows_of_page(d)
    while d.has("link", "Next page"):
        d.follow("Next page")
        found += rows_of_page(d)
    return found


def open_order(d: Driver, number: str) -> OrderRow:
    """Opens an order from the list; gives its line."""
    while True:
        for row in rows_of_page(d):
            if row.number == number:
                d.act("click", row.link)
                return row
        d.follow("Next page")


@dataclass(frozen=True)
class OrderLine:
    """A line of an order: price of one piece, and price of all, in cents."""

    name: str
    price: int
    subtotal: int


def order_lines(d: Driver) -> list[OrderLine]:
    """The lines of the order whose page is open."""
    rows = [row for row in d.read().all("row") if row.all("link")]
    return [OrderLine(row.cells[0], cents(row.cells[2]), cents(row.cells[4])) for row in rows]


# wish list and addresses


def entries(d: Driver) -> list[tuple[str, ...]]:
    """The lines of the wish list."""
    d.follow("My Wish List")
    d.read()
    while d.has("link", "Load More"):
        d.follow("Load More")
        d.read()
    found = [tuple(row.cells) for row in d.main.all("row") if row.all("button")]
    return found if d.knows("F3") else list(dict.fromkeys(found))


def address(d: Driver, city: str) -> Node:
    """The part of the address book that shows an address."""
    d.follow("My Account")
    d.follow("Address Book")
    part = Node("part")
    for node in d.read().walk():
        if node.role in ("StaticText", "link"):
            part.children.append(node)
        if node.name == "Edit address":
            if any(text.startswith(f"{city}, ") for text in part.texts):
                return part
            part = Node("part")
    raise LostError(f"no address in {city}")


def confirm(d: Driver, button: str) -> None:
    """The second button, without which a change is lost."""
    if d.knows("C5"):
        d.click("button", button)
    d.say("Done.")
