"""What somebody can change on the forum, through its forms and buttons; and the world that it starts from."""

from __future__ import annotations

import pytest
from reddit_site import Site

SEEDS = pytest.mark.parametrize("seed", [0, 1, 2, 100])
FRESH = "user_id <> 1 AND my_vote = 0 AND score > 5 AND comments_ever > 3"


@SEEDS
def test_sizes(seed: int) -> None:
    site = Site(seed)
    assert site.value("SELECT count(*) FROM forums") == 24
    assert 450 <= site.value("SELECT count(*) FROM shown_posts") <= 650
    assert 64 <= site.value("SELECT count(*) FROM users") <= 76
    assert site.value("SELECT count(*) FROM shown_posts WHERE user_id = 1") == 9
    assert site.value("SELECT count(*) FROM subscriptions") == 8
    assert site.value("SELECT max(created_at) FROM comments") <= "2024-06-15 18:00"
    assert not site.all("SELECT 1 FROM comments c JOIN posts p ON p.id = post_id WHERE c.created_at < p.created_at")
    assert not site.all(
        "SELECT id FROM posts p WHERE comments_ever <> (SELECT count(*) FROM comments WHERE post_id = p.id)"
    )
    assert len(site.all("SELECT DISTINCT title FROM posts")) == site.value("SELECT count(*) FROM posts")


def test_worlds_share_few_people_and_posts() -> None:
    first, second = Site(0), Site(1)
    for sql in ("SELECT name FROM users", "SELECT title FROM posts", "SELECT name, subscribers FROM forums"):
        assert len(set(first.all(sql)) & set(second.all(sql))) <= 0.25 * len(first.all(sql)), sql


@SEEDS
def test_one_board_talks_about_products_of_the_shop_of_the_same_world(seed: int) -> None:
    from shopping_site import Site as Shop

    products = [name for (name,) in Shop(seed).all("SELECT name FROM products")]
    titles = [title for (title,) in Site(seed).all("SELECT title FROM shown_posts WHERE forum = 'goodbuys'")]
    assert len(titles) == 16
    named = [[name for name in products if name in title] for title in titles]
    assert all(len(names) == 1 for names in named), named
    assert len({name for (name,) in named}) == 16


def test_votes_are_given_turned_and_taken_back() -> None:
    site = Site()
    path = site.path(FRESH)
    before = site.go(path).points
    assert site.buttons() == ["Upvote", "Downvote"]
    assert site.press("Upvote", "//section[@id='submission']").points == before + 1
    assert site.buttons() == ["Retract upvote", "Downvote"]
    assert site.press("Downvote", "//section[@id='submission']").points == before - 1
    assert site.buttons() == ["Upvote", "Retract downvote"]
    assert site.press("Retract downvote", "//section[@id='submission']").points == before
    assert site.url == path


def test_a_vote_on_a_list_stays_on_the_list() -> None:
    site = Site()
    site.go("/f/camping/top?t=all")
    title = site.titles()[0]
    votes = site.texts("//section[@id='submissions']//tbody/tr[1]//button")
    site.press(votes[0], "//section[@id='submissions']")
    assert site.url == "/f/camping/top?t=all"
    assert site.titles()[0] == title
    assert site.texts("//section[@id='submissions']//tbody/tr[1]//button") != votes


def test_comments_are_written_answered_changed_and_deleted() -> None:
    site = Site()
    path = site.path(FRESH)
    before, other = site.go(path).counted, site.value("SELECT count(*) FROM comments")
    site.press("Post", "//main", comment="First <b>words</b>")
    assert site.counted == before + 1
    assert "First <b>words</b>" in site.main
    mine = other + 1
    site.go(site.page.xpath(f"//a[contains(@href, '/comment/{mine}')][text()='Reply']/@href")[0])
    site.press("Post", "//main", comment="And an answer")
    assert site.texts("//section[@id='answers']//p")[1] == "And an answer"
    site.go(path).follow("Edit comment").press("Save", comment="Other words")
    assert "Other words" in site.main
    assert "First" not in site.main
    site.press("Delete comment", "//main")
    assert site.counted == before + 1
    assert "Other words" not in site.main
    assert "And an answer" in site.main
    assert site.value("SELECT count(*) FROM comments") == other + 2


