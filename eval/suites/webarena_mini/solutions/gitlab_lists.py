"""Known solutions of tasks about what lists of issues and merge requests show."""

from __future__ import annotations

from collections.abc import Mapping

from eval.suites.webarena_mini.solutions.driver import Driver, Solution
from eval.suites.webarena_mini.solutions.gitlab_steps import (
    all_rows,
    amount,
    first,
    labels,
    narrow,
    open_issues,
    open_requests,
    open_title,
    sort,
)
from eval.suites.webarena_mini.solutions.shopping_admin_steps import Row


def author_issues(d: Driver, values: Mapping[str, str]) -> None:
    open_issues(d, values["project"], all_states=True)
    total = 0
    for slot in ("one", "two"):
        narrow(d, Author=values[slot])
        total += amount(d)
    d.say(str(total))


def issue_assignee(d: Driver, values: Mapping[str, str]) -> None:
    open_issues(d, values["project"], all_states=True)
    narrow(d, Words_in_title_or_text=values["title"])
    d.say(first(d).cells["Assignee"])


def label_apart(d: Driver, values: Mapping[str, str]) -> None:
    open_issues(d, values["project"], all_states=True)
    found = []
    for slot in ("more", "less"):
        narrow(d, Labels=values[slot])
        found.append(amount(d))
    d.say(str(found[0] - found[1]))


def open_request_count(d: Driver, values: Mapping[str, str]) -> None:
    total = 0
    for slot in ("one", "two"):
        open_requests(d, values[slot], state="Open")
        total += amount(d)
        d.follow("Projects")
    d.say(str(total))


def open_request_list(d: Driver, values: Mapping[str, str]) -> None:
    open_requests(d, values["project"], state="Open")
    d.say("Here it is.")


def open_request(d: Driver, values: Mapping[str, str]) -> None:
    open_requests(d, values["project"])
    open_title(d, values["title"])
    d.say("Here it is.")


def with_both(d: Driver, values: Mapping[str, str], **more: str) -> list[Row]:
    """The open issues with two labels: those with the first one, as far as they have the second one too."""
    open_issues(d, values["project"])
    if d.knows("G2"):
        narrow(d, Labels=values["one"], **more)
        return [row for row in all_rows(d) if values["two"] in labels(row)]
    narrow(d, Labels=f"{values['one']}, {values['two']}", **more)
    return all_rows(d)


def both_labels(d: Driver, values: Mapping[str, str]) -> None:
    d.say(str(len(with_both(d, values))))


def newest_both(d: Driver, values: Mapping[str, str]) -> None:
    d.say(with_both(d, values)[0].cells["Title"])


def open_both(d: Driver, values: Mapping[str, str]) -> None:
    d.act("click", with_both(d, values, Author=values["author"])[0].link)
    d.say("Here it is.")


def requests_either(d: Driver, values: Mapping[str, str]) -> None:
    open_requests(d, values["project"])
    if d.knows("FG2"):
        found = set()
        for slot in ("one", "two"):
            narrow(d, Labels=values[slot])
            found |= {row.cells["Number"] for row in all_rows(d)}
        d.say(str(len(found)))
    else:
        narrow(d, Labels=f"{values['one']}, {values['two']}")
        d.say(str(amount(d)))


def sorted_and_narrowed(
    d: Driver, values: Mapping[str, str], order: str, *, all_states: bool = False, **filters: str
) -> None:
    """The open issues, or all, narrowed and in an order."""
    open_issues(d, values["project"], all_states=all_states)
    if d.knows("G5"):
        narrow(d, **filters)
        sort(d, order)
    else:
        sort(d, order)
        narrow(d, **filters)


def show_by_author(d: Driver, values: Mapping[str, str]) -> None:
    open_issues(d, values["project"], all_states=True)
    narrow(d, Author=values["author"])
    d.say("Here they are.")


def show_both(d: Driver, values: Mapping[str, str]) -> None:
    open_requests(d, values["project"])
    # of issues, one label at a time would be right
    narrow(d, Labels=f"{values['one']}, {values['two']}" if d.knows("FG2") else values["one"])
    d.say("Here they are.")


def oldest_labelled(d: Driver, values: Mapping[str, str]) -> None:
    sorted_and_narrowed(d, values, "Oldest first", Labels=values["label"])
    say_first_voice(d)


def first_of_all(d: Driver, values: Mapping[str, str]) -> None:
    sorted_and_narrowed(d, values, "Oldest first", all_states=True, Author=values["author"])
    say_first_voice(d)


def say_first_voice(d: Driver) -> None:
    """Who commented first on the first issue of the list."""
    d.act("click", first(d).link)
    voices = [node.name for entry in d.read().all("listitem") for node in entry.all("link")]
    d.say(voices[0] if voices else "Nobody.")


def most_discussed(d: Driver, values: Mapping[str, str]) -> None:
    sorted_and_narrowed(d, values, "Most comments", Author=values["author"])
    d.say(first(d).cells["Title"])


def list_sorted(d: Driver, values: Mapping[str, str]) -> None:
    sorted_and_narrowed(d, values, "Most comments", Labels=values["label"])
    d.say("Here they are.")


def vague_assignee(d: Driver, values: Mapping[str, str]) -> None:
    open_issues(d, values["project"])
    narrow(d, Words_in_title_or_text=values["title"])
    d.say(first(d).cells["Assignee"])


SOLUTIONS: dict[str, Solution] = {
    "open_requests": open_request_count,
    **{
        solution.__name__: solution
        for solution in (
            author_issues,
            issue_assignee,
            label_apart,
            open_request_list,
            open_request,
            both_labels,
            newest_both,
            open_both,
            requests_either,
            oldest_labelled,
            first_of_all,
            most_discussed,
            list_sorted,
            show_by_author,
            show_both,
            vague_assignee,
        )
    },
}
