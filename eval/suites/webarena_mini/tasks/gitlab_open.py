"""Tasks that end on a list of a project, which must show the right entries and no others."""

from __future__ import annotations

import random
from collections.abc import Iterator

from eval.suites.webarena_mini.tasks.base import Draft, Template
from eval.suites.webarena_mini.tasks.gitlab_view import Host, either, labelled, opened
from eval.suites.webarena_mini.tasks.gold import at_page, page


def show_by_author(host: Host, rng: random.Random) -> Iterator[Draft]:
    """Somebody's issues, some of which are closed and some open."""
    for project in host.rounds(rng):
        author = rng.choice(host.issues[project.id]).author
        found = [item for item in host.issues[project.id] if item.author == author]
        if 0 < len(opened(found)) < len(found) < len(host.issues[project.id]):
            checks = [page("last", "#amount", f"{len(found)} issues"), page("last", "tbody", found[0].title)]
            values = {"author": host.people[author].name, "project": project.name}
            yield Draft(values, at_page(f"{project.url}/-/issues", checks))


def show_both(host: Host, rng: random.Random) -> Iterator[Draft]:
    """Some merge requests carry both labels, and others the first one alone."""
    for project in host.rounds(rng):
        requests = host.requests[project.id]
        for one, two in host.pairs(project, rng)[:5]:
            shared = labelled(requests, one, two)
            if 1 < len(shared) < len(labelled(requests, one)) and len(shared) < len(either(requests, one, two)):
                checks = [page("last", "#amount", f"{len(shared)} merge requests")]
                checks += [page("last", "tbody", item.title) for item in shared[:2]]
                values = {"project": project.name, "one": one, "two": two}
                yield Draft(values, at_page(f"{project.url}/-/merge_requests", checks))
                break


TEMPLATES = (
    Template(
        id=861,
        name="show_by_author",
        make=show_by_author,
        count=2,
        kind="navigation",
        needs=("G1",),
        wording="Show all issues of {{project}} that {{author}} reported, whether open or closed, and no others.",
    ),
    Template(
        id=862,
        name="show_both",
        make=show_both,
        count=2,
        kind="navigation",
        needs=("FG2",),
        wording=(
            "Show the merge requests of {{project}}, whatever their state, that carry both the label {{one}} and the "
            "label {{two}}, and no others."
        ),
    ),
)
