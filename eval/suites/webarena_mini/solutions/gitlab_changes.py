"""Known solutions of tasks that change issues, merge requests, projects, or who is in them."""

from __future__ import annotations

from collections.abc import Mapping

from eval.suites.webarena_mini.solutions.driver import Driver, LostError, Solution
from eval.suites.webarena_mini.solutions.gitlab_steps import (
    menu,
    open_issues,
    open_project,
    open_requests,
    open_title,
    save,
    shown,
)
from eval.suites.webarena_mini.solutions.shopping_admin_steps import rows
from eval.suites.webarena_mini.solutions.shopping_steps import spoken_date
from eval.suites.webarena_mini.solutions.tree import Node


def assign_issue(d: Driver, values: Mapping[str, str]) -> None:
    open_issues(d, values["project"])
    open_title(d, values["title"])
    d.fill("Assignee", values["person"])
    d.click("button", "Assign")
    save(d)


def issue_milestone(d: Driver, values: Mapping[str, str]) -> None:
    open_issues(d, values["project"])
    open_title(d, values["title"])
    d.select("Milestone", values["milestone"])
    d.click("button", "Set milestone")
    save(d)


def issue_label(d: Driver, values: Mapping[str, str]) -> None:
    open_issues(d, values["project"])
    open_title(d, values["title"])
    d.fill("Labels", f"{shown(d, 'Labels')}, {values['label']}")
    d.click("button", "Set labels")
    save(d)


def request_reviewer(d: Driver, values: Mapping[str, str]) -> None:
    open_requests(d, values["project"])
    open_title(d, values["title"])
    d.fill("Reviewer", values["person"])
    d.click("button", "Request review")
    save(d)


def review_comment(d: Driver, values: Mapping[str, str]) -> None:
    open_requests(d, values["project"])
    open_title(d, values["title"])
    d.fill("Write a comment", values["text"])
    d.click("button", "Add comment")
    if d.knows("G4"):
        d.click("button", "Submit review")
    d.say("Done.")


def close_issue(d: Driver, values: Mapping[str, str]) -> None:
    open_issues(d, values["project"])
    open_title(d, values["title"])
    d.click("button", "Close issue")
    d.say("Done.")


def reopen_issue(d: Driver, values: Mapping[str, str]) -> None:
    open_issues(d, values["project"], all_states=True)
    open_title(d, values["title"])
    d.click("button", "Reopen issue")
    d.say("Done.")


def approve_request(d: Driver, values: Mapping[str, str]) -> None:
    open_requests(d, values["project"])
    open_title(d, values["title"])
    d.click("button", "Approve")
    d.say("Done.")


def new_issue(d: Driver, values: Mapping[str, str]) -> None:
    open_issues(d, values["project"])
    d.follow("New issue")
    d.fill("Title", values["title"])
    d.fill("Assignee", values["person"])
    d.fill("Labels", values["label"])
    d.click("button", "Create issue")
    d.say("Done.")


def new_milestone(d: Driver, values: Mapping[str, str]) -> None:
    open_project(d, values["project"])
    menu(d, "Milestones")
    d.fill("Milestone title", values["milestone"])
    d.fill("Start date", spoken_date(values["first"]).isoformat())
    d.fill("End date", spoken_date(values["last"]).isoformat())
    d.click("button", "Create milestone")
    d.say("Done.")


def invite_member(d: Driver, values: Mapping[str, str]) -> None:
    open_project(d, values["project"])
    menu(d, "Members")
    d.fill("Name or username", values["person"])
    d.select("Role", values["role"])
    d.click("button", "Invite")
    d.say("Done.")


def row_of(d: Driver, person: str) -> Node:
    """A member's row."""
    for row in d.main.all("row"):
        if row.cells and row.cells[0] == person:
            return row
    raise LostError(f"no {person} on {d.url}")


def member_new_role(d: Driver, values: Mapping[str, str]) -> None:
    open_project(d, values["project"])
    menu(d, "Members")
    d.select(f"Role of {values['person']}", values["role"])
    d.click("button", "Update", inside=row_of(d, values["person"]))
    d.say("Done.")


def vague_leaver(d: Driver, values: Mapping[str, str]) -> None:
    open_project(d, values["project"])
    menu(d, "Members")
    d.click("button", "Remove", inside=row_of(d, values["person"]))
    d.say("Done.")


def vague_status(d: Driver, values: Mapping[str, str]) -> None:
    d.follow("Edit status")
    d.fill("Status", values["text"])
    d.click("button", "Update profile")
    d.say("Done.")


def fork_project(d: Driver, values: Mapping[str, str]) -> None:
    open_project(d, values["project"])
    d.click("button", "Fork")
    d.say("Done.")


def new_project(d: Driver, values: Mapping[str, str]) -> None:
    d.follow("New project")
    d.fill("Project name", values["name"])
    d.select("Visibility", values["visibility"].title())
    d.click("button", "Create project")
    d.say("Done.")


def star_top(d: Driver, values: Mapping[str, str]) -> None:
    for at in range(int(values["number"])):
        d.follow("Explore")
        d.select("Sort by", "Most stars")
        d.click("button", "Show")
        d.act("click", rows(d)[at].link)
        if d.has("button", "Star"):
            d.click("button", "Star")
    d.say("Done.")


SOLUTIONS: dict[str, Solution] = {
    solution.__name__: solution
    for solution in (
        assign_issue,
        issue_milestone,
        issue_label,
        request_reviewer,
        review_comment,
        close_issue,
        reopen_issue,
        approve_request,
        new_issue,
        new_milestone,
        invite_member,
        member_new_role,
        vague_leaver,
        vague_status,
        fork_project,
        new_project,
        star_top,
    )
}
