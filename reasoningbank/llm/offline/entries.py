"""Entries of a place: the one that is meant, who is behind it, and figures read off rows and pages."""

from __future__ import annotations

import re
from collections import Counter

from reasoningbank.llm.offline import arranging, moving, values
from reasoningbank.llm.offline.answers import DATE, term, typed
from reasoningbank.llm.offline.goal import read_goal
from reasoningbank.llm.offline.mind import Mind, Move
from reasoningbank.llm.offline.notes import noted, notes
from reasoningbank.llm.offline.page import Collection, Node, Row
from reasoningbank.llm.offline.rows import Entry
from reasoningbank.llm.offline.target import Target, parts_of, target_of, values_of
from reasoningbank.llm.offline.words import stems, widened

_BEHIND = re.compile(r"\bauthor\b|\bwho(?:ever)? (?:\w+ )?(?:posted|wrote|submitted|opened)\b", re.IGNORECASE)
_VOICE = re.compile(r"\bfirst to \w+", re.IGNORECASE)


ONE = "That is one of them."
"""What a thought says when the figure of one of several like things is known."""


def cell(row: Row, said: frozenset[str]) -> str:
    """The header of the column whose words are all among `said`; the longest of several."""
    fitting = [head for head in row.cells if stems(head) and stems(head) <= said]
    return max(fitting, key=len, default="")


def look_for(mind: Mind, target: Target) -> Move | None:
    """The next step towards an entry that this page does not show."""
    step = (
        arranging.arrange(mind, target)
        if arranging.table(mind) is not None or moving.empty(mind) or arranging.order(mind)
        else None
    )
    if step is not None:
        return step
    more = moving.following(mind) or moving.more(mind)
    if arranging.wishes_of(mind, target):
        return moving.give_up("There is no such entry here.")
    if moving.plain(target.item) not in moving.searched(mind):
        return moving.search(mind, target.item)
    return moving.click(more) if more is not None and moving.visits(mind, more) < 6 else None


def from_row(mind: Mind, target: Target, link: Node) -> Move | None:
    """What is asked of an entry, where its row says it; the way to whom it is from."""
    row = next((row for one in mind.page.collections for row in one.rows if link in list(row.node.walk())), None)
    if row is None:
        return None
    if _BEHIND.search(mind.goal.text):
        return author(mind, row.node)
    if mind.goal.aim not in ("count", "read"):
        return None
    head = cell(row, widened(target.words))
    figure = row.cells.get(head, "")
    if not head or not figure or (mind.goal.aim == "count" and mind.choose("own_page", place=mind.page.heading)):
        return None
    return tell(mind, typed(mind, figure))


def author(mind: Mind, node: Node) -> Move | None:
    """To whoever an entry is from."""
    words = [one for one in node.walk() if one.bid and one.role == "link" and len(one.name.split()) == 1]
    return look_up(mind, words[0]) if words else None


def look_up(mind: Mind, link: Node) -> Move:
    mind.remarks.append(looked_up(link.name))
    return moving.click(link)


def looked_up(name: str) -> str:
    """What a thought says when it opens what the goal does not name."""
    return f"I look up '{moving.plain(name)}'."


def from_places(mind: Mind, target: Target, place: str) -> Move | None:
    """A figure of a place from the list of all places, where the agent does not look on its own page."""
    if mind.goal.aim != "count" or target.item or not moving.menu(mind):
        return None
    lists = [one for one in moving.menu(mind) if re.search(r"\blist\b", one.name, re.IGNORECASE)]
    one = arranging.table(mind)
    rows = [row for row in one.rows if place in row.cells.values()] if one is not None else []
    found = [row for row in rows if cell(row, target.words)]
    if not (found or lists) or mind.choose("own_page", place="list", usually=0.85):
        return None
    if found:
        return tell(mind, typed(mind, found[0].cells[cell(found[0], target.words)]))
    return moving.click(lists[0]) if not moving.visits(mind, lists[0]) else None


def read(mind: Mind, target: Target) -> Move | None:
    """The answer to a question from this page, or the page that is to be shown."""
    goal, one = mind.goal, arranging.table(mind)
    if one is not None or moving.empty(mind) or arranging.order(mind):
        step = arranging.arrange(mind, target)
        if step is not None:
            return step
    shown = re.match(r"open\b", goal.text, re.IGNORECASE) and not target.item and one is not None
    if goal.aim == "visit" and not (shown and (arranging.SUPERLATIVE.search(goal.text) or "the page" in goal.text)):
        return moving.tell("Here is the page.", "This is the page that was asked for. I tell the user.")
    if one is not None:
        step = _from_rows(mind, target, one)
        if step is not None:
            return step
    found = term(mind) or _counted(mind, target)
    if _VOICE.search(goal.text):
        found = next(
            (
                node.name
                for entry in mind.page.main.walk()
                if entry.role == "listitem"
                for node in entry.walk()
                if node.role == "link"
            ),
            "",
        )
    return tell(mind, typed(mind, found)) if found else None


def _counted(mind: Mind, target: Target) -> str:
    """A number before its noun: `12 comments`."""
    for number, noun in re.findall(r"(-?\d[\d,]*) ([a-z]+(?: [a-z]+)?)\b", mind.page.main_text):
        if stems(noun) and stems(noun) <= target.words:
            return str(number)
    return ""


