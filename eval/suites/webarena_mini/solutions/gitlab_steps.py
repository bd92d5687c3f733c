"""What solutions of the code host's tasks have in common: projects, lists, the side panel."""

from __future__ import annotations

from eval.suites.webarena_mini.solutions.driver import Driver, LostError
from eval.suites.webarena_mini.solutions.shopping_admin_steps import Row, rows


def open_project(d: Driver, name: str) -> None:
    """A project from the list of those in which one takes part, or else by the search of all pages."""
    if not d.has("link", name):
        d.fill("Search Codeyard", name)
        d.click("button", "Search")
    d.follow(name)


def menu(d: Driver, name: str) -> None:
    """An entry of the project's menu, which may have a number behind it."""
    for node in d.page.all("link"):
        if node.name == name or node.name.startswith(f"{name} ("):
            return d.act("click", node.bid)
    raise LostError(f"no {name} on {d.url}")


def open_issues(d: Driver, project: str, *, all_states: bool = False) -> None:
    """The list of a project's issues; those of all states on demand, by whoever knows that there are more."""
    open_project(d, project)
    menu(d, "Issues")
    if all_states and d.knows("G1"):
        d.follow("All")


def open_requests(d: Driver, project: str, *, state: str = "") -> None:
    """The list of a project's merge requests, of a state on demand."""
    open_project(d, project)
    menu(d, "Merge requests")
    if state and d.knows("FG1"):
        d.follow(state)


def narrow(d: Driver, **filters: str) -> None:
    """Fills filters and applies them. In keywords `_` stands for a space."""
    for label, text in filters.items():
        d.fill(label.replace("_", " "), text)
    d.click("button", "Filter")


def sort(d: Driver, order: str) -> None:
    """Puts a list into an order."""
    d.select("Sort by", order)
    d.click("button", "Sort")


def all_rows(d: Driver) -> list[Row]:
    """The rows of this page of the list and of those behind it."""
    found = rows(d)
    while d.has("link", "Next page"):
        d.follow("Next page")
        found += rows(d)
    return found


def labels(row: Row) -> list[str]:
    """The labels in a row."""
    return row.cells["Labels"].split(", ")


def amount(d: Driver) -> int:
    """How many things the list says that there are."""
    for text in d.read().texts:
        first, _, noun = text.partition(" ")
        if first.isdigit() and noun.rstrip("s") in ("issue", "merge request"):
            return int(first)
    return 0


def first(d: Driver) -> Row:
    """The first row of the list."""
    found = rows(d)
    if not found:
        raise LostError(f"nothing in the list on {d.url}")
    return found[0]


def open_title(d: Driver, title: str) -> None:
    """An issue or a merge request of the list, by its title."""
    if not d.main.all("link", title):
        narrow(d, Words_in_title_or_text=title)
    d.follow(title)


def shown(d: Driver, label: str) -> str:
    """What the side panel says of a field."""
    texts = [node.name for node in d.page.all("StaticText")]
    for at, text in enumerate(texts):
        if text.startswith(f"{label}:"):
            return (text.partition(":")[2] or texts[at + 1]).strip()
    raise LostError(f"no {label} on {d.url}")


def save(d: Driver) -> None:
    """Without it a choice in the side panel is lost. Then the end."""
    if d.knows("G4"):
        d.click("button", "Save changes")
    d.say("Done.")
