"""What the forum does without saying so, through its pages: conventions, and look-alikes that do the opposite."""

from __future__ import annotations

import pytest
from reddit_site import Site

SEEDS = pytest.mark.parametrize("seed", [0, 1, 2])
DAY = "created_at > '2024-06-14 18:00'"


def ranked(site: Site, where: str, order: str) -> list[str]:
    return [title for (title,) in site.all(f"SELECT title FROM shown_posts WHERE {where} ORDER BY {order}, id DESC")]


@SEEDS
@pytest.mark.parametrize(("by", "order"), [("top", "score DESC"), ("most_commented", "comments_ever DESC")])
def test_r1_the_best_posts_of_a_forum_are_at_first_those_of_the_last_day(seed: int, by: str, order: str) -> None:
    site = Site(seed)
    forum = site.value(f"SELECT forum FROM shown_posts WHERE {DAY}")
    site.go(f"/f/{forum}").press("Sort", by=by)
    assert site.all_titles() == ranked(site, f"forum = '{forum}' AND {DAY}", order)
    site.go(f"/f/{forum}").press("Sort", by=by).follow("All time")
    assert site.all_titles() == ranked(site, f"forum = '{forum}'", order)
    site.go(f"/f/{forum}").press("Sort", by=by).follow("Past year")
    assert site.all_titles() == ranked(site, f"forum = '{forum}' AND created_at > '2023-06-15 18:00'", order)


@SEEDS
@pytest.mark.parametrize(("path", "where"), [("/all", "1"), ("/subscribed", "forum_id IN subscriptions")])
def test_fr1_those_of_several_forums_are_of_all_time(seed: int, path: str, where: str) -> None:
    site = Site(seed)
    assert site.go(path).press("Sort", by="top").titles() == ranked(site, where, "score DESC")[:12]
    assert site.follow("Past day").titles() == ranked(site, f"{where} AND {DAY}", "score DESC")[:12]


@SEEDS
def test_hot_is_neither_new_nor_top(seed: int) -> None:
    site = Site(seed)
    hot, new, top = (site.go(f"/all/{sort}").titles() for sort in ("hot", "new", "top"))
    assert hot == site.go("/").titles()
    assert hot != new
    assert hot != top
    assert new == ranked(site, "1", "created_at DESC")[:12]


@SEEDS
def test_r2_lists_count_deleted_comments_and_the_page_does_not(seed: int) -> None:
    site = Site(seed)
    deleted = "(SELECT count(*) FROM comments c WHERE c.post_id = p.id AND deleted)"
    path, ever, gone = site.all(f"SELECT path, comments_ever, {deleted} FROM shown_posts p WHERE {deleted} > 1")[0]
    forum = path.split("/")[2]
    texts: list[str] = []
    site.go(f"/f/{forum}/new")
    while not texts:
        texts = site.texts(f"//tr[td[1]/a/@href='{path}']/td[5]")
        if not texts:
            site.follow("More")
    assert texts == [str(ever)]
    assert site.go(path).counted == ever - gone
    assert site.texts("//section[@id='comments']//p").count("[deleted]") == gone


@SEEDS
def test_fr2_the_list_of_forums_leaves_deleted_posts_out_and_a_forums_page_does_not(seed: int) -> None:
    site = Site(seed)
    forum = site.value("SELECT f.name FROM posts p JOIN forums f ON f.id = forum_id WHERE state = 'deleted'")
    seen = len(site.go(f"/f/{forum}/new").all_titles())
    assert site.go("/forums").texts(f"//tr[@id='forum-{forum}']/td[3]") == [str(seen)]
    gone = site.value(
        "SELECT count(*) FROM posts WHERE state = 'deleted' AND forum_id = (SELECT id FROM forums WHERE name = ?)",
        forum,
    )
    assert f"Posts: {seen + gone} " in site.go(f"/f/{forum}").main


@SEEDS
def test_r3_a_submission_is_nowhere_until_it_is_published(seed: int) -> None:
    site = Site(seed)
    lists = ("/all/new", "/f/rowing/new", "/search?q=Unheard")
    site.go("/submit/rowing").press("Create submission", title="Unheard of", url="https://new.example/1")
    assert "Your submission was saved." in site.main
    draft = site.url
    assert all("Unheard of" not in site.go(path).titles() for path in lists)
    site.go(draft).press("Publish")
    assert all(site.go(path).titles()[0] == "Unheard of" for path in lists)
    # a comment needs no such thing
    site.follow("Unheard of").press("Post", "//main", comment="Heard.")
    assert site.counted == 1


def test_no_page_states_a_convention() -> None:
    site = Site()
    post = site.path("comments_ever > 9")
    for path in ("/", "/f/camping", "/f/camping/top", "/all/top", "/forums", "/submit", post, "/search?q=camp"):
        text = site.go(path).main.lower()
        for word in ("by default", "at first", "without deleted", "with deleted", "including", "draft", "only you"):
            assert word not in text, (path, word)
    site.go("/submit/camping").press("Create submission", title="Quiet")
    assert "draft" not in site.main.lower()