def _from_rows(mind: Mind, target: Target, one: Collection) -> Move | None:
    goal = mind.goal
    both = next((found for field in mind.page.of("textbox") if len(found := values_of(goal, field.name)) > 1), [])
    rows = _of_person(mind, target, one)
    if both and mind.decided.get("one_by_one", (mind.stated("one_by_one") or (False,))[0]):
        return _one_by_one(mind, one, both)
    column = next(
        (
            head
            for head in one.headers
            if stems(head)
            and stems(head) <= target.words
            and all(re.fullmatch(r"\d[\d,]*", row.cells.get(head, "")) for row in rows)
        ),
        "",
    )
    if (
        rows
        and column
        and not arranging.order(mind)
        and (len(rows) < len(one.rows) or re.search(r"\bmost\b", goal.text))
    ):
        return _added(mind, target, rows, column)
    if goal.aim == "read" and any(re.search(r"\d$", name) for name, _ in target.names) and not column:
        if len(rows) < len(one.rows) and (link := rows[0].first_link()) is not None:
            return moving.tell(link.name)
        more = moving.following(mind) or moving.more(mind)
        return moving.click(more) if more is not None else moving.give_up("There is nothing of that here.")
    if arranging.SUPERLATIVE.search(goal.text) and one.rows:
        return _top(mind, target, one.rows[0])
    if goal.aim == "visit":
        return moving.click(link) if (link := one.rows[0].first_link()) is not None else None
    if goal.aim == "count" and goal.span is not None:
        return _dated(mind, rows)
    if goal.aim == "count" and (counted := _counted(mind, target)):
        return tell(mind, moving.tell(counted))
    if goal.aim == "count" and goal.bounds == () and len(rows) < len(one.rows):
        return tell(mind, moving.tell(str(len(rows))))
    return None


def _of_person(mind: Mind, target: Target, one: Collection) -> list[Row]:
    """The rows with a name that the goal says."""
    names = [name for name, _ in target.names if name not in arranging.here(mind)]
    named = [row for row in one.rows if any(name in row.cells.values() for name in names)]
    return named or list(one.rows)


def _one_by_one(mind: Mind, one: Collection, both: list[str]) -> Move | None:
    """Rows found by one value: those that have the other one, or all of them together with those of the other."""
    goal, seen = mind.goal, notes(mind)
    either = arranging.EITHER.search(goal.text) is not None
    rows = (
        one.rows
        if either
        else [row for row in one.rows if any(set(both) <= set(text.split(", ")) for text in row.cells.values())]
    )
    if not either and goal.aim != "count":
        if not rows:
            return moving.click(more) if (more := moving.following(mind)) is not None else None
        return _top(mind, target_of(goal), rows[0])
    found = {entry.key: entry for entry in [*seen, *(Entry(row.text[:40], 1.0, True) for row in rows)]}
    more = moving.following(mind)
    mind.remarks.append(noted(list(found.values())))
    if more is not None:
        return moving.click(more)
    done = f"I have noted those with '{both[0]}'."
    if either and not mind.did(done):
        mind.remarks.append(done)
        field = next(field for field in mind.page.of("textbox") if len(values_of(goal, field.name)) > 1)
        return moving.fill(field, both[1])
    return moving.tell(str(len(found)))


def _added(mind: Mind, target: Target, rows: list[Row], column: str) -> Move | None:
    """A column over the lines of one name, or whose lines have most of it."""
    whole = mind.choose("add_lines", place=mind.page.heading)
    sums: Counter[str] = Counter()
    for row in rows:
        name = next(iter(row.cells.values()), "")
        if whole or name not in sums:
            sums[name] += int(row.cells[column].replace(",", ""))
    best = max(sums, key=lambda name: sums[name])
    if re.search(r"\bmost\b", mind.goal.text):
        link = next((one for row in rows for one in row.node.walk() if one.role == "link" and one.name == best), None)
        return look_up(mind, link) if link is not None else moving.tell(best)
    return tell(mind, moving.tell(str(sums[best])))


def _dated(mind: Mind, rows: list[Row]) -> Move | None:
    """How many rows are of the time that the goal says, over all pages."""
    span = mind.goal.span
    days = [values.day(row.text, day_first=False) for row in rows]
    names = [name for name, _ in target_of(mind.goal).names if not any(name in text for text in (mind.page.heading,))]
    number = sum(
        bool(day and span and day in span and any(name in row.cells.values() for name in names))
        for row, day in zip(rows, days, strict=True)
    )
    number += int(sum(entry.figure for entry in notes(mind)))
    more = moving.following(mind)
    if more is not None and mind.choose("read_all"):
        mind.remarks.append(noted([Entry("rows", float(number), True)]))
        return moving.click(more)
    return moving.tell(str(number))


def _top(mind: Mind, target: Target, row: Row) -> Move | None:
    """What is asked of the first entry of an ordered list."""
    goal = mind.goal
    link = row.first_link()
    if _BEHIND.search(goal.text):
        return author(mind, row.node)
    if goal.aim in ("visit", "change") or _VOICE.search(goal.text) or link is None:
        return look_up(mind, link) if link is not None else None
    if goal.aim == "count":
        return from_row(mind, target, link) or look_up(mind, link)
    if DATE.search(goal.text):
        return tell(mind, typed(mind, row.text))
    return moving.tell(link.name)


def tell(mind: Mind, answer: Move) -> Move | None:
    """The answer; of several figures, noted until the last is found."""
    parts = parts_of(read_goal(mind.asked.goal))
    told = re.match(r"send_msg_to_user\(['\"](-?[\d.,]+)['\"]\)$", answer.action)
    if len(parts) < 2 or told is None:
        return answer
    found = [*notes(mind), Entry(str(len(notes(mind))), float(told.group(1).replace(",", "")), True)]
    if len(found) < len(parts):
        mind.remarks += [noted(found), ONE]
        start = next(iter(mind.page.links), None)
        return moving.click(start) if start is not None else None
    figures = [entry.figure for entry in found]
    together = target_of(read_goal(mind.asked.goal)).together
    return moving.tell(f"{sum(figures) if together else abs(figures[0] - figures[1]):g}")
