"""Whatever is typed or asked for: a page with a clear message, never a server error, and nothing lost."""

from __future__ import annotations

from urllib.parse import quote, quote_plus

import pytest
from gitlab_site import Site
from hypothesis import given, settings
from hypothesis import strategies as st
from odd_texts import ODD

SITE = Site()
OWN = SITE.project()
STRANGE = SITE.project(role="")
ISSUE = f"{OWN}/-/issues/{SITE.number(OWN)}"
REQUEST = f"{OWN}/-/merge_requests/{SITE.number(OWN, 'merge_request')}"
LIST = ("state", "search", "labels", "author", "assignee", "milestone", "sort", "page")
BRANCH = SITE.value("SELECT default_branch FROM projects WHERE id = ?", SITE.id_of(OWN))
PARAMETERS = {
    f"{OWN}/-/issues": LIST,
    f"{OWN}/-/merge_requests": LIST,
    "/dashboard/issues": LIST,
    "/dashboard/projects": ("name", "sort", "page"),
    "/explore": ("name", "sort", "page"),
    "/search": ("search", "scope"),
    f"{OWN}/-/commits/{BRANCH}": ("search", "page"),
}
FORMS: dict[str, tuple[str, ...]] = {
    f"{OWN}/-/issues/new": ("title", "description", "assignee", "milestone", "labels"),
    f"{ISSUE}/edit": ("title", "description"),
    f"{ISSUE}/comment": ("comment",),
    f"{ISSUE}/assignee": ("assignee",),
    f"{ISSUE}/labels": ("labels",),
    f"{ISSUE}/milestone": ("milestone",),
    f"{REQUEST}/reviewer": ("reviewer",),
    f"{REQUEST}/comment": ("comment",),
    f"{OWN}/-/labels": ("name", "description"),
    f"{OWN}/-/milestones": ("title", "description", "starts", "due"),
    f"{OWN}/-/project_members": ("person", "role"),
    f"{OWN}/-/project_members/2/role": ("role",),
    "/projects/new": ("name", "description", "visibility"),
    "/-/profile": ("status", "place", "bio"),
}
TEXTS = (*ODD, "a," * 5_000, "2024-02-30", "all", "created_asc")


@pytest.mark.parametrize("path", PARAMETERS)
def test_odd_parameters(path: str) -> None:
    site = Site()
    # the lists share their code: one parameter by one for one of them, all at once for the others
    alone = path in (f"{OWN}/-/issues", "/explore")
    for text in TEXTS:
        for names in [(name,) for name in PARAMETERS[path]] if alone else [PARAMETERS[path]]:
            site.go(f"{path}?{'&'.join(f'{name}={quote_plus(text)}' for name in names)}")
            assert site.status == 200, (names, text)
            assert site.texts("//h1")
            assert site.page.xpath("//script") == []


@pytest.mark.parametrize("path", FORMS)
def test_odd_forms(path: str) -> None:
    site = Site()
    people = site.all("SELECT * FROM members")
    for text in TEXTS:
        site.send("POST", path, dict.fromkeys(FORMS[path], text))
        assert site.status == 200, text
        assert site.page.xpath("//script") == []
        site.send("POST", path, {})
        assert site.status == 200
    assert site.all("SELECT * FROM members") == people
    # what was stored is shown again wherever it stands
    for shown in (OWN, f"{OWN}/-/issues", ISSUE, REQUEST, f"{OWN}/-/labels", f"{OWN}/-/milestones", "/", "/-/profile"):
        assert site.go(shown).status == 200


@settings(deadline=None, max_examples=30)
@given(st.text(max_size=60), st.sampled_from(sorted(PARAMETERS)))
def test_any_text_as_a_parameter(text: str, path: str) -> None:
    encoded = quote_plus(text, errors="replace")
    SITE.go(f"{path}?" + "&".join(f"{name}={encoded}" for name in PARAMETERS[path]))
    assert SITE.status == 200


@settings(deadline=None, max_examples=60)
@given(st.text(st.characters(categories=("L", "N", "P", "S")), min_size=1, max_size=60))
def test_any_text_searched_stands_in_the_field_again(text: str) -> None:
    site = SITE.go(f"{OWN}/-/issues").press("Filter", search=text)
    assert site.status == 200
    assert site.page.get_element_by_id("search").get("value") == text


@pytest.mark.parametrize("text", [odd for odd in TEXTS if odd.strip() and "/" not in odd and len(odd) < 3000])
@pytest.mark.parametrize(
    "path",
    [
        "/{}",
        "/nobody/{}",
        f"{OWN}/-/{{}}",
        f"{OWN}/-/issues/{{}}",
        f"{OWN}/-/merge_requests/{{}}/edit",
        f"{OWN}/-/tree/{{}}",
        f"{OWN}/-/blob/{BRANCH}/{{}}",
        f"{OWN}/-/commits/{{}}",
        f"{OWN}/-/commit/{{}}",
        f"{OWN}/-/switch?branch={{}}",
    ],
)
def test_unknown_addresses(path: str, text: str) -> None:
    SITE.go(path.format(quote(text)))
    assert SITE.status == 404
    assert SITE.texts("//h1") == ["Page not found"]
    assert SITE.page.xpath("//main//a[@href='/']")


