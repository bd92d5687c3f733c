"""Tasks about commits, files, projects, and what the site does not have."""

from __future__ import annotations

import random
from collections.abc import Iterator

from eval.suites.webarena_mini.tasks.base import Draft, Template
from eval.suites.webarena_mini.tasks.gitlab_view import Host, Project
from eval.suites.webarena_mini.tasks.gold import at_page, exact, includes, not_possible, page
from eval.suites.webarena_mini.tasks.shopping_view import MONTHS

KEYS = ("port", "workers", "timeout_seconds", "cache_megabytes", "keep_backups")


def commits_by(host: Host, rng: random.Random) -> Iterator[Draft]:
    """Somebody who commits under two addresses to one of two projects."""
    for one, two in zip(host.rounds(rng), host.rounds(rng)):
        if one == two:
            continue
        others = host.committers(two)
        users = [user for user, found in sorted(host.addresses(one).items()) if len(found) > 1 and others[user]]
        if users:
            user = rng.choice(users)
            values = {"person": host.people[user].name, "one": one.name, "two": two.name}
            yield Draft(values, exact(str(host.committers(one)[user] + others[user])))


def top_committer(host: Host, rng: random.Random) -> Iterator[Draft]:
    """Who commits most is not who has the most under one address, and lives elsewhere."""
    for project in host.shuffled(rng):
        (first, most), (_, second) = host.committers(project).most_common(2)
        lines = [(count, user) for user, found in host.addresses(project).items() for count in found.values()]
        leading = {host.people[user].place for count, user in lines if count == max(lines)[0]}
        if most > second and host.people[first].place not in leading:
            yield Draft({"project": project.name, "branch": project.branch}, includes(host.people[first].place))


def vague_apart(host: Host, rng: random.Random) -> Iterator[Draft]:
    """One of the two commits under two addresses."""
    for project in host.rounds(rng):
        found = host.addresses(project)
        more, less = rng.sample(sorted(found), 2)
        apart = host.committers(project)[more] - host.committers(project)[less]
        if apart > 1 and len(found[more]) + len(found[less]) == 3:
            values = {"more": host.people[more].name, "less": host.people[less].name, "project": project.name}
            yield Draft(values, exact(str(apart)))


def commits_in_month(host: Host, rng: random.Random) -> Iterator[Draft]:
    """A month in which the person made more than one commit."""
    for project in host.rounds(rng):
        commit = rng.choice(host.on_branch(project, project.branch))
        month = (commit.day.year, commit.day.month)
        number = sum(
            (other.day.year, other.day.month) == month and other.author == commit.author
            for other in host.on_branch(project, project.branch)
        )
        if number > 1:
            values = {
                "person": host.people[commit.author].name,
                "project": project.name,
                "branch": project.branch,
                "month": f"{MONTHS[month[1] - 1]} {month[0]}",
            }
            yield Draft(values, exact(str(number)))


def other_setting(host: Host, rng: random.Random) -> Iterator[tuple[Project, str, str, str]]:
    """Project, branch, key and value that the default branch does not have."""
    for project in host.rounds(rng):
        branch = rng.choice([name for name in host.branches[project.id] if name != project.branch])
        key = rng.choice(KEYS)
        value = host.settings(project, branch)[key]
        if value != host.settings(project, project.branch)[key]:
            yield project, branch, key, value


def settings_apart(host: Host, rng: random.Random) -> Iterator[Draft]:
    """A key of the configuration file, whose value differs between two branches."""
    for project, branch, key, value in other_setting(host, rng):
        apart = int(value) - int(host.settings(project, project.branch)[key])
        more, less = (branch, project.branch) if apart > 0 else (project.branch, branch)
        values = {"key": key, "more": more, "less": less, "project": project.name}
        yield Draft(values, exact(str(abs(apart))))


def open_file(host: Host, rng: random.Random) -> Iterator[Draft]:
    """The configuration file of a branch."""
    for project, branch, key, value in other_setting(host, rng):
        url = f"{project.url}/-/blob/{branch}/config/settings.toml"
        gold = at_page(url, [page("last", "#lines", f"{key} = {value}")])
        yield Draft({"branch": branch, "project": project.name, "file": "config/settings.toml"}, gold)


