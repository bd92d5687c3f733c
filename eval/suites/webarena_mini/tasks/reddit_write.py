"""Tasks that change something on the forum: posts, comments, votes, subscriptions, and what is said of oneself."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from eval.suites.webarena_mini.tasks.base import Draft, Template
from eval.suites.webarena_mini.tasks.gold import at_page, page, pages
from eval.suites.webarena_mini.tasks.reddit_open import best_one
from eval.suites.webarena_mini.tasks.reddit_view import SITE, Post, Town

TEXTS = (
    ("What would you tell a newcomer?", "I start next month and have read all the guides, but none of them agree."),
    ("Meeting at the old station in August", "Bring whatever you are working on, there is coffee for everybody."),
    ("Lost and found after the spring fair", "Somebody left a blue case at our table. Write to me if it is yours."),
    ("How do you keep notes?", "Paper, a file, or nothing at all? I forget half of what I try."),
    ("Thanks for the warm welcome", "You answered every question of mine within a day, I will try to do the same."),
)
LINKS = (
    ("A long read for the weekend", "https://quietreader.example/essays/4711"),
    ("An archive of old catalogues", "https://papermuseum.example/catalogues/88"),
    ("Somebody drew all of it by hand", "https://inkdrawn.example/series/1204"),
    ("Interview with a maker", "https://workshopradio.example/talks/305"),
)
QUESTIONS = (
    ("Best way to begin on a small budget?", "what the best way is to begin on a small budget"),
    ("Which mistakes did you make in your first year?", "which mistakes they made in their first year"),
    ("Is there a club near the coast?", "if there is a club near the coast"),
    ("What do you do on rainy weekends?", "what they do on rainy weekends"),
)
REMARKS = (
    "I had the very same thought last winter.",
    "Count me in, whatever it takes.",
    "This answers a question that I never dared to ask.",
    "My grandfather would have argued with you for hours.",
    "Could you add a photo from above?",
)
LIVES = (
    "Gardener by day, reader by night.",
    "I collect questions that have no answer.",
    "New here, patient, and fond of long replies.",
)
NOTES = ("spam", "rude answers", "posts the same thing everywhere")


def titled(title: str) -> str:
    """The address of a search for a title's words."""
    return f"{SITE}/search?q={'+'.join(word.strip('?,') for word in title.split())}"


def voted(post: Post, value: int) -> dict[str, Any]:
    """A check of a post's points after one's vote, where there was none."""
    return page(post.page, "#score", str(post.score + value))


def submit_text(town: Town, rng: random.Random) -> Iterator[Draft]:
    """A text in a forum, which the last page shows."""
    for forum, (title, body) in zip(town.some(rng), rng.sample(TEXTS, len(TEXTS))):
        checks = [page("last", "h1", title), page("last", "#text", body), page(f"{forum.url}/new", "main", title)]
        yield Draft({"forum": forum.title, "title": title, "body": body}, at_page(forum.url, checks))


def submit_link(town: Town, rng: random.Random) -> Iterator[Draft]:
    """A link, by which the search finds it."""
    for forum, (title, url) in zip(town.some(rng), rng.sample(LINKS, len(LINKS))):
        found = f"{SITE}/search?q={url.removeprefix('https://')}"
        checks = [page(found, "#submissions", title), page(f"{forum.url}/new", "main", title)]
        yield Draft({"forum": forum.title, "title": title, "url": url}, pages(checks))


def vague_ask(town: Town, rng: random.Random) -> Iterator[Draft]:
    """A question in a forum."""
    for forum, (title, told) in zip(town.some(rng), rng.sample(QUESTIONS, len(QUESTIONS))):
        checks = [page(f"{forum.url}/new", "main", title), page(titled(title), "#submissions", title)]
        yield Draft({"forum": forum.title, "told": told, "title": title}, pages(checks))


def greet_newest(town: Town, rng: random.Random) -> Iterator[Draft]:
    """A forum whose newest post is not the first on its list."""
    for forum in town.some(rng):
        post = town.of(forum)[0]
        if not post.vote and post.score not in (-2, 0) and post.author != town.me:
            text = rng.choice(REMARKS)
            checks = [voted(post, 1), page(post.page, "#comments", town.me, text)]
            yield Draft({"forum": forum.title, "text": text}, pages(checks))


def downvote_all_of(town: Town, rng: random.Random) -> Iterator[Draft]:
    """Two or three posts of somebody in a forum."""
    for forum in town.some(rng):
        for name in sorted({post.author for post in town.of(forum)} - {town.me}):
            own = [post for post in town.of(forum) if post.author == name]
            if 2 <= len(own) <= 3 and not any(post.vote for post in own):
                checks = [voted(post, -1) for post in own]
                yield Draft({"user": name, "forum": forum.title}, pages(checks))
                break


def upvote_best(town: Town, rng: random.Random) -> Iterator[Draft]:
    """The best post is older than a day."""
    by_id = {post.id: post for post in town.posts}
    for forum, post in best_one(town, rng):
        yield Draft({"forum": forum}, pages([voted(by_id[post], 1)]))


def comment_on(town: Town, rng: random.Random) -> Iterator[Draft]:
    """A remark under a post, told by its title."""
    for post, text in zip(town.drawn(rng), rng.sample(REMARKS, len(REMARKS))):
        values = {"title": post.title, "forum": town.forums[post.forum].title, "text": text}
        yield Draft(values, pages([page(post.page, "#comments", town.me, text)]))


