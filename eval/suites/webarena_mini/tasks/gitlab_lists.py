"""Tasks about what lists of issues and merge requests show."""

from __future__ import annotations

import random
from collections.abc import Iterator

from eval.suites.webarena_mini.tasks.base import Draft, Template
from eval.suites.webarena_mini.tasks.gitlab_view import Host, Item, Project, either, labelled, opened
from eval.suites.webarena_mini.tasks.gold import at_page, at_url, exact, includes, page


def author_issues(host: Host, rng: random.Random) -> Iterator[Draft]:
    """Two people of whose issues some are closed, and some are open."""
    for project in host.rounds(rng):
        authors = sorted({item.author for item in host.issues[project.id]})
        one, two = rng.sample(authors, 2)
        own = [item for item in host.issues[project.id] if item.author in (one, two)]
        if 1 < len(opened(own)) < len(own):
            values = {"one": host.people[one].name, "two": host.people[two].name, "project": project.name}
            yield Draft(values, exact(str(len(own))))


def issue_assignee(host: Host, rng: random.Random) -> Iterator[Draft]:
    """A closed issue that is assigned."""
    for project in host.rounds(rng):
        item = rng.choice(host.issues[project.id])
        if item.state == "closed" and item.assignee is not None and told_apart(host, project, item):
            values = {"title": item.title, "project": project.name}
            yield Draft(values, includes(host.people[item.assignee].name))


def told_apart(host: Host, project: Project, item: Item) -> bool:
    """No other title of the project's issues and merge requests holds this one."""
    others = [other.title for other in host.issues[project.id] + host.requests[project.id]]
    return sum(item.title in other for other in others) == 1


def label_apart(host: Host, rng: random.Random) -> Iterator[Draft]:
    """Two labels whose numbers differ otherwise among open issues."""
    for project in host.rounds(rng):
        issues = host.issues[project.id]
        for more, less in host.pairs(project, rng)[:3]:
            apart = len(labelled(issues, more)) - len(labelled(issues, less))
            of_open = len(labelled(opened(issues), more)) - len(labelled(opened(issues), less))
            if apart > 1 and apart != of_open:
                values = {"more": more, "less": less, "project": project.name}
                yield Draft(values, exact(str(apart)))
                break


def open_requests(host: Host, rng: random.Random) -> Iterator[Draft]:
    """The numbers of open ones of two projects."""
    found = host.shuffled(rng)
    for one, two in zip(found[::2], found[1::2]):
        number = len(opened(host.requests[one.id])) + len(opened(host.requests[two.id]))
        yield Draft({"one": one.name, "two": two.name}, exact(str(number)))


def open_request_list(host: Host, rng: random.Random) -> Iterator[Draft]:
    """The list with a state in its address."""
    for project in host.shuffled(rng):
        yield Draft({"project": project.name}, at_url(f"{project.url}/-/merge_requests?state=opened"))


def both(host: Host, rng: random.Random) -> Iterator[tuple[Project, str, str, list[Item], list[Item]]]:
    """Two labels that some open issues share, and other issues with one of them."""
    for project in host.rounds(rng):
        issues = opened(host.issues[project.id])
        for one, two in host.pairs(project, rng):
            shared, any_of = labelled(issues, one, two), either(issues, one, two)
            if 1 <= len(shared) < len(any_of):
                yield project, one, two, shared, any_of
                break


def both_labels(host: Host, rng: random.Random) -> Iterator[Draft]:
    """Two labels that two or more open issues share."""
    for project, one, two, shared, _ in both(host, rng):
        if len(shared) > 1:
            yield Draft({"project": project.name, "one": one, "two": two}, exact(str(len(shared))))


def newest_both(host: Host, rng: random.Random) -> Iterator[Draft]:
    """A newer open issue has one of the labels alone."""
    for project, one, two, shared, any_of in both(host, rng):
        if shared[0] != any_of[0]:
            yield Draft({"project": project.name, "one": one, "two": two}, includes(shared[0].title))


