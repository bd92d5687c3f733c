"""What one can change on the code host, through its forms and buttons; and that attempts share nothing."""

from __future__ import annotations

import pytest
from gitlab_site import Site


def me(site: Site) -> str:
    return str(site.value("SELECT username FROM users WHERE id = ?", site.me))


def test_an_issue_is_opened_edited_closed_and_reopened() -> None:
    site = Site()
    path = site.project()
    project = site.id_of(path)
    label = site.value("SELECT name FROM labels WHERE project_id = ?", project)
    person = site.value("SELECT name FROM users JOIN members ON user_id = id WHERE project_id = ?", project)
    last = site.value("SELECT max(number) FROM items WHERE project_id = ? AND kind = 'issue'", project)
    site.go(f"{path}/-/issues").follow("New issue")
    site.press("Create issue", title="It is cold", description="Very.", assignee=person.lower(), labels=label)
    assert site.url == f"{path}/-/issues/{last + 1}"
    assert site.texts("//h1") == ["It is cold"]
    assert site.texts("//span[@id='assignee-stored'] | //span[@id='labels-stored']") == [person, label]
    site.follow("Edit title and description").press("Save text", title="It is warm")
    assert site.texts("//h1 | //p[@id='description']") == ["It is warm", "Very."]
    assert site.press("Close issue").texts("//span[@id='state']") == ["Closed"]
    assert site.press("Reopen issue").texts("//span[@id='state']") == ["Open"]
    assert site.go(f"/{me(site)}").texts("//section[@id='activity']//li")[0].startswith("Jun 15, 2024 | reopened issue")


def test_a_merge_request_is_approved_and_merged() -> None:
    site = Site()
    path = site.project()
    request = f"{path}/-/merge_requests/{site.number(path, 'merge_request')}"
    name = site.value("SELECT name FROM users WHERE id = ?", site.me)
    assert name in site.go(request).press("Approve").texts("//p[@id='approvals']")[0]
    assert name not in site.press("Revoke approval").texts("//p[@id='approvals']")[0]
    assert site.press("Merge").texts("//span[@id='state']") == ["Merged"]
    assert "Close merge request" not in site.texts("//button")


def test_a_choice_is_made_anew_and_taken_back_to_nobody() -> None:
    site = Site()
    path = site.project()
    issue = f"{path}/-/issues/{site.number(path)}"
    people = site.all("SELECT name FROM users JOIN members ON user_id = id WHERE project_id = ?", site.id_of(path))
    for (name,) in people[:2]:
        site.go(issue).press("Assign", assignee=name)
    assert site.press("Save changes").texts("//span[@id='assignee-stored']") == [people[1][0]]
    site.press("Assign", assignee="").press("Save changes")
    assert site.texts("//span[@id='assignee-stored']") == ["none"]
    assert site.all("SELECT * FROM drafts") == []


def test_members_are_invited_changed_and_removed_and_the_owner_stays() -> None:
    site = Site()
    path = site.project()
    project = site.id_of(path)
    outside = "SELECT id, username, name FROM users WHERE id NOT IN (SELECT user_id FROM members WHERE project_id = ?)"
    user, username, name = site.all(outside, project)[0]
    role = "SELECT role FROM members WHERE project_id = ? AND user_id = ?"
    site.go(f"{path}/-/project_members").press("Invite", person=f"@{username}", role="Reporter")
    assert f"{name} was invited." in site.main
    assert site.value(role, project, user) == "Reporter"
    row = f"//tr[@id='member-{username}']"
    site.press("Update", row, role="Maintainer")
    assert site.value(role, project, user) == "Maintainer"
    count = site.amount
    assert site.press("Remove", row).amount == count - 1
    for action in ("role", "remove"):
        site.send("POST", f"{path}/-/project_members/{site.me}/{action}", {"role": "Guest"})
    assert site.value(role, project, site.me) == "Owner"


def test_stars_and_forks() -> None:
    site = Site()
    path = str(
        site.value(
            "SELECT '/' || namespace || '/' || slug FROM projects p WHERE id NOT IN (SELECT project_id FROM starred)"
            " AND id NOT IN (SELECT project_id FROM members WHERE user_id = ?)",
            site.me,
        )
    )
    stars = int(site.go(path).texts("//span[@id='stars']")[0])
    assert site.press("Star").texts("//span[@id='stars']") == [str(stars + 1)]
    name = site.texts("//h1")[0]
    assert name in [row["Project"] for row in site.go("/dashboard/projects/starred").rows("projects")]
    assert site.go(path).press("Unstar").texts("//span[@id='stars']") == [str(stars)]
    files = site.cells("files")
    site.press("Fork")
    assert site.url == f"/{me(site)}/{path.rpartition('/')[2]}"
    assert site.texts("//a[@id='source']") == [path[1:]]
    assert site.cells("files") == files
    assert "already" in site.go(path).press("Fork").main


