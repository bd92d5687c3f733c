"""Tasks that need two sites: what is read on the one is written on the other, or asked for there."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Iterator, Mapping

from eval.suites.webarena_mini.tasks.base import Draft, Template
from eval.suites.webarena_mini.tasks.gitlab_view import Host, opened
from eval.suites.webarena_mini.tasks.gold import includes, not_possible, page, pages
from eval.suites.webarena_mini.tasks.reddit_view import Forum, Post, Town, best
from eval.suites.webarena_mini.tasks.shopping_admin_reports import day_before, top_five
from eval.suites.webarena_mini.tasks.shopping_admin_view import Office, month_name
from eval.suites.webarena_mini.tasks.shopping_cart import in_cart, on_wishlist
from eval.suites.webarena_mini.tasks.shopping_orders import period, spaced, telling
from eval.suites.webarena_mini.tasks.shopping_view import Product, Shop, long_date, money

FIRST_ID = 4000
"""The number of the first task. Each site has a thousand numbers to itself, and so have these."""
GOOD_BUYS = "goodbuys"
COMPLAINTS = ("I sent the ", "Think twice ")
TITLES = ("What it came to", "For the record", "See for yourselves", "Something to talk about", "As promised")
SUBJECTS = ("Damaged item", "Product advice", "Return or refund")
SHOP_AND_FORUM, OFFICE_AND_FORUM = ("shopping", "reddit"), ("shopping_admin", "reddit")
FORUM_AND_SHOP, HOST_AND_FORUM, FORUM_AND_HOST = ("reddit", "shopping"), ("gitlab", "reddit"), ("reddit", "gitlab")


class World:
    """The sites of one world."""

    def __init__(self, databases: Mapping[str, sqlite3.Connection]) -> None:
        self.shop = Shop(databases["shopping"])
        self.office = Office(databases["shopping_admin"])
        self.town = Town(databases["reddit"])
        self.host = Host(databases["gitlab"])

    def bought(self, rng: random.Random) -> list[tuple[Post, Product]]:
        """Posts about the shop's products in a drawn order, with the product."""
        found = [
            (post, product)
            for post in self.town.posts
            if post.forum == GOOD_BUYS
            for product in self.shop.products.values()
            if product.name in post.title
        ]
        return rng.sample(found, len(found))

    def praised(self, rng: random.Random) -> list[tuple[Post, Product]]:
        """Those whose author likes the product."""
        return [(post, product) for post, product in self.bought(rng) if not post.title.startswith(COMPLAINTS)]

    def published(self, forum: Forum, title: str, *texts: str) -> list[dict[str, object]]:
        """Checks of a new post: it is the newest of its forum, with a text that says all this."""
        checks = [page(f"{forum.url}/new", "#submissions tbody tr:first-child", title)]
        return [*checks, page(f"{forum.url}/{self.town.next_post}", "#text", *texts)] if texts else checks

    def places(self, rng: random.Random) -> Iterator[tuple[Forum, str]]:
        """Where something can be posted, and under which title."""
        return zip(self.town.some(rng), rng.sample(TITLES, len(TITLES)))


def post_spending(world: World, rng: random.Random) -> Iterator[Draft]:
    """The period holds a canceled order."""
    periods = spaced(telling(world.shop, rng, 9, lambda orders: sum(order.total for order in orders), True))
    for (forum, title), (first, last, cents) in zip(world.places(rng), periods):
        checks = world.published(forum, title, money(cents)[1:])
        yield Draft({"forum": forum.title, "title": title, **period(first, last)}, pages(checks))


def post_order(world: World, rng: random.Random) -> Iterator[Draft]:
    """An order of two to four things."""
    orders = [order for order in world.shop.orders if 2 <= len(order.lines) <= 4]
    for (forum, title), order in zip(world.places(rng), rng.sample(orders, len(orders))):
        checks = world.published(forum, title, *(line.name for line in order.lines))
        yield Draft({"forum": forum.title, "title": title, "number": order.number}, pages(checks))


