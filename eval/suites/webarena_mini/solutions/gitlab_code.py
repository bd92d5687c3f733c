"""Known solutions of tasks about commits, files, projects, and what the site does not have."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from datetime import datetime

from eval.suites.webarena_mini.solutions.driver import Driver, LostError, Solution
from eval.suites.webarena_mini.solutions.gitlab_steps import all_rows, menu, open_project
from eval.suites.webarena_mini.solutions.shopping_admin_steps import rows, shown_date


def counted(d: Driver, project: str) -> Counter[str]:
    """Commits by person; one who does not know better takes the first line of each for the whole."""
    open_project(d, project)
    menu(d, "Contributors")
    found: Counter[str] = Counter()
    for row in rows(d):
        if d.knows("G3") or row.cells["Contributor"] not in found:
            found[row.cells["Contributor"]] += int(row.cells["Commits"])
    return found


def commits_by(d: Driver, values: Mapping[str, str]) -> None:
    total = 0
    for slot in ("one", "two"):
        total += counted(d, values[slot])[values["person"]]
        d.follow("Projects")
    d.say(str(total))


def top_committer(d: Driver, values: Mapping[str, str]) -> None:
    d.follow(counted(d, values["project"]).most_common(1)[0][0])
    d.say(fact(d, "Location"))


def vague_apart(d: Driver, values: Mapping[str, str]) -> None:
    found = counted(d, values["project"])
    d.say(str(found[values["more"]] - found[values["less"]]))


def commits_in_month(d: Driver, values: Mapping[str, str]) -> None:
    open_project(d, values["project"])
    menu(d, "Commits")
    month = datetime.strptime(values["month"], "%B %Y").date()
    days = [shown_date(row.cells["Date"]) for row in all_rows(d) if row.cells["Author"] == values["person"]]
    d.say(str(sum(day.replace(day=1) == month for day in days)))


def open_settings(d: Driver, branch: str) -> None:
    """The configuration file on a branch of the project."""
    menu(d, "Branches")
    d.follow(f"Files of {branch}")
    d.follow("config")
    d.follow("settings.toml")


def settings_apart(d: Driver, values: Mapping[str, str]) -> None:
    open_project(d, values["project"])
    found = []
    for slot in ("more", "less"):
        open_settings(d, values[slot])
        found.append(setting(d, values["key"]))
    d.say(str(found[0] - found[1]))


def setting(d: Driver, wanted: str) -> int:
    """The value of a key in the file on the page."""
    for text in d.read().texts:
        key, _, value = text.partition(" = ")
        if key == wanted:
            return int(value)
    raise LostError(f"no {wanted} on {d.url}")


def open_file(d: Driver, values: Mapping[str, str]) -> None:
    open_project(d, values["project"])
    open_settings(d, values["branch"])
    d.say("Here it is.")


def stars_apart(d: Driver, values: Mapping[str, str]) -> None:
    d.follow("Explore")
    found = []
    for slot in ("more", "less"):
        d.fill("Filter projects", values[slot])
        d.click("button", "Show")
        found.append(int(rows(d)[0].cells["Stars"]))
    d.say(str(found[0] - found[1]))


def forks_of(d: Driver, values: Mapping[str, str]) -> None:
    open_project(d, values["project"])
    d.say(fact(d, "Forks"))


def created_on(d: Driver, values: Mapping[str, str]) -> None:
    open_project(d, values["project"])
    d.say(shown_date(fact(d, "Date of creation")).isoformat())


def fact(d: Driver, label: str) -> str:
    """What a page says behind a label."""
    texts = d.read().texts
    for at, text in enumerate(texts):
        if text.partition(":")[0] == label:
            return text.partition(":")[2].strip() or texts[at + 1]
    raise LostError(f"no {label} on {d.url}")


def restart_pipeline(d: Driver, values: Mapping[str, str]) -> None:
    open_project(d, values["project"])
    menu(d, "Commits")
    if not any("pipeline" in node.name.lower() for node in d.page.walk()):
        d.refuse()


def milestone_end(d: Driver, values: Mapping[str, str]) -> None:
    open_project(d, values["project"])
    menu(d, "Milestones")
    if all(row.cells["Milestone"] != values["milestone"] for row in rows(d)):
        d.refuse()


SOLUTIONS: dict[str, Solution] = {
    solution.__name__: solution
    for solution in (
        commits_by,
        top_committer,
        vague_apart,
        commits_in_month,
        settings_apart,
        open_file,
        stars_apart,
        forks_of,
        created_on,
        restart_pipeline,
        milestone_end,
    )
}
