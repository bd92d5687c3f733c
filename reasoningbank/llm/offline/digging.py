"""Records opened one by one, for what their list does not show."""

from __future__ import annotations

import re

from reasoningbank.llm.offline import moving, values
from reasoningbank.llm.offline.mind import Mind, Move
from reasoningbank.llm.offline.notes import noted, notes
from reasoningbank.llm.offline.page import Collection, Row
from reasoningbank.llm.offline.rows import Entry, cell, name_of, wanted
from reasoningbank.llm.offline.words import stems

_OPENED = re.compile(r"I open '([^']+)'")


def opened(mind: Mind) -> list[str]:
    """The records looked into so far."""
    return _OPENED.findall(mind.thoughts)


def dig(mind: Mind, one: Collection | None) -> Move | None:
    """Open the next record of a list, or read the one that is open."""
    goal = mind.goal
    seen = opened(mind)
    if seen and seen[-1] in mind.page.heading:
        return _read(mind, seen[-1])
    if one is not None and any(row.first_link() for row in one.rows):
        for row, entry in wanted(mind, one, inside=True):
            link = row.first_link()
            if link is not None and entry.key not in seen:
                mind.remarks.append(f"I open '{moving.plain(entry.key)}'.")
                return moving.click(link)
    further = moving.following(mind)
    if further is not None:
        return moving.click(further)
    found = notes(mind)
    if goal.aim == "sum":
        return moving.tell(f"${sum(entry.figure for entry in found):,.2f}")
    return None


def _read(mind: Mind, key: str) -> Move | None:
    """Look for the thing among the lines of an open record."""
    goal = mind.goal
    rows = [row for one in mind.page.collections if one.headers for row in one.rows]
    meant = [row for row in rows if _means(mind, row)]
    if goal.aim == "sum":
        if meant:
            total = sum(values.money(cell(row, "subtotal") or row.text) or 0.0 for row in meant)
            if key not in {entry.key for entry in notes(mind)}:
                mind.remarks.append(noted([*notes(mind), Entry(key, round(total, 2), True)]))
        return moving.back()
    if not meant:
        return moving.back()
    if re.search(r"\b(?:when|date|day)\b", goal.text, re.IGNORECASE):
        text = next((value for label, value in mind.page.terms if "date" in label.lower()), "")
        day = values.day(text, day_first=mind.choose("day_first")) if text else None
        return moving.tell(day.isoformat()) if day else None
    amount = values.money(cell(meant[0], "price") or meant[0].text)
    return moving.tell(f"${amount:,.2f}") if amount is not None else None


def _means(mind: Mind, row: Row) -> bool:
    goal = mind.goal
    name = name_of(row).lower()
    if not goal.thing:
        return any(part.lower() in row.text.lower() for part in goal.names)
    if goal.thing in goal.names:
        return name == goal.thing.lower()
    words = moving.thing_words(mind)
    return len(words & stems(name)) >= min(2, len(words))
