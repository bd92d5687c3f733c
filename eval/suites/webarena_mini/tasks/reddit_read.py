"""Questions about the forum: posts, their comments and points, and who wrote them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import date

from eval.suites.webarena_mini.tasks.base import Draft, Template
from eval.suites.webarena_mini.tasks.gold import exact, includes
from eval.suites.webarena_mini.tasks.reddit_view import Post, Town, best
from eval.suites.webarena_mini.tasks.shopping_view import long_date

SPANS = {"month": "past month", "year": "past year", "week": "past week"}
TOLD = {
    "Help, my {} makes a strange noise": "whose {} makes a strange noise",
    "I broke my {} and glued it together": "who glued their broken {}",
    "The {} that my grandmother left me": "who got a {} from the grandmother",
    "Please talk me out of another {}": "who wants to be talked out of buying yet another {}",
}
"""Titles, and how somebody remembers them."""


def posts_in_forum(town: Town, rng: random.Random) -> Iterator[Draft]:
    """A forum with deleted posts, which its own page still counts."""
    for forum in town.some(rng):
        if forum.gone:
            yield Draft({"forum": forum.title}, exact(str(len(town.of(forum)))))


def thinned(town: Town, rng: random.Random) -> Iterator[Post]:
    """Posts with deleted comments, whose number on lists is too large."""
    for post in town.drawn(rng):
        if town.living(post) < town.counted(post):
            yield post


def comments_of_post(town: Town, rng: random.Random) -> Iterator[Draft]:
    """Some of the comments are deleted."""
    for post in thinned(town, rng):
        yield Draft({"title": post.title}, exact(str(town.living(post))))


def comments_of_two(town: Town, rng: random.Random) -> Iterator[Draft]:
    """Two posts in different forums."""
    found = list(thinned(town, rng))
    for first, second in zip(found[::2], found[1::2]):
        if first.forum != second.forum:
            total = town.living(first) + town.living(second)
            yield Draft({"first": first.title, "second": second.title}, exact(str(total)))


def comments_of_newest(town: Town, rng: random.Random) -> Iterator[Draft]:
    """The newest post of a forum has deleted comments."""
    for forum in town.some(rng):
        post = town.of(forum)[0]
        if town.living(post) < town.counted(post):
            yield Draft({"forum": forum.title}, exact(str(town.living(post))))


def joined(town: Town, name: str) -> str:
    """The day when somebody came."""
    return long_date(date.fromisoformat(town.people[name].joined))


def best_ever_joined(town: Town, rng: random.Random) -> Iterator[Draft]:
    """The best post of all time is not of the last day, and neither is its author's best one."""
    for forum in town.some(rng):
        post, young = best(town.of(forum)), best(town.within(town.of(forum), "day"))
        if post and post.author != town.me and (young is None or young.author != post.author):
            yield Draft({"forum": forum.title}, includes(joined(town, post.author)))


def best_of_range(town: Town, rng: random.Random) -> Iterator[Draft]:
    """The best post of the last week, month or year is the best one of no other range."""
    for forum in town.some(rng):
        ranked = {span: best(town.within(town.of(forum), span)) for span in ("day", *SPANS, "all")}
        for span in rng.sample(sorted(SPANS), len(SPANS)):
            post = ranked[span]
            if post and post not in (ranked["day"], ranked["all"]):
                yield Draft({"forum": forum.title, "span": SPANS[span]}, includes(post.title))
                break


def best_today(town: Town, rng: random.Random) -> Iterator[Draft]:
    """The best post of the last day is not the best one of all time."""
    scopes = {"all forums together": town.posts, "the forums that I am subscribed to": town.read()}
    for scope, posts in scopes.items():
        post = best(town.within(posts, "day"))
        if post and post != best(posts):
            yield Draft({"scope": scope}, includes(post.title))


def newest_author_joined(town: Town, rng: random.Random) -> Iterator[Draft]:
    """A forum whose newest post is not one's own."""
    for forum in town.some(rng):
        author = town.of(forum)[0].author
        if author != town.me:
            yield Draft({"forum": forum.title}, includes(joined(town, author)))


def newest_title(town: Town, rng: random.Random) -> Iterator[Draft]:
    """The newest post is not the first one of the list as it is at first."""
    for forum in town.some(rng):
        newest = town.of(forum)[0]
        if newest.score < max(post.score for post in town.of(forum)):
            yield Draft({"forum": forum.title}, includes(newest.title))


