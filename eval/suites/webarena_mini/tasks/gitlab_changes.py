"""Tasks that change issues, merge requests and milestones."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import date

from eval.suites.webarena_mini.tasks.base import Draft, Template
from eval.suites.webarena_mini.tasks.gitlab_lists import told_apart
from eval.suites.webarena_mini.tasks.gitlab_view import Host, Item, Project, opened
from eval.suites.webarena_mini.tasks.gold import at_page, page, pages
from eval.suites.webarena_mini.tasks.shopping_view import long_date

REMARKS = (
    "Nice work, ship it after lunch",
    "The second half needs another test",
    "I will have a closer look on Friday",
    "Please rename that variable",
    "Works for me on the old laptop",
    "Can we do this without the extra loop?",
)
TITLES = (
    "Printer dialog opens twice",
    "Broken link in the welcome mail",
    "Totals are cut off in the sidebar",
    "Ask before deleting a draft",
    "Icons overlap in the toolbar",
    "Remember the last used folder",
)


def open_items(
    host: Host, rng: random.Random, *, requests: bool = False, role: str = "Maintainer"
) -> Iterator[tuple[Project, Item, str]]:
    """Open issues or merge requests in projects that one looks after, with their address."""
    folder, found = ("merge_requests", host.requests) if requests else ("issues", host.issues)
    for project in host.rounds(rng, role=role):
        item = rng.choice(opened(found[project.id]))
        if told_apart(host, project, item):
            yield project, item, f"{project.url}/-/{folder}/{item.number}"


def another_member(host: Host, rng: random.Random, project: Project, *but: int | None) -> str:
    """Name of a member other than these and oneself."""
    others = [user for user in sorted(host.roles[project.id]) if user not in (*but, host.me.id)]
    return host.people[rng.choice(others)].name


def assign_issue(host: Host, rng: random.Random) -> Iterator[Draft]:
    """To a member who does not have it."""
    for project, item, url in open_items(host, rng):
        person = another_member(host, rng, project, item.assignee)
        values = {"title": item.title, "project": project.name, "person": person}
        yield Draft(values, pages([page(url, "#assignee-stored", person)]))


def issue_milestone(host: Host, rng: random.Random) -> Iterator[Draft]:
    """A milestone that the issue is not in."""
    for project, item, url in open_items(host, rng):
        others = [title for title in host.milestones[project.id] if title != item.milestone]
        milestone = rng.choice(others)
        values = {"title": item.title, "project": project.name, "milestone": milestone}
        yield Draft(values, pages([page(url, "#milestone-stored", milestone)]))


def issue_label(host: Host, rng: random.Random) -> Iterator[Draft]:
    """One more label than there is."""
    for project, item, url in open_items(host, rng):
        others = [label for label in host.labels[project.id] if label not in item.labels]
        if item.labels and others:
            label = rng.choice(others)
            values = {"title": item.title, "project": project.name, "label": label}
            yield Draft(values, pages([page(url, "#labels-stored", label, *sorted(item.labels))]))


def request_reviewer(host: Host, rng: random.Random) -> Iterator[Draft]:
    """A member who neither wrote it nor reviews it."""
    for project, item, url in open_items(host, rng, requests=True):
        person = another_member(host, rng, project, item.reviewer, item.author)
        values = {"title": item.title, "project": project.name, "person": person}
        yield Draft(values, pages([page(url, "#reviewer-stored", person)]))


def review_comment(host: Host, rng: random.Random) -> Iterator[Draft]:
    """A remark that nobody made."""
    for (project, item, url), text in zip(
        open_items(host, rng, requests=True), rng.sample(REMARKS, len(REMARKS)), strict=False
    ):
        values = {"text": text, "title": item.title, "project": project.name}
        yield Draft(values, pages([page(url, "#talk li.comment", text)]))


def close_issue(host: Host, rng: random.Random) -> Iterator[Draft]:
    """An open issue."""
    for project, item, url in open_items(host, rng):
        yield Draft({"title": item.title, "project": project.name}, pages([page(url, "#state", "Closed")]))


def reopen_issue(host: Host, rng: random.Random) -> Iterator[Draft]:
    """A closed issue."""
    for project in host.rounds(rng, role="Maintainer"):
        item = rng.choice(host.issues[project.id])
        if item.state == "closed" and told_apart(host, project, item):
            gold = at_page(f"{project.url}/-/issues/{item.number}", [page("last", "#state", "Open")])
            yield Draft({"title": item.title, "project": project.name}, gold)


def approve_request(host: Host, rng: random.Random) -> Iterator[Draft]:
    """A merge request by somebody else."""
    for project, item, url in open_items(host, rng, requests=True):
        if item.author != host.me.id:
            check = page(url, "#approvals", host.me.name)
            yield Draft({"title": item.title, "project": project.name}, pages([check]))


def new_issue(host: Host, rng: random.Random) -> Iterator[Draft]:
    """The next number of the project."""
    for project, title in zip(host.rounds(rng, role="Maintainer"), rng.sample(TITLES, len(TITLES)), strict=False):
        person, label = another_member(host, rng, project), rng.choice(host.labels[project.id])
        number = 1 + max(item.number for item in host.issues[project.id])
        checks = [
            page("last", "h1", title),
            page("last", "#assignee-stored", person),
            page("last", "#labels-stored", label),
        ]
        values = {"title": title, "project": project.name, "person": person, "label": label}
        yield Draft(values, at_page(f"{project.url}/-/issues/{number}", checks))


def new_milestone(host: Host, rng: random.Random) -> Iterator[Draft]:
    """A title that the project does not have."""
    for project in host.shuffled(rng, role="Maintainer"):
        year = host.today.year + 1
        first, last = date(year, rng.randint(1, 6), rng.randint(1, 28)), date(year, rng.randint(7, 12), 15)
        title = f"v{rng.randint(10, 19)}.{rng.randint(0, 9)}"
        days = [f"{day:%b} {day.day}, {day.year}" for day in (first, last)]
        values = {"milestone": title, "project": project.name, "first": long_date(first), "last": long_date(last)}
        yield Draft(values, pages([page(f"{project.url}/-/milestones", "#milestones", title, *days)]))


TEMPLATES = (
    Template(
        id=841,
        name="assign_issue",
        make=assign_issue,
        count=3,
        kind="change",
        needs=("G4",),
        wording="Assign the issue {{title}} in {{project}} to {{person}}.",
    ),
    Template(
        id=842,
        name="issue_milestone",
        make=issue_milestone,
        count=2,
        kind="change",
        needs=("G4",),
        wording="Put the issue {{title}} in {{project}} into the milestone {{milestone}}.",
    ),
    Template(
        id=843,
        name="issue_label",
        make=issue_label,
        count=2,
        kind="change",
        needs=("G4",),
        wording="Add the label {{label}} to the issue {{title}} in {{project}} and keep the labels that it has.",
    ),
    Template(
        id=844,
        name="request_reviewer",
        make=request_reviewer,
        count=2,
        kind="change",
        needs=("G4",),
        wording="Ask {{person}} to review the merge request {{title}} in {{project}}.",
    ),
    Template(
        id=845,
        name="review_comment",
        make=review_comment,
        count=3,
        kind="change",
        needs=("G4",),
        wording='Write a review of the merge request {{title}} in {{project}} that says "{{text}}".',
    ),
    Template(
        id=846,
        name="close_issue",
        make=close_issue,
        count=2,
        kind="change",
        difficulty="easy",
        wording="Close the issue {{title}} in {{project}}.",
    ),
    Template(
        id=847,
        name="reopen_issue",
        make=reopen_issue,
        count=2,
        kind="change",
        needs=("G1",),
        wording="Reopen the issue {{title}} in {{project}} and leave its page open.",
    ),
    Template(
        id=848,
        name="approve_request",
        make=approve_request,
        count=2,
        kind="change",
        difficulty="easy",
        wording="Approve the merge request {{title}} in {{project}}.",
    ),
    Template(
        id=849,
        name="new_issue",
        make=new_issue,
        count=3,
        kind="change",
        wording=(
            'Create an issue in {{project}} with the title "{{title}}" and the label {{label}}, and assign it to '
            "{{person}}."
        ),
    ),
    Template(
        id=850,
        name="new_milestone",
        make=new_milestone,
        count=2,
        kind="change",
        wording=('Create a milestone "{{milestone}}" in {{project}} that starts on {{first}} and ends on {{last}}.'),
    ),
)