def post_bestseller(world: World, rng: random.Random) -> Iterator[Draft]:
    """Without the orders of its last day another product would be the month's first."""
    office = world.office
    places = list(world.town.some(rng))
    for first, last in rng.sample(office.months, len(office.months)):
        right, short = top_five(office, first, last), top_five(office, first, day_before(last))
        if right and short and next(iter(right)) != next(iter(short)):
            name, forum = office.products[next(iter(right))].name, places.pop()
            checks = world.published(forum, name)
            yield Draft({"month": month_name(first), "forum": forum.title}, pages(checks))


def post_coupon(world: World, rng: random.Random) -> Iterator[Draft]:
    """No other coupon ends on that day."""
    ends = [coupon.ends for coupon in world.office.coupons]
    alone = [coupon for coupon in world.office.coupons if ends.count(coupon.ends) == 1]
    for (forum, title), coupon in zip(world.places(rng), rng.sample(alone, len(alone))):
        values = {"forum": forum.title, "title": title, "last": long_date(coupon.ends)}
        yield Draft(values, pages(world.published(forum, title, coupon.code)))


def wish_praised(world: World, rng: random.Random) -> Iterator[Draft]:
    """The product is not on the wish list."""
    for post, product in world.praised(rng):
        if product not in world.shop.wishlist:
            yield Draft({"user": post.author}, pages(on_wishlist(product)))


def cart_best(world: World, rng: random.Random) -> Iterator[Draft]:
    """The product of the best post; as many pieces are added to those that are in the cart."""
    bought = dict(world.bought(rng))
    post = best(list(bought))
    if post:
        product, number = bought[post], rng.randint(2, 3)
        there = world.shop.cart.get(product.id, 0)
        yield Draft({"number": str(number)}, pages(in_cart(world.shop, product, there + number)))


def tell_shop(world: World, rng: random.Random) -> Iterator[Draft]:
    """A product that somebody does not like."""
    for post, product in world.bought(rng):
        if post.title.startswith(COMPLAINTS):
            subject = rng.choice(SUBJECTS)
            check = page("__SHOPPING__/contact", "main", subject, product.name)
            yield Draft({"user": post.author, "subject": subject}, pages([check]))


def vague_price(world: World, rng: random.Random) -> Iterator[Draft]:
    """A product that somebody likes."""
    for post, product in world.praised(rng):
        yield Draft({"user": post.author}, includes(money(product.price)[1:]))


def price_of_praised(world: World, rng: random.Random) -> Iterator[Draft]:
    """Somebody who wrote nothing in the forum about the shop's products."""
    authors = {post.author for post, _ in world.bought(rng)}
    for name in rng.sample(sorted(world.town.people), len(world.town.people)):
        if name not in authors and name != world.town.me:
            yield Draft({"user": name}, not_possible(f"{name} wrote nothing in Good Buys"))


def post_issues(world: World, rng: random.Random) -> Iterator[Draft]:
    """A project with open and closed issues."""
    for (forum, title), project in zip(world.places(rng), world.host.shuffled(rng)):
        issues = world.host.issues[project.id]
        if len(opened(issues)) < len(issues):
            values = {"forum": forum.title, "title": title, "project": project.name}
            yield Draft(values, pages(world.published(forum, title, f"Issues: {len(issues)}.")))


def issue_of_newest(world: World, rng: random.Random) -> Iterator[Draft]:
    """A forum whose newest post is not the first one on its list."""
    for forum, project in zip(world.town.some(rng), world.host.rounds(rng, role="Maintainer")):
        newest, number = world.town.of(forum)[0], 1 + max(item.number for item in world.host.issues[project.id])
        if newest.score < max(post.score for post in world.town.of(forum)):
            check = page(f"{project.url}/-/issues/{number}", "h1", newest.title)
            yield Draft({"forum": forum.title, "project": project.name}, pages([check]))


