"""Known solutions of tasks that change something on the forum."""

from __future__ import annotations

from collections.abc import Mapping

from eval.suites.webarena_mini.solutions.driver import Driver, LostError, Solution
from eval.suites.webarena_mini.solutions.reddit_steps import (
    best_of_forum,
    entries,
    first,
    named,
    open_forum,
    open_titled,
    sort_by,
)


def submit(d: Driver, forum: str, **fields: str) -> None:
    """A post in a forum, and the end."""
    open_forum(d, forum)
    d.follow("Submit")
    for label, text in fields.items():
        d.fill(label, text)
    d.click("button", "Create submission")
    if d.has("alert", ""):
        raise LostError("the submission was not taken")
    if d.knows("R3"):
        d.click("button", "Publish")
    d.say("Done.")


def submit_text(d: Driver, values: Mapping[str, str]) -> None:
    submit(d, values["forum"], Title=values["title"], Body=values["body"])


def submit_link(d: Driver, values: Mapping[str, str]) -> None:
    submit(d, values["forum"], URL=values["url"], Title=values["title"])


def vague_ask(d: Driver, values: Mapping[str, str]) -> None:
    submit(d, values["forum"], Title=values["title"])


def greet_newest(d: Driver, values: Mapping[str, str]) -> None:
    open_forum(d, values["forum"])
    sort_by(d, "Newest")
    entry = first(entries(d))
    d.click("link", entry.title, inside=entry.node)
    d.click("button", "Upvote")
    d.fill("Comment", values["text"])
    d.click("button", "Post")
    d.say("Done.")


def downvote_all_of(d: Driver, values: Mapping[str, str]) -> None:
    open_forum(d, values["forum"])
    sort_by(d, "Newest")
    while True:
        while left := [
            entry for entry in entries(d) if entry.author == values["user"] and entry.node.all("button", "Downvote")
        ]:
            d.click("button", "Downvote", inside=left[0].node)
        if not d.has("link", "More"):
            return d.say("Done.")
        d.follow("More")


def upvote_best(d: Driver, values: Mapping[str, str]) -> None:
    entry = first(best_of_forum(d, values["forum"], "All time"))
    d.click("button", "Upvote", inside=entry.node)
    d.say("Done.")


def comment_on(d: Driver, values: Mapping[str, str]) -> None:
    open_titled(d, values["title"])
    d.fill("Comment", values["text"])
    d.click("button", "Post")
    d.say("Done.")


def reply_to(d: Driver, values: Mapping[str, str]) -> None:
    open_titled(d, values["title"])
    for item in d.read().all("listitem"):
        if item.all("link")[:1] == item.all("link", values["user"])[:1] and item.all("link", "Reply"):
            d.click("link", "Reply", inside=item)
            d.fill("Reply", values["text"])
            d.click("button", "Post")
            return d.say("Done.")
    raise LostError(f"no comment of {values['user']}")


def edit_own(d: Driver, values: Mapping[str, str]) -> None:
    open_titled(d, values["title"])
    d.follow("Edit")
    d.fill("Body", values["body"])
    d.click("button", "Save")
    d.say("Done.")


def switch_subscriptions(d: Driver, values: Mapping[str, str]) -> None:
    d.follow("List of forums")
    d.click("button", f"Subscribe to {values['first']}")
    d.click("button", f"Subscribe to {values['second']}")
    d.click("button", f"Unsubscribe from {values['third']}")
    d.click("button", f"Unsubscribe from {values['last']}")
    d.say("Done.")


def subscribe(d: Driver, values: Mapping[str, str]) -> None:
    open_forum(d, values["forum"])
    d.click("button", "Subscribe")
    d.say("Done.")


def biography(d: Driver, values: Mapping[str, str]) -> None:
    d.follow("My profile")
    d.follow("Edit profile")
    d.fill("Biography text", values["text"])
    d.click("button", "Save")
    d.say("Done.")


def block_author(d: Driver, values: Mapping[str, str]) -> None:
    entry = named(d, values["title"])
    d.click("link", entry.author, inside=entry.node)
    d.follow("Block user")
    d.fill("Note", values["note"])
    d.click("button", "Block")
    d.say("Done.")


SOLUTIONS: dict[str, Solution] = {
    solution.__name__: solution
    for solution in (
        submit_text,
        submit_link,
        vague_ask,
        greet_newest,
        downvote_all_of,
        upvote_best,
        comment_on,
        reply_to,
        edit_own,
        switch_subscriptions,
        subscribe,
        biography,
        block_author,
    )
}