def stars_apart(host: Host, rng: random.Random) -> Iterator[Draft]:
    """Two projects."""
    found = rng.sample(host.projects, len(host.projects))
    for more, less in zip(found[::2], found[1::2]):
        if more.stars > less.stars + 1:
            yield Draft({"more": more.name, "less": less.name}, exact(str(more.stars - less.stars)))


def forks_of(host: Host, rng: random.Random) -> Iterator[Draft]:
    """Any project."""
    for project in rng.sample(host.projects, len(host.projects)):
        yield Draft({"project": project.name}, exact(str(project.forks)))


def created_on(host: Host, rng: random.Random) -> Iterator[Draft]:
    """Any project."""
    for project in rng.sample(host.projects, len(host.projects)):
        yield Draft({"project": project.name}, exact(project.created.isoformat()))


def restart_pipeline(host: Host, rng: random.Random) -> Iterator[Draft]:
    """The site runs nothing."""
    for project in host.shuffled(rng, role="Maintainer"):
        values = {"branch": project.branch, "project": project.name}
        yield Draft(values, not_possible("the site has no pipelines, so none can be started again"))


def milestone_end(host: Host, rng: random.Random) -> Iterator[Draft]:
    """A milestone that the project does not have."""
    for project in host.shuffled(rng):
        title = f"v{rng.randint(6, 9)}.{rng.randint(0, 9)}"
        values = {"milestone": title, "project": project.name}
        yield Draft(values, not_possible(f"{project.name} has no milestone {title}"))


TEMPLATES = (
    Template(
        id=821,
        name="commits_by",
        make=commits_by,
        count=2,
        kind="information",
        needs=("G3",),
        wording=(
            "How many commits has {{person}} made on the default branches of {{one}} and {{two}}, taken together? "
            "Reply with the number only."
        ),
    ),
    Template(
        id=822,
        name="top_committer",
        make=top_committer,
        count=2,
        kind="information",
        needs=("G3",),
        wording=(
            "In which city does the person live who has made the most commits on the {{branch}} branch of {{project}}?"
        ),
    ),
    Template(
        id=823,
        name="vague_apart",
        make=vague_apart,
        count=2,
        kind="information",
        needs=("G3",),
        difficulty="hard",
        vague=True,
        wording="in {{project}}, how many commits is {{more}} ahead of {{less}}? only the difference",
    ),
    Template(
        id=824,
        name="commits_in_month",
        make=commits_in_month,
        count=2,
        kind="information",
        difficulty="hard",
        wording=(
            "How many commits did {{person}} make on the {{branch}} branch of {{project}} in {{month}}? Reply with the "
            "number only."
        ),
    ),
    Template(
        id=825,
        name="settings_apart",
        make=settings_apart,
        count=2,
        kind="information",
        wording=(
            "By how much is {{key}} in config/settings.toml of {{project}} greater on the {{more}} branch than on the "
            "{{less}} branch? Reply with the number only."
        ),
    ),
    Template(
        id=826,
        name="open_file",
        make=open_file,
        count=2,
        kind="navigation",
        wording="Open the file {{file}} of {{project}} as it is on the {{branch}} branch.",
    ),
    Template(
        id=827,
        name="stars_apart",
        make=stars_apart,
        count=2,
        kind="information",
        wording="How many more stars does {{more}} have than {{less}}? Reply with the number only.",
    ),
    Template(
        id=830,
        name="forks_of",
        make=forks_of,
        count=2,
        kind="information",
        difficulty="easy",
        wording="What is the number of forks of {{project}}? Reply with the number only.",
    ),
    Template(
        id=831,
        name="created_on",
        make=created_on,
        count=2,
        kind="information",
        difficulty="easy",
        wording="What is the date of creation of {{project}}? Reply with the date as YYYY-MM-DD.",
    ),
    Template(
        id=828,
        name="restart_pipeline",
        make=restart_pipeline,
        count=2,
        kind="change",
        impossible=True,
        wording="Restart the failed pipeline of the {{branch}} branch in {{project}}.",
    ),
    Template(
        id=829,
        name="milestone_end",
        make=milestone_end,
        count=2,
        kind="information",
        impossible=True,
        wording="On which day does the milestone {{milestone}} of {{project}} end? Reply with the date as YYYY-MM-DD.",
    ),
)
