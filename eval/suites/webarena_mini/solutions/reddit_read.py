"""Known solutions of questions about the forum, and of tasks that end on a page."""

from __future__ import annotations

import re
from collections.abc import Mapping

from eval.suites.webarena_mini.solutions.driver import Driver, LostError, Solution
from eval.suites.webarena_mini.solutions.reddit_steps import (
    Entry,
    best_of_forum,
    comments_of,
    entries,
    fact,
    first,
    named,
    open_forum,
    open_titled,
    person,
    search,
    sort_by,
)

MENU = {"all forums together": "All", "the forums that I am subscribed to": "My forums"}
SPANS = {
    "past week": "Past week",
    "past month": "Past month",
    "past year": "Past year",
    "of the past year": "Past year",
    "of all time": "All time",
}
REMEMBERED = (
    r"whose (?P<thing>.+) makes a strange noise",
    r"who glued their broken (?P<thing>.+)",
    r"who got a (?P<thing>.+) from the grandmother",
    r"who wants to be talked out of buying yet another (?P<thing>.+)",
)
"""How a post is told of which somebody knows what it is about."""
HINTS = ("strange noise", "glued", "grandmother", "talk me out")
"""What the title of such a post says, in the same order."""


def posts_in_forum(d: Driver, values: Mapping[str, str]) -> None:
    if d.knows("FR2"):
        d.follow("List of forums")
        d.say(next(row for row in d.read().all("row") if values["forum"] in row.cells[:1]).cells[2])
    else:
        d.follow(values["forum"])
        d.say(fact(d, "Posts"))


def readers(d: Driver, values: Mapping[str, str]) -> None:
    open_forum(d, values["forum"])
    d.say(fact(d, "Subscribers"))


def comments_of_post(d: Driver, values: Mapping[str, str]) -> None:
    d.say(str(comments_of(d, named(d, values["title"]))))


def comments_of_two(d: Driver, values: Mapping[str, str]) -> None:
    d.say(str(comments_of(d, named(d, values["first"])) + comments_of(d, named(d, values["second"]))))


def comments_of_newest(d: Driver, values: Mapping[str, str]) -> None:
    d.say(str(comments_of(d, newest(d, values["forum"]))))


def founded(d: Driver, values: Mapping[str, str]) -> None:
    open_forum(d, values["forum"])
    d.say(next(text for text in d.read().texts if text.startswith("Created")))


def newest(d: Driver, forum: str) -> Entry:
    """The newest post of a board."""
    open_forum(d, forum)
    sort_by(d, "Newest")
    return first(entries(d))


def newest_title(d: Driver, values: Mapping[str, str]) -> None:
    d.say(newest(d, values["forum"]).title)


def show_newest(d: Driver, values: Mapping[str, str]) -> None:
    newest(d, values["forum"])
    d.say("Here they are.")


def best_ever_joined(d: Driver, values: Mapping[str, str]) -> None:
    say_joined(d, first(best_of_forum(d, values["forum"], "All time")))


def best_of_range(d: Driver, values: Mapping[str, str]) -> None:
    d.say(first(best_of_forum(d, values["forum"], SPANS[values["span"]])).title)


def best_today(d: Driver, values: Mapping[str, str]) -> None:
    d.follow(MENU[values["scope"]])
    sort_by(d, "Top rated")
    if d.knows("FR1"):
        d.follow("Past day")
    d.say(first(entries(d)).title)


def newest_author_joined(d: Driver, values: Mapping[str, str]) -> None:
    say_joined(d, newest(d, values["forum"]))


def say_joined(d: Driver, entry: Entry) -> None:
    """When the author of a post came."""
    d.click("link", entry.author, inside=entry.node)
    d.say(next(text for text in d.read().texts if text.startswith("Joined")))


def downvoted_comments(d: Driver, values: Mapping[str, str]) -> None:
    person(d, values["user"])
    d.follow("Comments")
    count = 0
    while True:
        count += sum(bool(re.fullmatch(r"-\d+ points?", text)) for text in d.read().texts)
        if not d.has("link", "More"):
            return d.say(str(count))
        d.follow("More")


def vague_who(d: Driver, values: Mapping[str, str]) -> None:
    told, hint = next((told, hint) for form, hint in zip(REMEMBERED, HINTS) if (told := re.match(form, values["what"])))
    search(d, told["thing"])
    while True:
        for entry in entries(d):
            if hint in entry.title and told["thing"] in entry.title:
                return d.say(entry.author)
        d.follow("More")


def open_best(d: Driver, values: Mapping[str, str]) -> None:
    best_of_forum(d, values["forum"], SPANS[values["span"]])
    d.say("Here they are.")


def open_forums(d: Driver, values: Mapping[str, str]) -> None:
    d.follow("List of forums")
    d.follow("By subscribers")
    d.say("Here they are.")


def open_own(d: Driver, values: Mapping[str, str]) -> None:
    d.follow(values["place"].capitalize())
    d.say("Here they are.")


def vague_said(d: Driver, values: Mapping[str, str]) -> None:
    entry = named(d, values["title"])
    d.click("link", entry.author, inside=entry.node)
    d.follow("Comments")
    d.say("Here they are.")


def open_most_discussed(d: Driver, values: Mapping[str, str]) -> None:
    entry = first(best_of_forum(d, values["forum"], "All time", "Most commented"))
    d.click("link", entry.title, inside=entry.node)
    d.say("Here it is.")


def show_discussed(d: Driver, values: Mapping[str, str]) -> None:
    best_of_forum(d, values["forum"], "All time", "Most commented")
    d.say("Here they are.")


def open_author(d: Driver, values: Mapping[str, str]) -> None:
    entry = newest(d, values["forum"])
    d.click("link", entry.author, inside=entry.node)
    d.say("Here it is.")


def open_latest_of(d: Driver, values: Mapping[str, str]) -> None:
    person(d, values["user"])
    d.follow("Submissions")
    entry = first(entries(d))
    d.click("link", entry.title, inside=entry.node)
    d.say("Here it is.")


def subscribers_of(d: Driver, values: Mapping[str, str]) -> None:
    d.follow("List of forums")
    if d.read().all("link", values["forum"]):
        raise LostError("there is such a forum")
    d.refuse()


def delete_post(d: Driver, values: Mapping[str, str]) -> None:
    open_titled(d, values["title"])
    if not d.read().all("button", "Delete"):
        d.refuse()


SOLUTIONS: dict[str, Solution] = {
    solution.__name__: solution
    for solution in (
        posts_in_forum,
        readers,
        newest_title,
        show_newest,
        founded,
        comments_of_post,
        comments_of_two,
        comments_of_newest,
        best_ever_joined,
        best_of_range,
        best_today,
        newest_author_joined,
        downvoted_comments,
        vague_who,
        open_best,
        open_forums,
        open_own,
        vague_said,
        open_most_discussed,
        show_discussed,
        open_author,
        open_latest_of,
        subscribers_of,
        delete_post,
    )
}