def test_a_post_is_written_published_changed_and_deleted() -> None:
    site = Site()
    site.go("/f/kites").follow("Submit", "//nav")
    site.press("Create submission", title="A kite of paper", body="Ten cents.")
    assert site.texts("//h1") == ["A kite of paper"]
    assert "A kite of paper" not in site.go("/f/kites/new").all_titles()
    site.follow("My profile", "//nav").follow("A kite of paper").follow("Edit")
    site.press("Save", title="A kite of silk", forum="Knitting")
    site.press("Publish")
    assert site.go("/f/knitting/new").titles()[0] == "A kite of silk"
    assert site.go("/search?q=silk+kite").titles() == ["A kite of silk"]
    site.follow("A kite of silk").follow("Edit").press("Save", title="A kite of linen", body="Two dollars.")
    assert "Two dollars." in site.main
    assert site.go("/f/knitting/new").titles()[0] == "A kite of linen"
    site.follow("A kite of linen").press("Delete")
    assert "A kite of linen" not in site.all_titles()
    assert site.value("SELECT count(*) FROM posts WHERE state = 'draft'") == 0


def test_a_draft_is_discarded() -> None:
    site = Site()
    before = site.all("SELECT * FROM posts")
    site.go("/submit/kites").press("Create submission", title="Never mind").press("Discard")
    assert site.all("SELECT * FROM posts") == before


def test_subscriptions() -> None:
    site = Site()
    new = site.value("SELECT name FROM forums WHERE id NOT IN (SELECT forum_id FROM subscriptions)")
    readers = site.value("SELECT subscribers FROM forums WHERE name = ?", new)
    site.go(f"/f/{new}").press("Subscribe")
    assert f"Subscribers: {readers + 1}" in site.main
    assert set(site.go("/subscribed/new").texts("//tbody/tr/td[3]")) - {site.go(f"/f/{new}").texts("//h1")[0]}
    site.go("/forums")
    site.send("POST", f"/f/{new}/subscribe", {"subscribe": "0", "here": "/forums/by_subscribers"})
    assert site.url == "/forums/by_subscribers"
    counts = [int(row[1]) for row in site.cells("forums")]
    assert counts == sorted(counts, reverse=True)
    assert site.value("SELECT count(*) FROM subscriptions") == 8


def test_a_forum_is_made_and_posts_go_there() -> None:
    site = Site()
    typed = {"title": "Snow globes", "description": "Shaken.", "sidebar": "Be gentle."}
    site.go("/forums").follow("Create new forum").press("Create forum", name="snow_globes", **typed)
    assert site.texts("//h1") == ["Snow globes"]
    assert "Be gentle." in site.main
    assert "There's nothing here." in site.main
    site.follow("Submit", "//nav").press("Create submission", title="First").press("Publish")
    assert site.go("/f/snow_globes").titles() == ["First"]


def test_people_are_blocked_written_to_and_let_in_again() -> None:
    site = Site()
    name = site.value("SELECT author FROM shown_posts WHERE user_id <> 1")
    site.go(f"/user/{name}").follow("Block user").press("Block", note="Too loud")
    assert f"{name} since June 15, 2024: Too loud" in site.main
    assert "Block user" not in site.go(f"/user/{name}").main
    site.go("/block_list").press("Unblock")
    assert "You have blocked nobody." in site.main
    site.go(f"/user/{name}").follow("Send message").press("Send", subject="Hello", message="How are you?")
    assert site.texts("//section[@id='messages']//li")[0].startswith(f"Hello To {name}")


def test_a_biography_is_changed_and_answers_are_told() -> None:
    site = Site()
    site.go("/biography").press("Save", biography="I rest.")
    assert site.texts("//span[@id='biography']") == ["I rest."]
    site.go("/notifications")
    assert 1 <= len(site.texts("//section[@id='notifications']/ul/li")) <= 20
    site.follow("Reply")
    assert site.texts("//h1")[0].startswith("Comment by ")


def test_search_finds_every_word_people_and_forums() -> None:
    site = Site()
    title, author = site.all("SELECT title, author FROM shown_posts WHERE user_id <> 1")[0]
    assert title in site.go("/").press("Search", q=" ".join(reversed(title.upper().split()))).titles()
    assert site.press("Search", q=f"{title} zebra").titles() == []
    assert author in site.press("Search", q=author.lower()).texts("//main//li/a")
    assert "Camping" in site.press("Search", q="camp").texts("//main//li/a")