def open_both(host: Host, rng: random.Random) -> Iterator[Draft]:
    """One open issue of an author has both labels, and a newer one has one of them."""
    for project, one, two, shared, any_of in both(host, rng):
        author = rng.choice(shared).author
        own = [item for item in shared if item.author == author]
        first = next(item for item in any_of if item.author == author)
        if len(own) == 1 and first != own[0]:
            values = {"author": host.people[author].name, "project": project.name, "one": one, "two": two}
            check = page("last", "h1", own[0].title)
            yield Draft(values, at_page(f"{project.url}/-/issues/{own[0].number}", [check]))


def requests_either(host: Host, rng: random.Random) -> Iterator[Draft]:
    """Two labels that occur in different numbers of merge requests, together and apart."""
    for project in host.rounds(rng):
        requests = host.requests[project.id]
        one, two = host.pairs(project, rng)[0]
        number, shared = len(either(requests, one, two)), len(labelled(requests, one, two))
        if number > 3 and shared < number and labelled(requests, one) and labelled(requests, two):
            yield Draft({"project": project.name, "one": one, "two": two}, exact(str(number)))


def oldest_labelled(host: Host, rng: random.Random) -> Iterator[Draft]:
    """A label of several open issues; somebody else wrote the first comment on the newest one."""
    for project in host.rounds(rng):
        label = rng.choice(host.labels[project.id])
        found = labelled(opened(host.issues[project.id]), label)
        if len(found) > 3 and found[-1].first_voice and found[-1].first_voice != found[0].first_voice:
            values = {"project": project.name, "label": label}
            yield Draft(values, includes(host.people[found[-1].first_voice].name))


def first_of_all(host: Host, rng: random.Random) -> Iterator[Draft]:
    """Somebody's issues, of which the first one is closed; others commented first on the first open and newest one."""
    for project in host.rounds(rng):
        author = rng.choice(host.issues[project.id]).author
        found = [item for item in host.issues[project.id] if item.author == author]
        others = [item.first_voice for item in (found[0], *opened(found)[:1], *opened(found)[-1:])]
        if opened(found) and found[-1].state == "closed" and found[-1].first_voice not in (0, author, *others):
            values = {"author": host.people[author].name, "project": project.name}
            yield Draft(values, includes(host.people[found[-1].first_voice].name))


def most_discussed(host: Host, rng: random.Random) -> Iterator[Draft]:
    """Somebody's open issue that has more comments than the newest one and all others."""
    for project in host.rounds(rng):
        author = rng.choice(host.issues[project.id]).author
        found = [item for item in opened(host.issues[project.id]) if item.author == author]
        ranked = sorted(found, key=lambda item: -item.comments)
        if len(ranked) > 2 and ranked[0].comments > ranked[1].comments and ranked[0] != found[0]:
            values = {"author": host.people[author].name, "project": project.name}
            yield Draft(values, includes(ranked[0].title))


def list_sorted(host: Host, rng: random.Random) -> Iterator[Draft]:
    """A label of several open issues."""
    for project in host.rounds(rng):
        label = rng.choice(host.labels[project.id])
        if len(labelled(opened(host.issues[project.id]), label)) > 3:
            url = f"{project.url}/-/issues?labels={label}&sort=comments_desc"
            yield Draft({"project": project.name, "label": label}, at_url(url))


def open_request(host: Host, rng: random.Random) -> Iterator[Draft]:
    """A merge request, done or not."""
    for project in host.rounds(rng):
        item = rng.choice(host.requests[project.id])
        if told_apart(host, project, item):
            url = f"{project.url}/-/merge_requests/{item.number}"
            gold = at_page(url, [page("last", "h1", item.title)])
            yield Draft({"title": item.title, "project": project.name}, gold)


def vague_assignee(host: Host, rng: random.Random) -> Iterator[Draft]:
    """An open issue that is assigned."""
    for project in host.rounds(rng):
        item = rng.choice(host.issues[project.id])
        if item.state == "opened" and item.assignee is not None and told_apart(host, project, item):
            values = {"title": item.title, "project": project.name}
            yield Draft(values, includes(host.people[item.assignee].name))


