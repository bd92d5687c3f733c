"""Whatever is typed, voted or asked for: a page with a clear message, never a server error, and nothing lost."""

from __future__ import annotations

from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from odd_texts import ODD
from reddit_site import Site

SITE = Site()
ME = SITE.value("SELECT u.name FROM users u JOIN world w ON w.key = 'user' AND u.id = w.value")
OTHER = SITE.value("SELECT name FROM users WHERE name <> ?", ME)
OWN, OTHERS = SITE.path("user_id = 1"), SITE.path("user_id <> 1 AND comments_ever > 3")
NUMBER = OTHERS.split("/")[3]
COMMENT = SITE.value("SELECT id FROM comments WHERE post_id = ? AND NOT deleted AND user_id <> 1", NUMBER)
MINE = SITE.value(
    "SELECT c.id FROM comments c JOIN shown_posts p ON p.id = post_id WHERE c.user_id = 1 AND NOT deleted"
)
MY_PATH = SITE.value(
    "SELECT '/f/' || forum || '/' || p.id FROM shown_posts p JOIN comments c ON p.id = post_id AND c.id = ?", MINE
)
HERE = OTHERS.rpartition("/")[0]

PARAMETERS = {
    **dict.fromkeys(("/", "/all/top", "/subscribed/new", "/f/camping/most_commented"), ("t", "page")),
    "/f/camping/sort": ("by",),
    "/search": ("q", "page"),
    f"/user/{OTHER}/submissions": ("page",),
    f"/user/{OTHER}/comments": ("page",),
}
POST = ("url", "title", "body", "forum")
FORMS = {
    "/submit": POST,
    "/submit/camping": POST,
    "/create_forum": ("name", "title", "description", "sidebar"),
    "/f/camping/subscribe": ("subscribe", "here"),
    f"{OWN.rpartition('/')[0]}/-/edit": ("title", "body"),
    f"{HERE}/-/comment": ("comment",),
    f"{HERE}/-/comment/{COMMENT}": ("comment",),
    f"{MY_PATH}/-/comment/{MINE}/edit": ("comment",),
    f"/vote/post/{NUMBER}": ("vote", "here"),
    f"/vote/comment/{COMMENT}": ("vote", "here"),
    "/biography": ("biography",),
    f"/user/{OTHER}/block": ("note",),
    f"/user/{OTHER}/unblock": ("note",),
    f"/user/{OTHER}/message": ("subject", "message"),
}
KEPT = "SELECT count(*), sum(votes), sum(state = 'public') FROM posts WHERE id <= 500"


@pytest.mark.parametrize("path", PARAMETERS)
def test_odd_parameters(path: str) -> None:
    site = Site()
    for text in ODD:
        for name in PARAMETERS[path]:
            site.go(f"{path}?{name}={quote_plus(text)}")
            assert site.status == 200, (name, text)
            assert site.texts("//h1")
            assert site.page.xpath("//script") == []


@pytest.mark.parametrize("path", FORMS)
def test_odd_forms(path: str) -> None:
    site = Site()
    before = site.all(KEPT)
    for text in ODD:
        site.send("POST", path, dict.fromkeys(FORMS[path], text))
        assert site.status == 200, text
        assert site.page.xpath("//script") == []
    site.send("POST", path, {})
    assert site.status == 200
    assert site.all(KEPT) == before


@settings(deadline=None, max_examples=60)
@given(st.text(st.characters(categories=("L", "N", "P", "S")), min_size=1, max_size=60))
def test_any_text_searched_stands_in_the_box_again(text: str) -> None:
    site = SITE.go("/").press("Search", q=text)
    assert site.status == 200
    assert site.page.get_element_by_id("search").get("value") == text


@settings(deadline=None, max_examples=60)
@given(st.text(max_size=60), st.sampled_from(sorted(PARAMETERS)))
def test_any_text_as_a_parameter(text: str, path: str) -> None:
    encoded = quote_plus(text, errors="replace")
    SITE.go(f"{path}?" + "&".join(f"{name}={encoded}" for name in PARAMETERS[path]))
    assert SITE.status == 200


