"""Tasks that end on a page of the forum, and those that ask for what it does not have."""

from __future__ import annotations

import random
from collections.abc import Iterator

from eval.suites.webarena_mini.tasks.base import Draft, Template
from eval.suites.webarena_mini.tasks.gold import at_page, at_url, not_possible, page
from eval.suites.webarena_mini.tasks.reddit_view import SITE, Town, best

ABSENT = ("Typewriters", "Cheese Making", "Unicycling", "Clock Making", "Mushrooms", "Puppetry")
"""Forums that no world has."""


def open_best(town: Town, rng: random.Random) -> Iterator[Draft]:
    """A list within a range that is not the first one."""
    for forum, (told, span) in zip(town.some(rng), (("of all time", "all"), ("of the past year", "year"))):
        yield Draft({"forum": forum.title, "span": told}, at_url(f"{forum.url}/top?t={span}"))


def open_forums(town: Town, rng: random.Random) -> Iterator[Draft]:
    """The list in another order than its first one."""
    yield Draft({}, at_url(f"{SITE}/forums/by_subscribers"))


def vague_said(town: Town, rng: random.Random) -> Iterator[Draft]:
    """Somebody who said a lot."""
    for post in town.drawn(rng):
        if len(town.written(post.author)) > 9:
            yield Draft({"title": post.title}, at_url(f"{SITE}/user/{post.author}/comments"))


def open_most_discussed(town: Town, rng: random.Random) -> Iterator[Draft]:
    """The same post has the most comments with and without deleted ones, and is older than a day."""
    for forum in town.some(rng):
        posts = town.of(forum)
        written, left = (
            sorted(posts, key=lambda post: (-count(post), post.id)) for count in (town.counted, town.living)
        )
        first, second = left[:2]
        alone = written[0] == first and town.living(first) > town.counted(second)
        if alone and first not in town.within(posts, "day") and town.counted(first) > 30:
            yield Draft({"forum": forum.title}, at_page(first.page, [page("last", "h1", first.title)]))


def open_latest_of(town: Town, rng: random.Random) -> Iterator[Draft]:
    """Somebody else who has more than three posts."""
    for name in rng.sample(sorted(town.people), len(town.people)):
        own = [post for post in town.posts if post.author == name]
        if name != town.me and len(own) > 3:
            yield Draft({"user": name}, at_page(own[0].page, [page("last", "h1", own[0].title)]))


def show_newest(town: Town, rng: random.Random) -> Iterator[Draft]:
    """The newest post is not the first one of the list as it is at first."""
    for forum in town.some(rng):
        newest = town.of(forum)[0]
        if newest.score < max(post.score for post in town.of(forum)):
            checks = [page("last", "#submissions tbody tr:first-child", newest.title)]
            yield Draft({"forum": forum.title}, at_page(f"{forum.url}/new", checks))


def subscribers_of(town: Town, rng: random.Random) -> Iterator[Draft]:
    """A forum that nobody made."""
    for name in rng.sample(ABSENT, len(ABSENT)):
        yield Draft({"forum": name}, not_possible(f"there is no forum {name}"))


def delete_post(town: Town, rng: random.Random) -> Iterator[Draft]:
    """Somebody else's post."""
    for post in town.drawn(rng):
        reason = f"only {post.author} can delete this post"
        yield Draft({"title": post.title, "forum": town.forums[post.forum].title}, not_possible(reason))


def open_own(town: Town, rng: random.Random) -> Iterator[Draft]:
    """What others wrote to the person, and what they answered."""
    for place in rng.sample(("messages", "notifications"), 2):
        yield Draft({"place": place}, at_url(f"{SITE}/{place}"))


def show_discussed(town: Town, rng: random.Random) -> Iterator[Draft]:
    """One post has the most comments of all, and is older than a day."""
    for forum in town.some(rng):
        posts = town.of(forum)
        first, second = sorted(posts, key=lambda post: -town.counted(post))[:2]
        if town.counted(first) > town.counted(second) and first not in town.within(posts, "day"):
            checks = [page("last", "#submissions tbody tr:first-child", first.title)]
            yield Draft({"forum": forum.title}, at_page(f"{forum.url}/most_commented?t=all", checks))


def open_author(town: Town, rng: random.Random) -> Iterator[Draft]:
    """Somebody else wrote the first post of the list as it is at first."""
    for forum in town.some(rng):
        newest = town.of(forum)[0]
        others = {post.author for post in town.of(forum) if post.score > newest.score}
        if newest.author != town.me and newest.author not in others and others:
            gold = at_page(f"{SITE}/user/{newest.author}", [page("last", "h1", newest.author)])
            yield Draft({"forum": forum.title}, gold)


def best_one(town: Town, rng: random.Random) -> Iterator[tuple[str, int]]:
    """Forums whose best post of all time is not of the last day: (title, number of the post)."""
    for forum in town.some(rng):
        post = best(town.of(forum))
        if post and post not in town.within(town.of(forum), "day") and not post.vote:
            yield forum.title, post.id


TEMPLATES = (
    Template(
        id=3101,
        name="open_best",
        make=open_best,
        count=2,
        kind="navigation",
        needs=("R1",),
        wording="Show me the top rated posts {{span}} in {{forum}}.",
    ),
    Template(
        id=3102,
        name="open_forums",
        make=open_forums,
        count=1,
        kind="navigation",
        difficulty="easy",
        wording="Show me the list of all forums by their number of subscribers.",
    ),
    Template(
        id=3103,
        name="vague_said",
        make=vague_said,
        count=1,
        kind="navigation",
        vague=True,
        wording='whoever posted "{{title}}", what else do they say in their comments? just bring them up for me',
    ),
    Template(
        id=3104,
        name="open_most_discussed",
        make=open_most_discussed,
        count=2,
        kind="navigation",
        needs=("R1",),
        wording="Open the post that has drawn the most comments of all time in {{forum}}.",
    ),
    Template(
        id=3105,
        name="open_latest_of",
        make=open_latest_of,
        count=1,
        kind="navigation",
        wording="Open the latest post that {{user}} submitted.",
    ),
    Template(
        id=3108,
        name="show_newest",
        make=show_newest,
        count=2,
        kind="navigation",
        wording="Show me the newest posts in {{forum}}.",
    ),
    Template(
        id=3106,
        name="subscribers_of",
        make=subscribers_of,
        count=1,
        kind="information",
        impossible=True,
        wording="How many subscribers does {{forum}} have? Reply with the number only.",
    ),
    Template(
        id=3107,
        name="delete_post",
        make=delete_post,
        count=2,
        kind="change",
        impossible=True,
        wording='Delete the post "{{title}}" from {{forum}}.',
    ),
)

LATER = (
    Template(
        id=3109,
        name="open_own",
        make=open_own,
        count=2,
        kind="navigation",
        difficulty="easy",
        wording="Open my {{place}}.",
    ),
    Template(
        id=3110,
        name="show_discussed",
        make=show_discussed,
        count=1,
        kind="navigation",
        needs=("R1",),
        vague=True,
        wording=(
            "bring up the list of everything that was ever posted in {{forum}} for me, the posts with the most "
            "comments first"
        ),
    ),
    Template(
        id=3111,
        name="open_author",
        make=open_author,
        count=1,
        kind="navigation",
        wording="Open the profile of whoever posted the newest post in {{forum}}.",
    ),
)
