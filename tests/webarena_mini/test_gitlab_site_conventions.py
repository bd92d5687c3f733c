"""What the code host does without saying so, through its pages: conventions, and look-alikes that do the opposite."""

from __future__ import annotations

from collections import Counter

import pytest
from gitlab_site import Site

SEEDS = pytest.mark.parametrize("seed", [0, 1, 2])
COUNT = "SELECT count(*) FROM items WHERE project_id = ? AND kind = ?"
LABELLED = """
SELECT number FROM items i WHERE project_id = ? AND kind = ? AND (? = 'all' OR state = ?) AND EXISTS
    (SELECT 1 FROM item_labels x JOIN labels l ON l.id = label_id WHERE item_id = i.id AND l.name = ?)
"""


def two_labels(site: Site, path: str, kind: str, state: str) -> tuple[str, str, set[int], set[int]]:
    """Two labels that share some items but not all, with the numbers of the items that have them."""
    project = site.id_of(path)
    names = [name for (name,) in site.all("SELECT name FROM labels WHERE project_id = ?", project)]
    found = {name: {row[0] for row in site.all(LABELLED, project, kind, state, state, name)} for name in names}
    return next(
        (one, two, found[one], found[two])
        for one in names
        for two in names
        if one < two and found[one] & found[two] and found[one] ^ found[two]
    )


@SEEDS
def test_g1_lists_of_issues_and_the_menu_begin_with_the_open_ones(seed: int) -> None:
    site = Site(seed)
    path = site.project()
    opened = site.value(f"{COUNT} AND state = 'opened'", site.id_of(path), "issue")
    whole = site.value(COUNT, site.id_of(path), "issue")
    assert opened < whole
    site.go(path).follow(f"Issues ({opened})", "//nav")
    assert site.amount == opened
    assert {row["State"] for row in site.all_rows("issues")} == {"Open"}
    # a filter stays within them, and the other ones are found under All
    title = site.value(
        "SELECT title FROM items WHERE kind='issue' AND state='closed' AND project_id=?", site.id_of(path)
    )
    assert site.go(f"{path}/-/issues").press("Filter", search=title).amount == 0
    assert site.follow("All").amount == 1
    assert site.press("Filter", search="").amount == whole
    assert site.follow("Closed").amount == whole - opened


@SEEDS
def test_fg1_lists_of_merge_requests_begin_with_all(seed: int) -> None:
    site = Site(seed)
    path = site.project()
    whole = site.value(COUNT, site.id_of(path), "merge_request")
    site.go(path).follow(f"Merge requests ({whole})", "//nav")
    assert site.amount == whole
    assert {row["State"] for row in site.all_rows("merge_requests")} >= {"Open", "Merged"}
    site.go(f"{path}/-/merge_requests").follow("Open")
    assert site.amount == site.value(f"{COUNT} AND state = 'opened'", site.id_of(path), "merge_request")


@SEEDS
def test_g2_one_of_several_labels_is_enough_for_issues(seed: int) -> None:
    site = Site(seed)
    path = site.project()
    one, two, first, second = two_labels(site, path, "issue", "opened")
    site.go(f"{path}/-/issues").press("Filter", labels=f"{one}, {two}")
    assert site.amount == len(first | second) > len(first & second)
    assert site.press("Filter", labels=one.upper()).amount == len(first)


@SEEDS
def test_fg2_merge_requests_need_all_of_several_labels(seed: int) -> None:
    site = Site(seed)
    path = site.project()
    one, two, first, second = two_labels(site, path, "merge_request", "all")
    site.go(f"{path}/-/merge_requests").press("Filter", labels=f"{one}, {two}")
    assert site.amount == len(first & second) < len(first | second)


@SEEDS
def test_g3_a_contributor_has_a_line_for_each_address(seed: int) -> None:
    site = Site(seed)
    path = site.project()
    rows = site.go(path).follow("Contributors", "//nav").rows("contributors")
    lines = Counter(row["Contributor"] for row in rows)
    assert max(lines.values()) == 2
    assert len({row["Email"] for row in rows}) == len(rows)
    totals: Counter[str] = Counter()
    for row in rows:
        totals[row["Contributor"]] += int(row["Commits"])
    sql = (
        "SELECT u.name, count(*) FROM commits c JOIN users u ON u.id = author_id JOIN branches b ON b.id = branch_id"
        " JOIN projects p ON p.id = b.project_id WHERE p.id = ? AND b.name = p.default_branch GROUP BY u.id"
    )
    assert dict(site.all(sql, site.id_of(path))) == totals