def test_labels_milestones_a_project_and_the_profile() -> None:
    site = Site()
    path = site.project()
    site.go(f"{path}/-/labels").press("Create label", name="odd", description="Strange")
    assert ["odd", "Strange", "0"] in site.cells("labels")
    typed = {"title": "v77", "starts": "2025-01-02", "due": "02/03/2025"}
    site.go(f"{path}/-/milestones").press("Create milestone", **typed)
    assert site.cells("milestones")[-1][2:4] == ["Jan 2, 2025", "Feb 3, 2025"]
    site.go("/projects/new").press("Create project", name="Blue Door", description="Opens.", visibility="Public")
    assert site.url == f"/{me(site)}/blue-door"
    assert site.texts("//span[@id='visibility'] | //section[@id='readme']/pre") == ["Public", "# Blue Door Opens."]
    for page in (
        "issues",
        "merge_requests",
        "commits/main",
        "tree/main",
        "contributors",
        "branches",
        "project_members",
    ):
        assert site.go(f"/{me(site)}/blue-door/-/{page}").status == 200
    site.go("/-/profile").press("Update profile", status="Asleep")
    assert site.texts("//span[@id='status']") == ["Asleep"]


def test_branches_have_files_and_commits_of_their_own() -> None:
    site = Site()
    path = site.project()
    branch = site.value("SELECT default_branch FROM projects WHERE id = ?", site.id_of(path))
    other = site.value("SELECT name FROM branches WHERE project_id = ? AND name <> ?", site.id_of(path), branch)
    settings = "config/settings.toml"
    texts = [site.go(f"{path}/-/blob/{name}/{settings}").texts("//ol[@id='lines']/li") for name in (branch, other)]
    assert texts[0] != texts[1]
    assert len(texts[0]) == len(texts[1])
    site.go(f"{path}/-/tree/{branch}/config").press("Switch branch", branch=other)
    assert site.url == f"{path}/-/tree/{other}/config"
    assert site.follow("settings.toml").texts("//ol[@id='lines']/li") == texts[1]
    own = site.value("SELECT own FROM (SELECT count(*) AS own FROM commits JOIN branches b ON b.id=branch_id"
                     " WHERE b.project_id = ? AND b.name = ?)", site.id_of(path), other)  # fmt: skip
    left = site.value("SELECT left_on FROM branches WHERE project_id = ? AND name = ?", site.id_of(path), other)
    before = site.value(
        "SELECT count(*) FROM commits JOIN branches b ON b.id = branch_id"
        " WHERE b.project_id = ? AND b.name = ? AND committed_on <= ?",
        *(site.id_of(path), branch, left),
    )
    assert len(site.go(f"{path}/-/commits/{other}").all_rows("commits")) == own + before
    title = site.rows("commits")[0]["Message"]
    assert site.follow(title).texts("//h1") == [title]
    assert site.page.xpath("//table[@id='changed']//a")


def test_search_finds_projects_items_and_people() -> None:
    site = Site()
    title = site.value("SELECT title FROM items WHERE kind = 'issue' AND state = 'closed'")
    site.go("/").press("Search", search=title.upper())
    assert [row["Title"] for row in site.rows("issues")] == [title]
    name = site.value("SELECT name FROM projects ORDER BY id DESC")
    site.go("/").press("Search", search=name)
    assert [row["Project"] for row in site.rows("projects")] == [name]
    person = site.value("SELECT name FROM users ORDER BY id DESC")
    assert person in site.go("/").press("Search", search=person).texts("//ul[@id='people']//a")
    site.go("/").press("Search", search="nothing of the kind")
    assert [text for text in site.texts("//main//p") if text == "0 results"] == ["0 results"] * 4


def test_two_attempts_share_nothing() -> None:
    first, second = Site(), Site()
    before = second.dump()
    first.go("/-/profile").press("Update profile", status="Busy")
    assert second.dump() == before
    assert Site().dump() == before


@pytest.mark.parametrize("path", ["/", "/explore", "/search?search=a", "{own}", "{own}/-/issues", "{own}/-/issues/1"])
def test_looking_changes_nothing(path: str) -> None:
    site = Site()
    before = site.dump()
    site.go(path.format(own=site.project()))
    assert site.status == 200
    assert site.dump() == before
