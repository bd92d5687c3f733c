"""Questions: where the answer stands, and how it is read off, counted or added up."""

from __future__ import annotations

import re
from collections.abc import Sequence

from reasoningbank.llm.offline import listing, moving, values
from reasoningbank.llm.offline.aims import MONEY
from reasoningbank.llm.offline.answers import (
    ALL_OF,
    DATE,
    asked_of,
    term,
    typed,
)
from reasoningbank.llm.offline.mind import Mind, Move
from reasoningbank.llm.offline.notes import noted, notes
from reasoningbank.llm.offline.page import Collection
from reasoningbank.llm.offline.rows import Entry, collection, dated, name_of, wanted, when
from reasoningbank.llm.offline.words import stems, widened

_SHARE = re.compile(r"\b(?:share|percentage|percent|proportion)\b", re.IGNORECASE)


def ask(mind: Mind) -> Move | None:
    """One step towards an answer."""
    goal = mind.goal
    own = moving.own_records(mind)
    number = goal.record
    if number:
        return _of_number(mind, number)
    if goal.thing and not own:
        return _on_page(mind) if moving.at_thing(mind) else moving.to_thing(mind)
    if goal.find and moving.plain(goal.find) not in moving.searched(mind):
        return moving.search(mind, goal.find)
    place = moving.category(mind) if not goal.find and not own and not goal.area else None
    if place is not None and mind.page.heading.lower() != place.name.lower() and not moving.visits(mind, place):
        return moving.click(place)
    if place is not None or goal.find or _arrived(mind):
        step = listing.arrange(mind)
        return step or _on_page(mind)
    return moving.to_area(mind, _area_words(mind)) or _on_page(mind)


def _area_words(mind: Mind) -> frozenset[str]:
    goal = mind.goal
    if goal.area:
        return stems(goal.area)
    words = goal.stems
    return words | stems("orders") if moving.own_records(mind) else words


def _arrived(mind: Mind) -> bool:
    """Whether the page's own heading is about what the goal is about."""
    heading = stems(mind.page.heading)
    words = _area_words(mind)
    if moving.own_records(mind) and not mind.goal.area:
        return bool(heading & stems("orders"))
    return bool(heading) and len(heading & widened(words)) / len(heading) > 0.4 and bool(mind.past)


def _of_number(mind: Mind, number: str) -> Move | None:
    """A question on the one record that bears a number."""
    page, goal = mind.page, mind.goal
    if number in page.heading:
        found = term(mind)
        return typed(mind, found) if found else None
    for one in page.collections:
        for row in one.rows:
            if number not in row.text.split():
                continue
            link = row.first_link()
            if link is not None:
                return moving.click(link)
    further = moving.following(mind)
    if further is not None and _arrived(mind):
        return moving.click(further)
    return moving.to_area(mind, stems("orders") | goal.stems)


def _on_page(mind: Mind) -> Move | None:
    """Answer from this page, or go through what is left of its list."""
    goal, page = mind.goal, mind.page
    one = collection(mind)
    listed = one is not None and (
        goal.aim in ("count", "sum") or goal.extreme or goal.span or goal.bounds or _asks_for_list(mind)
    )
    if (
        goal.aim in ("read", "count")
        and not goal.extreme
        and not goal.span
        and not goal.bounds
        and not _asks_for_list(mind)
    ):
        found = term(mind)
        if found:
            return typed(mind, found)
    if listed and one is not None:
        return _from_list(mind, one)
    if goal.aim in ("read", "sum") and MONEY.search(goal.text):
        total = next(
            (value for label, value in page.terms if "total" in label.lower() and values.money(value) is not None), ""
        )
        if total and (ALL_OF.search(goal.text) or goal.aim == "sum"):
            return typed(mind, total)
        if goal.thing and values.money(page.main_text) is not None:
            return typed(mind, page.main_text)
    found = term(mind)
    return typed(mind, found) if found else None


def _asks_for_list(mind: Mind) -> bool:
    return bool(re.search(r"\b(?:list|all|every|names of|whose)\w*\b", mind.goal.text, re.IGNORECASE))


def _from_list(mind: Mind, one: Collection) -> Move | None:
    """Count, add up or pick among the rows, over all pages of the list."""
    goal = mind.goal
    more, further = moving.more(mind), moving.following(mind)
    sorted_now = bool(goal.extreme) and listing.sort_field(mind) is not None
    if not sorted_now and (more or further) and not (goal.extreme == "max" and goal.measure == "date" and more):
        if mind.choose("read_all"):
            if more is not None:
                return moving.click(more)
        else:
            further = None
    earlier = notes(mind)
    figures = [pair[1] for pair in wanted(mind, one, filtered=listing.filtered_by(mind))]
    if sorted_now or goal.extreme:
        return _extreme(mind, one, sorted_now)
    entries = [*earlier, *figures]
    if further is not None:
        mind.remarks.append(noted(entries))
        return moving.click(further)
    return _result(mind, one, entries)


def _result(mind: Mind, one: Collection, entries: Sequence[Entry]) -> Move | None:
    goal = mind.goal
    hits = [entry for entry in entries if entry.hit]
    if _SHARE.search(goal.text):
        return moving.tell(f"{round(100 * len(hits) / len(entries))}%" if entries else "0%")
    if goal.aim == "sum":
        total = sum(entry.figure for entry in hits)
        return moving.tell(f"${total:,.2f}")
    if goal.aim == "count":
        return moving.tell(str(len(hits)))
    rows = [row for row, entry in wanted(mind, one, filtered=listing.filtered_by(mind)) if entry.hit]
    if not rows:
        return None
    return moving.tell(", ".join(dict.fromkeys(asked_of(mind, row.text, name_of(row)) for row in rows)))


def _extreme(mind: Mind, one: Collection, sorted_now: bool) -> Move | None:
    """The first rows of a sorted list, else the best of those seen."""
    goal = mind.goal
    if sorted_now:
        rows = list(one.rows)
    else:
        pairs = wanted(mind, one, filtered=listing.filtered_by(mind))
        pairs.sort(key=lambda pair: -pair[1].figure if goal.extreme == "max" else pair[1].figure)
        rows = [row for row, entry in pairs if entry.hit]
    if not rows:
        further = moving.following(mind)
        return moving.click(further) if further is not None else None
    if goal.aim == "visit":
        link = rows[0].first_link()
        return moving.click(link) if link is not None else None
    if DATE.search(goal.text):
        day = when(rows[0], dated(mind, rows))
        return moving.tell(day.isoformat()) if day else None
    return moving.tell(asked_of(mind, rows[0].text, name_of(rows[0])))