@pytest.mark.parametrize(
    "path", ["issues/{}/comment", "issues/{}/close", "merge_requests/{}/approve", "issues/{}/save"]
)
def test_posts_to_what_is_not_there(path: str) -> None:
    for text in ("0", "-1", "99999", "9" * 40, "abc"):
        assert SITE.send("POST", f"{OWN}/-/{path.format(text)}").status == 404


def test_a_wrong_method_and_a_huge_form() -> None:
    assert SITE.send("POST", "/").status == 405
    assert SITE.go(f"{ISSUE}/close").status == 405
    assert SITE.send("POST", f"{OWN}/-/issues/new", {"description": "x" * 2_000_000}).status == 413


@pytest.mark.parametrize(
    ("path", "button", "typed", "message"),
    [
        (f"{OWN}/-/issues/new", "Create issue", {"title": ""}, "Title is a required field."),
        (f"{OWN}/-/issues/new", "Create issue", {"title": "x", "assignee": "Nobody"}, "'Nobody' is not a member"),
        (f"{OWN}/-/issues/new", "Create issue", {"title": "x", "labels": "odd"}, "There is no label 'odd'"),
        (ISSUE, "Add comment", {"comment": ""}, "Comment is a required field."),
        (f"{ISSUE}/edit", "Save text", {"title": ""}, "Title is a required field."),
        (f"{OWN}/-/labels", "Create label", {"name": "a, b"}, "Label name 'a, b' is not valid"),
        (f"{OWN}/-/milestones", "Create milestone", {"title": "x", "starts": "1.2.2024"}, "'1.2.2024' is not valid"),
        (f"{OWN}/-/project_members", "Invite", {"person": "Nobody"}, "nobody is called 'Nobody'"),
        ("/projects/new", "Create project", {"name": "!!!"}, "has neither letters nor digits"),
        ("/-/profile", "Update profile", {"status": "x" * 101}, "must not be longer than 100 characters"),
    ],
)
def test_messages_and_what_was_typed_stays(path: str, button: str, typed: dict[str, str], message: str) -> None:
    site = Site()
    before = site.dump()
    site.go(path).press(button, "//main", **typed)
    assert message in site.main
    for name, text in typed.items():
        assert (site.page.xpath(f"//main//*[@name='{name}']")[0].value or "") == text[:100]
    assert site.dump() == before


@pytest.mark.parametrize(("field", "button"), [("assignee", "Assign"), ("labels", "Set labels")])
def test_nothing_is_chosen_that_does_not_exist(field: str, button: str) -> None:
    site = Site()
    before = site.dump()
    site.go(ISSUE).press(button, **{field: "Nobody"})
    assert "'Nobody'" in site.texts("//div[@id='errors']")[0]
    assert site.dump() == before


def test_days_that_are_none_and_in_the_wrong_order() -> None:
    site = Site()
    before = site.dump()
    for starts, due, message in (
        ("2024-02-30", "2024-03-01", "Start date '2024-02-30' is no day"),
        ("2024-03-01", "2024-13-01", "End date '2024-13-01' is no day"),
        ("2024-03-02", "2024-03-01", "The end date is before the start date."),
    ):
        site.go(f"{OWN}/-/milestones").press("Create milestone", title="x", starts=starts, due=due)
        assert message in site.main
    assert site.dump() == before


def test_names_that_are_there_already() -> None:
    site = Site()
    label = site.value("SELECT name FROM labels WHERE project_id = ?", site.id_of(OWN))
    milestone = site.value("SELECT title FROM milestones WHERE project_id = ?", site.id_of(OWN))
    name = site.value("SELECT name FROM projects WHERE id = ?", site.id_of(OWN))
    member = site.value(
        "SELECT u.name FROM members m JOIN users u ON u.id = user_id WHERE project_id = ? AND role <> 'Owner'",
        site.id_of(OWN),
    )
    before = site.dump()
    assert "already" in site.go(f"{OWN}/-/labels").press("Create label", name=label.upper()).main
    typed = {"title": milestone, "starts": "2024-01-01", "due": "2024-02-01"}
    assert "already" in site.go(f"{OWN}/-/milestones").press("Create milestone", **typed).main
    assert "already" in site.go("/projects/new").press("Create project", name=name.upper()).main
    assert "already" in site.go(f"{OWN}/-/project_members").press("Invite", person=member, role="Guest").main
    assert site.dump() == before


STRANGE_ITEM = f"{STRANGE}/-/issues/{SITE.number(STRANGE)}"


@pytest.mark.parametrize(
    ("path", "form"),
    [
        (f"{STRANGE}/-/project_members", {"person": "x", "role": "Guest"}),
        (f"{STRANGE}/-/labels", {"name": "x"}),
        (f"{STRANGE}/-/milestones", {"title": "x", "starts": "2024-01-01", "due": "2024-01-02"}),
        (f"{STRANGE_ITEM}/assignee", {"assignee": ""}),
        (f"{STRANGE_ITEM}/save", {}),
        (f"{STRANGE_ITEM}/edit", {"title": "x"}),
        (f"{STRANGE}/-/merge_requests/1/approve", {}),
    ],
)
def test_what_needs_a_role_is_refused_without_it(path: str, form: dict[str, str]) -> None:
    site = Site()
    before = site.dump()
    assert site.send("POST", path, form).status == 403
    assert "You need the role" in site.main
    assert site.dump() == before