def reply_to(town: Town, rng: random.Random) -> Iterator[Draft]:
    """An answer to somebody who said one thing only under a post."""
    for post in town.drawn(rng):
        living = [comment for comment in town.comments[post.id] if not comment.deleted]
        names = [comment.author for comment in living]
        alone = [comment for comment in living if names.count(comment.author) == 1 and comment.author != town.me]
        if len(names) > 4 and alone:
            comment, text = rng.choice(alone), rng.choice(REMARKS)
            check = page(f"{post.page}/-/comment/{comment.id}", "#answers", town.me, text)
            yield Draft({"user": comment.author, "title": post.title, "text": text}, pages([check]))


def edit_own(town: Town, rng: random.Random) -> Iterator[Draft]:
    """One's own text says something else."""
    own = [post for post in town.posts if post.author == town.me and not post.url]
    for post, (_, body) in zip(rng.sample(own, len(own)), rng.sample(TEXTS, len(TEXTS))):
        yield Draft({"title": post.title, "body": body}, pages([page(post.page, "#text", body)]))


def switch_subscriptions(town: Town, rng: random.Random) -> Iterator[Draft]:
    """Two forums to follow, and two to leave."""
    found = list(town.some(rng))
    new, old = ([forum for forum in found if forum.subscribed == mine] for mine in (False, True))
    for first, second, third, last in zip(new[::2], new[1::2], old[::2], old[1::2]):
        checks = [
            page(f"{SITE}/forums", f"#forum-{forum.name} td:nth-child(2)", str(forum.readers + more))
            for forum, more in ((first, 1), (second, 1), (third, -1), (last, -1))
        ]
        values = {"first": first.title, "second": second.title, "third": third.title, "last": last.title}
        yield Draft(values, pages(checks))


def subscribe(town: Town, rng: random.Random) -> Iterator[Draft]:
    """One forum to follow."""
    for forum in town.some(rng):
        if not forum.subscribed:
            check = page(f"{SITE}/forums", f"#forum-{forum.name} td:nth-child(2)", str(forum.readers + 1))
            yield Draft({"forum": forum.title}, pages([check]))


def biography(town: Town, rng: random.Random) -> Iterator[Draft]:
    """What one says about oneself."""
    for text in rng.sample(LIVES, len(LIVES)):
        yield Draft({"text": text}, pages([page(f"{SITE}/user/{town.me}", "#biography", text)]))


def block_author(town: Town, rng: random.Random) -> Iterator[Draft]:
    """Somebody who is told by a post."""
    for post in town.drawn(rng):
        note = rng.choice(NOTES)
        yield Draft(
            {"title": post.title, "note": note}, pages([page(f"{SITE}/block_list", "#blocks", post.author, note)])
        )


TEMPLATES = (
    Template(
        id=3201,
        name="submit_text",
        make=submit_text,
        count=3,
        kind="change",
        needs=("R3",),
        wording='Write a post in {{forum}} with the title "{{title}}" and the text "{{body}}"',
    ),
    Template(
        id=3202,
        name="submit_link",
        make=submit_link,
        count=1,
        kind="change",
        needs=("R3",),
        wording='Post the link {{url}} in {{forum}}, titled "{{title}}"',
    ),
    Template(
        id=3203,
        name="vague_ask",
        make=vague_ask,
        count=2,
        kind="change",
        needs=("R3",),
        vague=True,
        wording='can you ask the {{forum}} people for me {{told}}? call it "{{title}}"',
    ),
    Template(
        id=3204,
        name="greet_newest",
        make=greet_newest,
        count=1,
        kind="change",
        wording='Upvote the newest post in {{forum}}, and comment on it with the text "{{text}}"',
    ),
    Template(
        id=3205,
        name="downvote_all_of",
        make=downvote_all_of,
        count=2,
        kind="change",
        difficulty="hard",
        wording="Downvote all posts that {{user}} submitted to {{forum}}.",
    ),
    Template(
        id=3206,
        name="upvote_best",
        make=upvote_best,
        count=1,
        kind="change",
        needs=("R1",),
        wording="Upvote the top rated post of all time in {{forum}}.",
    ),
    Template(
        id=3207,
        name="comment_on",
        make=comment_on,
        count=2,
        kind="change",
        wording='Leave the comment "{{text}}" on the post "{{title}}" in {{forum}}.',
    ),
    Template(
        id=3208,
        name="reply_to",
        make=reply_to,
        count=2,
        kind="change",
        wording='Reply to the comment that {{user}} wrote under the post "{{title}}" with the text "{{text}}"',
    ),
    Template(
        id=3209,
        name="edit_own",
        make=edit_own,
        count=2,
        kind="change",
        wording='Change the text of my post "{{title}}" to "{{body}}"',
    ),
    Template(
        id=3210,
        name="switch_subscriptions",
        make=switch_subscriptions,
        count=1,
        kind="change",
        wording="Subscribe to {{first}} and {{second}}, and unsubscribe from {{third}} and {{last}}.",
    ),
    Template(
        id=3213,
        name="subscribe",
        make=subscribe,
        count=2,
        kind="change",
        difficulty="easy",
        wording="Subscribe to {{forum}}.",
    ),
    Template(
        id=3211,
        name="biography",
        make=biography,
        count=2,
        kind="change",
        difficulty="easy",
        wording='Change the biography on my profile to "{{text}}"',
    ),
    Template(
        id=3212,
        name="block_author",
        make=block_author,
        count=1,
        kind="change",
        wording='Block the user who posted "{{title}}", with the note "{{note}}"',
    ),
)
