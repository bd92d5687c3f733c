"""What solutions of the forum's tasks have in common: boards, sorted lists, posts, people, numbers."""

from __future__ import annotations

import re
from dataclasses import dataclass

from eval.suites.webarena_mini.solutions.driver import Driver, LostError
from eval.suites.webarena_mini.solutions.tree import Node


@dataclass(frozen=True)
class Entry:
    """A post on a list: what stands there, and its part of the page."""

    title: str
    author: str
    forum: str
    comments: int
    node: Node


def number(text: str) -> int:
    """The first number of a text such as `12 comments` or `-1 point`."""
    found = re.search(r"-?\d+", text)
    if not found:
        raise LostError(f"no number in {text!r}")
    return int(found[0])


def fact(d: Driver, label: str) -> str:
    """What stands behind a label on the page."""
    text = " ".join(d.read().texts)
    found = re.search(rf"\b{label}: (\S+)", text)
    if not found:
        raise LostError(f"no {label} on {d.url}")
    return found[1]


def open_forum(d: Driver, name: str) -> None:
    """A board, which every page leads to."""
    d.follow(name)


def sort_by(d: Driver, order: str) -> None:
    """Another order of the list of posts."""
    d.select("Sort by", order)
    d.click("button", "Sort")


def best_of_forum(d: Driver, name: str, span: str, order: str = "Top rated") -> list[Entry]:
    """A board's list by points or by comments, within a range of time."""
    open_forum(d, name)
    sort_by(d, order)
    if d.knows("R1"):
        d.follow(span)
    return entries(d)


def entries(d: Driver) -> list[Entry]:
    """The posts on the page of a list."""
    found = []
    for row in d.read().all("row"):
        if row.all("link"):
            title, author, forum, _, comments = row.cells[:5]
            found.append(Entry(title, author, forum, number(comments), row))
    return found


def first(found: list[Entry]) -> Entry:
    """The one at the top of the list."""
    if not found:
        raise LostError("the list is empty")
    return found[0]


def search(d: Driver, text: str) -> None:
    """The header's search form, sent by the Enter key."""
    d.fill("Search", text)
    d.act("press", d.find("textbox", "Search").bid, "Enter")


def named(d: Driver, title: str) -> Entry:
    """The post of a title, among the results of a search for it."""
    search(d, title)
    for entry in entries(d):
        if entry.title == title:
            return entry
    raise LostError(f"no post {title!r}")


def open_titled(d: Driver, title: str) -> None:
    """The page of a post whose title is known."""
    d.click("link", title, inside=named(d, title).node)


def comments_of(d: Driver, entry: Entry) -> int:
    """How many comments a post has, which stands on a list."""
    if not d.knows("R2"):
        return entry.comments
    d.click("link", entry.title, inside=entry.node)
    heading = next(node for node in d.read().all("heading") if re.fullmatch(r"\d+ comments?", node.name))
    return number(heading.name)


def person(d: Driver, name: str) -> None:
    """Somebody's page, found by the name."""
    search(d, name)
    d.follow(name)
