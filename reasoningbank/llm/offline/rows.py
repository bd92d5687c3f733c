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

_MENTION = re.compile(
    r"\bis (\w+) mentioned|\bmention(?:s|ed|ing)? (?:of |the (?:word|term) )?[\"'“]?(\w+)|\bthe (?:word"
    r"|term) [\"'“]?(\w+)",
    re.IGNORECASE,
)
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


def mentioned(goal: Goal) -> str:
    """The word that an entry has to hold."""
    found = _MENTION.search(goal.text)
    return next((part for part in found.groups() if part), "").lower() if found else ""


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


def wanted(
    mind: Mind, one: Collection, *, filtered: Sequence[str] = (), figures: bool = False
) -> list[tuple[Row, Entry]]:
    """The rows that fit the goal, with their entries. `filtered` are names the page was already filtered by."""
    goal, rows = mind.goal, list(one.rows)
    repeated = goal.aim in ("count", "sum", "read") and not goal.extreme and len({row.text for row in rows}) < len(rows)
    if repeated and mind.choose("count_once", place=one.caption):
        rows = list({row.text: row for row in rows}.values())
    found = statuses(rows)
    named = [status for status in found if stems(status) and stems(status) <= goal.stems]
    left_out = ""
    if len(found) > 1 and not named and goal.aim in ("sum", "count"):
        void = void_status(mind, found)
        if (void and mind.choose("leave_out", void)) or (mind.stated("leave_out") or (False, ""))[0]:
            left_out = (mind.stated("leave_out") or (True, void))[1] or void
    day_first = dated(mind, rows) if goal.span is not None or goal.measure == "date" else False
    term = mentioned(goal)
    brands = [name for name in goal.names if name not in filtered and name != goal.thing and not _is_link(mind, name)]
    out: list[tuple[Row, Entry]] = []
    for row in rows:
        if named and cell(row, "status", "state") not in named:
            continue
        if left_out and cell(row, "status", "state") == left_out:
            continue
        if brands and not goal.thing and not all(name.lower() in row.text.lower() for name in brands) and not figures:
            continue
        if goal.span is not None:
            day = when(row, day_first)
            if day is None or day not in goal.span:
                continue
        if goal.measure == "date" and goal.extreme:
            day = when(row, day_first)
            amount = float(day.toordinal()) if day else 0.0
        elif goal.measure == "stars" and goal.extreme:
            amount = values.stars(row.text) or 0.0
        else:
            amount = figure(row, goal) or 0.0
        hit = _bounded(row, goal) and (not term or _mentions(row.text, term))
        out.append((row, Entry(name_of(row)[:40], amount, hit)))
    return out


def _is_link(mind: Mind, name: str) -> bool:
    return any(link.name.lower() == name.lower() for link in mind.page.links if not mind.page.in_main(link))


def _bounded(row: Row, goal: Goal) -> bool:
    for bound in goal.bounds:
        value = values.stars(row.text) if bound.measure == "stars" else values.money(row.text)
        if value is None or not bound.holds(value):
            return False
    return True


def _mentions(text: str, term: str) -> bool:
    root = stem(term)
    return any(stem(word).startswith(root[: max(4, len(root) - 1)]) for word in re.findall(r"[a-z]+", text.lower()))


def _place(mind: Mind, rows: Sequence[Row]) -> str:
    for one in mind.page.collections:
        if one.rows and rows and one.rows[0] is rows[0]:
            return one.caption
    return ""