def readers(town: Town, rng: random.Random) -> Iterator[Draft]:
    """A number that the forum's page and the list of forums agree on."""
    for forum in town.some(rng):
        yield Draft({"forum": forum.title}, exact(str(forum.readers)))


def founded(town: Town, rng: random.Random) -> Iterator[Draft]:
    """The day when a forum was made."""
    for forum in town.some(rng):
        yield Draft({"forum": forum.title}, includes(long_date(forum.founded)))


def downvoted_comments(town: Town, rng: random.Random) -> Iterator[Draft]:
    """Somebody whose comments fill two pages or more, some of them with less than no points."""
    for name in rng.sample(sorted(town.people), len(town.people)):
        comments = town.written(name)
        below = sum(comment.score < 0 for comment in comments)
        if name != town.me and 24 < len(comments) <= 96 and below:
            yield Draft({"user": name}, exact(str(below)))


def vague_who(town: Town, rng: random.Random) -> Iterator[Draft]:
    """One of several posts about a thing."""
    for post in town.drawn(rng):
        for title, told in TOLD.items():
            before, after = title.split("{}")
            if post.title.startswith(before) and post.title.endswith(after):
                thing = post.title[len(before) : len(post.title) - len(after)]
                yield Draft({"what": told.format(thing)}, includes(post.author))


TEMPLATES = (
    Template(
        id=3013,
        name="founded",
        make=founded,
        count=3,
        kind="information",
        difficulty="easy",
        wording="When was {{forum}} created? Reply like March 5, 2019.",
    ),
    Template(
        id=3011,
        name="newest_title",
        make=newest_title,
        count=3,
        kind="information",
        wording="What is the title of the newest post in {{forum}}?",
    ),
    Template(
        id=3012,
        name="readers",
        make=readers,
        count=3,
        kind="information",
        difficulty="easy",
        wording="How many subscribers does {{forum}} have? Reply with the number only.",
    ),
    Template(
        id=3001,
        name="posts_in_forum",
        make=posts_in_forum,
        count=1,
        kind="information",
        needs=("FR2",),
        wording="How many posts are there in {{forum}}? Reply with the number only.",
    ),
    Template(
        id=3002,
        name="comments_of_post",
        make=comments_of_post,
        count=2,
        kind="information",
        needs=("R2",),
        wording='How many comments are there under the post "{{title}}"? Reply with the number only.',
    ),
    Template(
        id=3003,
        name="comments_of_two",
        make=comments_of_two,
        count=2,
        kind="information",
        needs=("R2",),
        difficulty="hard",
        wording='How many comments are there under "{{first}}" and "{{second}}" together? Reply with the number only.',
    ),
    Template(
        id=3004,
        name="comments_of_newest",
        make=comments_of_newest,
        count=1,
        kind="information",
        needs=("R2",),
        wording="How many comments does the newest post in {{forum}} have? Reply with the number only.",
    ),
    Template(
        id=3005,
        name="best_ever_joined",
        make=best_ever_joined,
        count=2,
        kind="information",
        needs=("R1",),
        wording=("When did the author of the top rated post of all time in {{forum}} join? Reply like March 5, 2019."),
    ),
    Template(
        id=3006,
        name="best_of_range",
        make=best_of_range,
        count=1,
        kind="information",
        needs=("R1",),
        wording="What is the title of the top rated post of the {{span}} in {{forum}}?",
    ),
    Template(
        id=3007,
        name="best_today",
        make=best_today,
        count=2,
        kind="information",
        needs=("FR1",),
        wording="In {{scope}}, what is the title of the top rated post of the past day?",
    ),
    Template(
        id=3008,
        name="newest_author_joined",
        make=newest_author_joined,
        count=2,
        kind="information",
        wording="When did the author of the newest post in {{forum}} join? Reply like March 5, 2019.",
    ),
    Template(
        id=3009,
        name="downvoted_comments",
        make=downvoted_comments,
        count=2,
        kind="information",
        difficulty="hard",
        wording="How many of the comments that {{user}} wrote have fewer than 0 points? Reply with the number only.",
    ),
    Template(
        id=3010,
        name="vague_who",
        make=vague_who,
        count=2,
        kind="information",
        vague=True,
        wording="{{what}}? i read that here some day, need the name",
    ),
)