@SEEDS
@pytest.mark.parametrize(
    ("field", "button", "column"),
    [("assignee", "Assign", "assignee_id"), ("milestone", "Set milestone", "milestone_id")],
)
def test_g4_what_is_chosen_in_the_side_panel_waits_for_save_changes(
    seed: int, field: str, button: str, column: str
) -> None:
    site = Site(seed)
    path = site.project()
    project, number = site.id_of(path), site.number(path)
    stored = f"SELECT coalesce({column}, 0) FROM items WHERE project_id = ? AND kind = 'issue' AND number = ?"
    before = site.value(stored, project, number)
    names = {
        "assignee": "SELECT id, name FROM users JOIN members ON user_id = id WHERE project_id = ? AND id <> ?",
        "milestone": "SELECT id, title FROM milestones WHERE project_id = ? AND id <> ?",
    }
    new, name = site.all(names[field], project, before)[0]
    assert "Save changes" not in site.go(f"{path}/-/issues/{number}").texts("//button")
    site.press(button, **{field: name})
    assert site.texts(f"//span[@id='{field}-chosen']") == [name]
    assert site.page.xpath(f"//span[@id='{field}-stored']") == []
    assert site.value(stored, project, number) == before
    site.press("Save changes")
    assert site.value(stored, project, number) == new
    assert site.texts(f"//span[@id='{field}-stored']") == [name]
    assert "Save changes" not in site.texts("//button")


@SEEDS
def test_g4_labels_and_a_reviewer_wait_too(seed: int) -> None:
    site = Site(seed)
    path = site.project()
    project, number = site.id_of(path), site.number(path, "merge_request")
    sql = "SELECT name FROM labels WHERE project_id = ? ORDER BY name"
    labels = [name for (name,) in site.all(sql, project)][:3]
    person = site.value("SELECT name FROM users JOIN members ON user_id = id WHERE project_id = ?", project)
    site.go(f"{path}/-/merge_requests/{number}").press("Set labels", labels=", ".join(labels))
    site.press("Request review", reviewer=person)
    before = site.go(f"{path}/-/merge_requests").rows("merge_requests")
    site.go(f"{path}/-/merge_requests/{number}").press("Save changes")
    assert site.texts("//span[@id='labels-stored']") == [", ".join(labels)]
    assert site.texts("//span[@id='reviewer-stored']") == [person]
    assert site.go(f"{path}/-/merge_requests").rows("merge_requests") != before


@SEEDS
def test_g4_comments_on_merge_requests_wait_for_submit_review_and_those_on_issues_do_not(seed: int) -> None:
    site = Site(seed)
    path = site.project()
    request = f"{path}/-/merge_requests/{site.number(path, 'merge_request')}"
    site.go(request).press("Add comment", comment="First look")
    assert site.url == f"{request}/review"
    assert site.value("SELECT pending FROM comments ORDER BY id DESC") == 1
    assert site.go(request).texts("//li[@class='comment']//p")[-1:] != ["First look"]
    assert site.texts("//li[@class='pending']//p") == ["First look"]
    site.follow("Your review").press("Submit review")
    assert site.texts("//li[@class='comment']//p")[-1] == "First look"
    issue = f"{path}/-/issues/{site.number(path)}"
    site.go(issue).press("Add comment", comment="Second look")
    assert site.url == issue
    assert site.texts("//li[@class='comment']//p")[-1] == "Second look"


@SEEDS
def test_g5_a_filter_drops_the_sort_order_and_a_sort_keeps_the_filter(seed: int) -> None:
    site = Site(seed)
    path = site.project()
    label, _, _, _ = two_labels(site, path, "issue", "opened")

    def numbers() -> list[int]:
        return [int(row["Number"].lstrip("#")) for row in site.all_rows("issues")]

    site.go(f"{path}/-/issues").press("Sort", sort="created_asc")
    assert numbers() == sorted(numbers())
    site.go(f"{path}/-/issues").press("Sort", sort="created_asc").press("Filter", labels=label)
    assert site.page.get_element_by_id("sort").value == "created_desc"
    newest = numbers()
    assert newest == sorted(newest, reverse=True)
    site.go(f"{path}/-/issues").press("Filter", labels=label).press("Sort", sort="created_asc")
    assert numbers() == newest[::-1]
