"""Rows of tables and lists: which of them a goal means, and what they hold."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from reasoningbank.llm.offline import values
from reasoningbank.llm.offline.goal import Goal
from reasoningbank.llm.offline.mind import Mind
from reasoningbank.llm.offline.page import Collection, Row
from reasoningbank.llm.offline.words import stem, stems, widened

_VOID = re.compile(r"cancel|void|refund|fail|declin|reject|expired", re.IGNORECASE)


@dataclass(frozen=True)
class Entry:
    """A row that fits a goal: its key, the figure asked for, and whether it also meets the inner condition."""

    key: str
    figure: float
    hit: bool


def collection(mind: Mind) -> Collection | None:
    """The rows on this page that the goal is most likely about."""
    goal = widened(mind.goal.stems)
    best, score = None, 0.0
    for one in mind.page.collections:
        node = one.rows[0].node
        if any(above.role in ("complementary", "navigation") for above in node.up()):
            continue
        about = stems(one.caption + " " + " ".join(one.headers) + " " + mind.page.heading)
        rich = sum(
            bool(values.all_money(row.text)) + bool(values.stars(row.text) is not None) + len(row.cells) / 3
            for row in one.rows
        )
        fit = 1.5 * len(about & goal) + min(3.0, rich / len(one.rows)) + (0.5 if len(one.rows) > 1 else 0.0)
        if fit > score and rich > 0:
            best, score = one, fit
    return best


def cell(row: Row, *words: str) -> str:
    """The cell whose header has one of these stems."""
    for header, text in row.cells.items():
        if any(stem(word) in stems(header) for word in words):
            return text
    return ""


def name_of(row: Row) -> str:
    """What the row calls its thing."""
    link = row.first_link()
    heading = next((node.name for node in row.node.walk() if node.role == "heading"), "")
    first = next(iter(row.cells.values()), "")
    if link is not None and link.name and (not first or link.name in first):
        return link.name
    return first or heading or row.text[:60]


def when(row: Row, day_first: bool) -> date | None:
    return values.day(cell(row, "date", "day", "placed", "posted", "added") or row.text, day_first=day_first)


def figure(row: Row, goal: Goal) -> float | None:
    """The amount of money a row stands for: the column the goal names, else its total, else its first amount."""
    named = [
        text for header, text in row.cells.items() if stems(header) & goal.stems and values.money(text) is not None
    ]
    text = (named[0] if named else "") or cell(row, "total", "subtotal") or cell(row, "price") or row.text
    return values.money(text)


def statuses(rows: Sequence[Row]) -> list[str]:
    """The different words of a status column."""
    return list(dict.fromkeys(text for row in rows if (text := cell(row, "status", "state"))))


def void_status(mind: Mind, found: Sequence[str]) -> str:
    """The status that does not count: the one advice speaks of, else the one that says so by its word."""
    hint = mind.hint("leave_out")
    if hint is not None:
        said = stems(hint.sentence)
        for one in found:
            if stems(one) & said:
                return one
    return next((one for one in found if _VOID.search(one)), "")


def dated(mind: Mind, rows: Sequence[Row]) -> bool:
    """Day first or month first: asked where a slashed date matters."""
    if not any(values.slashed(cell(row, "date") or row.text) for row in rows):
        return False
    return mind.choose("day_first", place=_place(mind, rows))


def wanted(mind: Mind, one: Collection, *, filtered: Sequence[str] = ()) -> list[tuple[Row, Entry]]:
    """The rows that fit the goal, with their entries. `filtered` are names the page was already filtered by."""
    goal = mind.goal
    rows = _of_status(mind, _once(mind, one))
    if not goal.thing:
        rows = _named(mind, rows, filtered)
    day_first = dated(mind, one.rows) if goal.span is not None or goal.measure == "date" else False
    if goal.span is not None:
        rows = [row for row in rows if (day := when(row, day_first)) is not None and day in goal.span]
    return [(row, Entry(name_of(row)[:40], _measured(row, goal, day_first), _bounded(row, goal))) for row in rows]


def _once(mind: Mind, one: Collection) -> list[Row]:
    """The rows, equal ones once where the agent holds that right."""
    single = {row.text: row for row in one.rows}
    asked = mind.goal.aim in ("count", "sum", "read") and not mind.goal.extreme
    if asked and len(single) < len(one.rows) and mind.choose("count_once", place=one.caption):
        return list(single.values())
    return list(one.rows)


def _of_status(mind: Mind, rows: list[Row]) -> list[Row]:
    """The rows of the status that the goal names, or without those of a status that does not count."""
    found = statuses(rows)
    named = [status for status in found if stems(status) and stems(status) <= mind.goal.stems]
    if named:
        return [row for row in rows if cell(row, "status", "state") in named]
    if len(found) < 2 or mind.goal.aim not in ("sum", "count"):
        return rows
    decided = mind.stated("leave_out")
    void = void_status(mind, found)
    if decided is None and not (void and mind.choose("leave_out", void)):
        return rows
    if decided is not None and not decided[0]:
        return rows
    left_out = (decided[1] if decided else "") or void
    return [row for row in rows if cell(row, "status", "state") != left_out]


def _named(mind: Mind, rows: list[Row], filtered: Sequence[str]) -> list[Row]:
    """The rows that hold all names that the goal says, links of the page's frame aside."""
    names = [name.lower() for name in mind.goal.names if name not in filtered and not _is_link(mind, name)]
    return [row for row in rows if all(name in row.text.lower() for name in names)]


def _measured(row: Row, goal: Goal, day_first: bool) -> float:
    """What rows are compared by, or added up."""
    if goal.extreme and goal.measure == "date":
        day = when(row, day_first)
        return float(day.toordinal()) if day else 0.0
    if goal.extreme and goal.measure == "stars":
        return values.stars(row.text) or 0.0
    return figure(row, goal) or 0.0


def _is_link(mind: Mind, name: str) -> bool:
    return any(link.name.lower() == name.lower() for link in mind.page.links if not mind.page.in_main(link))


def _bounded(row: Row, goal: Goal) -> bool:
    for bound in (one for one in goal.bounds if one.measure != "amount"):
        value = values.stars(row.text) if bound.measure == "stars" else values.money(row.text)
        if value is None or not bound.holds(value):
            return False
    return True


def _place(mind: Mind, rows: Sequence[Row]) -> str:
    for one in mind.page.collections:
        if one.rows and rows and one.rows[0] is rows[0]:
            return one.caption
    return ""
