"""Known solutions of tasks that need two sites."""

from __future__ import annotations

import re
from collections.abc import Mapping

from eval.suites.webarena_mini.solutions.driver import Driver, LostError, Solution
from eval.suites.webarena_mini.solutions.gitlab_steps import amount, open_issues
from eval.suites.webarena_mini.solutions.reddit_read import newest
from eval.suites.webarena_mini.solutions.reddit_steps import Entry, best_of_forum, entries, first, open_forum
from eval.suites.webarena_mini.solutions.reddit_write import submit
from eval.suites.webarena_mini.solutions.shopping_admin_steps import month, open_list, report, rows, shown_date
from eval.suites.webarena_mini.solutions.shopping_cart import put_into_cart, wish
from eval.suites.webarena_mini.solutions.shopping_orders import in_period, that_count
from eval.suites.webarena_mini.solutions.shopping_steps import (
    money,
    open_named,
    open_order,
    open_orders,
    order_lines,
    price,
    spoken_date,
)

GOOD_BUYS = "Good Buys"
FORMS = (
    r"The (.+) is the best thing that I bought this year",
    r"Anybody else happy with the (.+)\?",
    r"The (.+) was worth every cent",
    r"I sent the (.+) back",
    r"Think twice before you buy the (.+)",
)
"""How people say which product they mean."""


def visit(d: Driver, site: str) -> None:
    """One of the task's sites, from the page where it began."""
    if d.url != d.start:
        d.act("goto", d.start)
    d.follow(site)


def product_of(entry: Entry) -> str:
    """What a post is about."""
    for form in FORMS:
        if found := re.fullmatch(form, entry.title):
            return found[1]
    raise LostError(f"no product in {entry.title!r}")


def posted_by(d: Driver, user: str) -> Entry | None:
    """What somebody wrote about a product."""
    visit(d, "Forum")
    open_forum(d, GOOD_BUYS)
    while True:
        for entry in entries(d):
            if entry.author == user:
                return entry
        if not d.has("link", "More"):
            return None
        d.follow("More")


def open_product_of(d: Driver, user: str) -> str:
    """The page in the shop of the product that somebody wrote about; its name."""
    entry = posted_by(d, user)
    if entry is None:
        raise LostError(f"nothing by {user}")
    visit(d, "Shop")
    open_named(d, product_of(entry))
    return product_of(entry)


def publish(d: Driver, values: Mapping[str, str], text: str) -> None:
    """A post with the title of the wording."""
    visit(d, "Forum")
    submit(d, values["forum"], Title=values["title"], Body=text)


def post_spending(d: Driver, values: Mapping[str, str]) -> None:
    visit(d, "Shop")
    publish(d, values, money(sum(order.total for order in that_count(d, in_period(d, values)))))


def post_order(d: Driver, values: Mapping[str, str]) -> None:
    visit(d, "Shop")
    open_orders(d)
    open_order(d, values["number"])
    publish(d, values, ", ".join(line.name for line in order_lines(d)))


def post_bestseller(d: Driver, values: Mapping[str, str]) -> None:
    visit(d, "Back office")
    found = report(d, "Bestsellers Report", *month(values["month"]), "Month")
    if not found:
        raise LostError("the report is empty")
    visit(d, "Forum")
    submit(d, values["forum"], Title=found[0]["Product"])


def post_coupon(d: Driver, values: Mapping[str, str]) -> None:
    visit(d, "Back office")
    open_list(d, "Coupons")
    last = spoken_date(values["last"])
    code = next(row.cells["Coupon code"] for row in rows(d) if shown_date(row.cells["End"]) == last)
    publish(d, values, code)


def wish_praised(d: Driver, values: Mapping[str, str]) -> None:
    open_product_of(d, values["user"])
    wish(d)


def cart_best(d: Driver, values: Mapping[str, str]) -> None:
    visit(d, "Forum")
    entry = first(best_of_forum(d, GOOD_BUYS, "All time"))
    visit(d, "Shop")
    open_named(d, product_of(entry))
    put_into_cart(d, values["number"])
    d.say("Done.")


def tell_shop(d: Driver, values: Mapping[str, str]) -> None:
    entry = posted_by(d, values["user"])
    if entry is None:
        raise LostError(f"nothing by {values['user']}")
    visit(d, "Shop")
    d.follow("Contact Us")
    d.select("Subject", values["subject"])
    d.fill("Message", product_of(entry))
    d.click("button", "Send Message")
    d.say("Done.")


def vague_price(d: Driver, values: Mapping[str, str]) -> None:
    open_product_of(d, values["user"])
    d.say(price(d))


def price_of_praised(d: Driver, values: Mapping[str, str]) -> None:
    if posted_by(d, values["user"]) is None:
        d.refuse()


def post_issues(d: Driver, values: Mapping[str, str]) -> None:
    visit(d, "Code hosting")
    open_issues(d, values["project"], all_states=True)
    publish(d, values, f"Issues: {amount(d)}.")


def issue_of_newest(d: Driver, values: Mapping[str, str]) -> None:
    visit(d, "Forum")
    title = newest(d, values["forum"]).title
    visit(d, "Code hosting")
    open_issues(d, values["project"])
    d.follow("New issue")
    d.fill("Title", title)
    d.click("button", "Create issue")
    d.say("Done.")


SOLUTIONS: dict[str, Solution] = {
    solution.__name__: solution
    for solution in (
        post_spending,
        post_order,
        post_bestseller,
        post_coupon,
        wish_praised,
        cart_best,
        tell_shop,
        vague_price,
        price_of_praised,
        post_issues,
        issue_of_newest,
    )
}