TEMPLATES = (
    Template(
        id=801,
        name="author_issues",
        make=author_issues,
        count=2,
        kind="information",
        needs=("G1",),
        wording=(
            "How many issues have {{one}} and {{two}} opened in {{project}} up to now, taken together? Reply with the "
            "number only."
        ),
    ),
    Template(
        id=802,
        name="issue_assignee",
        make=issue_assignee,
        count=2,
        kind="information",
        needs=("G1",),
        wording="Who is the assignee of the issue {{title}} in {{project}}?",
    ),
    Template(
        id=803,
        name="label_apart",
        make=label_apart,
        count=2,
        kind="information",
        needs=("G1",),
        difficulty="hard",
        wording=(
            "By how many does the number of all issues of {{project}} with the label {{more}} exceed that of those "
            "with the label {{less}}? Reply with the number only."
        ),
    ),
    Template(
        id=804,
        name="open_requests",
        make=open_requests,
        count=2,
        kind="information",
        needs=("FG1",),
        wording="How many merge requests are open in {{one}} and {{two}} together? Reply with the number only.",
    ),
    Template(
        id=805,
        name="open_request_list",
        make=open_request_list,
        count=2,
        kind="navigation",
        needs=("FG1",),
        difficulty="easy",
        wording="Show the list of the merge requests of {{project}} that are open, and no others.",
    ),
    Template(
        id=806,
        name="both_labels",
        make=both_labels,
        count=2,
        kind="information",
        needs=("G2",),
        wording=(
            "How many open issues of {{project}} carry both the label {{one}} and the label {{two}}? Reply with the "
            "number only."
        ),
    ),
    Template(
        id=807,
        name="newest_both",
        make=newest_both,
        count=2,
        kind="information",
        needs=("G2",),
        wording=(
            "What is the title of the newest open issue of {{project}} that carries the label {{one}} as well as the "
            "label {{two}}?"
        ),
    ),
    Template(
        id=808,
        name="open_both",
        make=open_both,
        count=2,
        kind="navigation",
        needs=("G2",),
        wording=(
            "Open the page of the open issue of {{project}} that {{author}} reported and that carries both the label "
            "{{one}} and the label {{two}}."
        ),
    ),
    Template(
        id=809,
        name="requests_either",
        make=requests_either,
        count=2,
        kind="information",
        needs=("FG2",),
        difficulty="hard",
        wording=(
            "How many merge requests of {{project}}, whatever their state, carry the label {{one}} or the label "
            "{{two}} or both? Reply with the number only."
        ),
    ),
    Template(
        id=810,
        name="oldest_labelled",
        make=oldest_labelled,
        count=2,
        kind="information",
        needs=("G5",),
        wording="Who was the first to comment on the oldest open issue of {{project}} with the label {{label}}?",
    ),
    Template(
        id=811,
        name="most_discussed",
        make=most_discussed,
        count=2,
        kind="information",
        needs=("G5",),
        wording=(
            "Of the open issues that {{author}} reported in {{project}}, which one has the most comments? Reply with "
            "its title."
        ),
    ),
    Template(
        id=812,
        name="list_sorted",
        make=list_sorted,
        count=2,
        kind="navigation",
        needs=("G5",),
        wording=(
            "Show the open issues of {{project}} with the label {{label}}, sorted so that those with the most comments "
            "come first."
        ),
    ),
    Template(
        id=814,
        name="open_request",
        make=open_request,
        count=2,
        kind="navigation",
        difficulty="easy",
        wording="Open the page of the merge request {{title}} in {{project}}.",
    ),
    Template(
        id=813,
        name="vague_assignee",
        make=vague_assignee,
        count=2,
        kind="information",
        difficulty="easy",
        vague=True,
        wording="that thing with {{title}} in {{project}}, who is the assignee? i just need the name",
    ),
)


LATER = (
    Template(
        id=815,
        name="first_of_all",
        make=first_of_all,
        count=2,
        kind="information",
        needs=("G1", "G5"),
        difficulty="hard",
        wording="Who was the first to comment on the very first issue that {{author}} opened in {{project}}?",
    ),
)