TEMPLATES = (
    Template(
        id=4001,
        name="post_spending",
        make=post_spending,
        count=2,
        kind="change",
        needs=("C3", "C6", "R3"),
        difficulty="hard",
        sites=SHOP_AND_FORUM,
        wording=(
            'Write a post in the forum {{forum}} with the title "{{title}}". Its text is the amount that I spent in '
            "the shop from {{first}} to {{last}}, such as $1,234.50."
        ),
    ),
    Template(
        id=4002,
        name="post_order",
        make=post_order,
        count=2,
        kind="change",
        needs=("R3",),
        sites=SHOP_AND_FORUM,
        wording=(
            'Write a post in the forum {{forum}} with the title "{{title}}". Its text names all products of my order '
            "{{number}} from the shop."
        ),
    ),
    Template(
        id=4003,
        name="post_bestseller",
        make=post_bestseller,
        count=3,
        kind="change",
        needs=("A1", "R3"),
        difficulty="hard",
        sites=OFFICE_AND_FORUM,
        wording=(
            "Look up in the bestsellers report of the back office which product is the first one of {{month}}, and "
            "write a post in the forum {{forum}} that has the name of this product as its title."
        ),
    ),
    Template(
        id=4004,
        name="post_coupon",
        make=post_coupon,
        count=2,
        kind="change",
        needs=("R3",),
        sites=OFFICE_AND_FORUM,
        wording=(
            'Write a post in the forum {{forum}} with the title "{{title}}". Its text is the code of the coupon that '
            "ends on {{last}}, which you find in the back office."
        ),
    ),
    Template(
        id=4005,
        name="wish_praised",
        make=wish_praised,
        count=2,
        kind="change",
        sites=FORUM_AND_SHOP,
        wording="Put the product that {{user}} praises in the forum Good Buys on my wish list in the shop.",
    ),
    Template(
        id=4006,
        name="cart_best",
        make=cart_best,
        count=1,
        kind="change",
        needs=("R1",),
        sites=FORUM_AND_SHOP,
        wording=(
            "Put {{number}} pieces of the product that the top rated post of all time in the forum Good Buys is about "
            "into my cart in the shop."
        ),
    ),
    Template(
        id=4007,
        name="tell_shop",
        make=tell_shop,
        count=2,
        kind="change",
        sites=FORUM_AND_SHOP,
        wording=(
            "{{user}} complains about a product in the forum Good Buys. Write to the shop by its contact form, with "
            'the subject "{{subject}}" and the name of the product as the message.'
        ),
    ),
    Template(
        id=4008,
        name="vague_price",
        make=vague_price,
        count=2,
        kind="information",
        vague=True,
        sites=FORUM_AND_SHOP,
        wording="{{user}} is so happy with something in Good Buys over at the forum, what's that in the shop?? in $",
    ),
    Template(
        id=4009,
        name="price_of_praised",
        make=price_of_praised,
        count=1,
        kind="information",
        impossible=True,
        sites=FORUM_AND_SHOP,
        wording="What does the product cost in the shop that {{user}} praises in the forum Good Buys?",
    ),
)

WITH_CODE = (
    Template(
        id=4011,
        name="post_issues",
        make=post_issues,
        count=2,
        kind="change",
        needs=("G1", "R3"),
        sites=HOST_AND_FORUM,
        wording=(
            'Write a post in the forum {{forum}} with the title "{{title}}". Its text says how many issues, open or '
            'closed, the project {{project}} has on the code host, in the form "Issues: 12."'
        ),
    ),
    Template(
        id=4012,
        name="issue_of_newest",
        make=issue_of_newest,
        count=2,
        kind="change",
        sites=FORUM_AND_HOST,
        wording=(
            "Create an issue in the project {{project}} on the code host. Its title is that of the newest post in the "
            "forum {{forum}}."
        ),
    ),
)

BATCHES = (TEMPLATES, WITH_CODE)
"""Later templates are a batch of their own, so that earlier tasks keep their ids."""