@pytest.mark.parametrize(
    "path", ["/{}", "/f/{}", "/f/camping/{}", "/forums/{}", "/user/{}", "/submissions/{}", f"{HERE}/-/comment/{{}}"]
)
def test_unknown_addresses(path: str) -> None:
    for text in ODD:
        if text.strip() and "/" not in text and len(text) < 3000:
            SITE.go(path.format(quote(text)))
            assert SITE.status == 404, text
            assert SITE.texts("//h1") == ["Page not found"]
            assert SITE.page.xpath("//main//a[@href='/']")


@pytest.mark.parametrize(
    "path",
    [
        "/vote/post/{}",
        "/vote/comment/{}",
        "/vote/user/{}",
        "/f/{}/subscribe",
        "/user/{}/block",
        "/submissions/{}/publish",
    ],
)
def test_posts_to_what_is_not_there(path: str) -> None:
    for text in ("0", "-1", "99999", "9" * 40, "nobody"):
        assert SITE.send("POST", path.format(text)).status == 404


def test_a_wrong_method_and_a_huge_form() -> None:
    assert SITE.send("POST", "/").status == 405
    assert SITE.send("POST", "/submit", {"body": "x" * 2_000_000}).status == 413


def test_what_is_others_cannot_be_changed() -> None:
    site = Site()
    before = site.dump()
    for path in (f"{HERE}/-/edit", f"{HERE}/-/delete", f"{HERE}/-/comment/{COMMENT}/delete"):
        assert site.send("POST", path, {"title": "Mine", "body": ""}).status == 403
        assert "Only the author can do that." in site.main
    for path in (f"/user/{ME}/block", f"/user/{ME}/message"):
        assert site.send("POST", path, {}).status == 403
    assert site.dump() == before


@pytest.mark.parametrize(
    "here", ["//evil.example/", "https://evil.example/", "/\\evil.example", "x", "/a\nb", "", "/vote/post/1/"]
)
def test_a_vote_leads_back_to_this_site_alone(here: str) -> None:
    site = Site()
    response = site.client.open(
        f"/vote/post/{NUMBER}",
        method="POST",
        data={"vote": "1", "here": here},
        environ_overrides=dict(site.site.environ),
        base_url="http://reddit.test",
    )
    place = response.headers["Location"]
    assert place.startswith("/")
    assert not place.startswith("//")
    assert "evil" not in place


@pytest.mark.parametrize(
    ("path", "button", "typed", "message"),
    [
        ("/submit", "Create submission", {"title": ""}, "Title is a required field."),
        ("/submit", "Create submission", {"title": "A"}, "Please choose a value for Forum."),
        ("/submit/camping", "Create submission", {"title": "A", "url": "camping"}, "URL 'camping' is not valid"),
        ("/create_forum", "Create forum", {"name": "a b"}, "Name 'a b' is not valid: 3 to 25 letters"),
        (
            "/create_forum",
            "Create forum",
            {"name": "Camping", "title": "A"},
            "A forum exists with that name or title already.",
        ),
        (OTHERS, "Post", {"comment": " "}, "Comment is a required field."),
        (f"{HERE}/-/comment/{COMMENT}", "Post", {"comment": ""}, "Reply is a required field."),
        (f"/user/{OTHER}/message", "Send", {"subject": "Hello", "message": ""}, "Message is a required field."),
        ("/biography", "Save", {"biography": "x" * 1001}, "Biography text must not be longer than 1000 characters."),
    ],
)
def test_messages_and_what_was_typed_stays(path: str, button: str, typed: dict[str, str], message: str) -> None:
    site = Site()
    before = site.dump()
    site.go(path).press(button, "//main", **typed)
    assert message in site.texts("//div[@id='errors']")[0]
    for name, text in typed.items():
        assert (site.page.xpath(f"//main//*[@name='{name}']")[0].value or "") == text.strip()[:1000]
    assert site.dump() == before


def test_a_link_is_taken_once_in_a_forum() -> None:
    site = Site()
    forum, board, url, title = site.all("SELECT forum, board, url, title FROM shown_posts WHERE url <> ''")[0]
    other = site.value("SELECT title FROM forums WHERE name <> ?", forum)
    site.go(f"/submit/{forum}").press("Create submission", title="Once more", url=url)
    assert f"This link was submitted to {board} before: {title}" in site.main
    site.press("Create submission", forum=other)
    assert site.texts("//h1") == ["Once more"]
