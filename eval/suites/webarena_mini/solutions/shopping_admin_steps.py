"""What solutions of the back office's tasks have in common: lists, filters, mass actions, reports."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from eval.suites.webarena_mini.solutions.driver import Driver, LostError

STATES = {"Pending": "New", "Processing": "Pending", "Complete": "Closed"}
"""What the back office calls the state of which a customer is told this."""


def typed(day: date) -> str:
    """A date as fields want it."""
    return f"{day.month:02}/{day.day:02}/{day.year}"


def shown_date(text: str) -> date:
    """A date as lists write it: `Mar 5, 2024`."""
    return datetime.strptime(text, "%b %d, %Y").date()


def month(text: str) -> tuple[date, date]:
    """First and last day of `March 2023`."""
    first = datetime.strptime(text, "%B %Y").date()
    return first, (first + timedelta(days=31)).replace(day=1) - timedelta(days=1)


def state(d: Driver, told: str) -> str:
    """The state of orders of which customers are told this."""
    return STATES[told] if d.knows("A3") else told


@dataclass(frozen=True)
class Row:
    """A row of a table: its cells by the column's label, and the bid of its last link, if any."""

    cells: dict[str, str]
    link: str


def rows(d: Driver) -> list[Row]:
    """The rows of the table on the page."""
    lines = d.read().all("row")
    labels = lines[0].cells if lines else []
    found = []
    for row in lines[1:]:
        links = row.all("link")
        found.append(Row(dict(zip(labels, row.cells)), links[-1].bid if links else ""))
    return found


def open_list(d: Driver, name: str, *, without_filters: bool = False) -> None:
    """A list from the menu; filters that somebody left there are taken away on demand."""
    d.follow(name)
    if without_filters and d.knows("A2"):
        d.click("button", "Clear filters")


def search(d: Driver, **filters: str) -> None:
    """Fills filters and applies them. In keywords `_` stands for a space."""
    for label, text in filters.items():
        d.fill(label.replace("_", " "), text)
    d.click("button", "Search")


def amount(d: Driver) -> int:
    """How many records the list has."""
    for text in d.read().texts:
        if found := re.match(r"([\d,]+) records? found", text):
            return int(found[1].replace(",", ""))
    return 0


def open_first(d: Driver) -> None:
    """The first thing in the list."""
    found = rows(d)
    if not found:
        raise LostError(f"nothing in the list on {d.url}")
    d.act("click", found[0].link)


def cell(d: Driver, label: str) -> str:
    """A cell of the first row in the list."""
    found = rows(d)
    if not found:
        raise LostError(f"nothing in the list on {d.url}")
    return found[0].cells[label]


def open_order(d: Driver, number: str) -> None:
    """The page of an order."""
    open_list(d, "Orders")
    d.fill("Order #", number)
    d.click("button", "Search")
    open_first(d)


def act_on_all(d: Driver, action: str) -> None:
    """A mass action on all rows of a list of two pages, and the end."""
    if d.knows("A4"):
        # the last page first: rows that leave the list change no page before theirs
        if d.has("link", "Next page"):
            d.follow("Next page")
            d.click("button", "Select All")
            submit(d, action)
        if d.has("button", "Select All"):
            d.click("button", "Select All")
            submit(d, action)
    else:
        d.click("button", "Select All")
        d.follow("Next page")
        d.click("button", "Select All")
        submit(d, action)
    d.say("Done.")


def submit(d: Driver, action: str) -> None:
    """A mass action on the ticked rows."""
    d.select("Actions", action)
    d.click("button", "Submit")
    if d.knows("A5"):
        d.click("button", "Confirm")


def save(d: Driver) -> None:
    """Without it a form is lost. Then the end."""
    if d.knows("A5"):
        d.click("button", "Save")
    d.say("Done.")


def report(
    d: Driver, name: str, first: date, last: date, period: str = "Day", order_state: str = ""
) -> list[dict[str, str]]:
    """The rows of a report of a period whose last day is included."""
    d.follow(name)
    d.fill("From", typed(first))
    d.fill("To", typed(last + timedelta(days=1) if d.knows("A1") else last))
    if period != "Day":
        d.select("Period", period)
    if order_state:
        d.select("Order state", order_state)
    d.click("button", "Show Report")
    return [row.cells for row in rows(d)]


def total(found: list[dict[str, str]], column: str) -> str:
    """A cell of the last row, which adds up."""
    if not found:
        raise LostError("the report is empty")
    return found[-1][column]
