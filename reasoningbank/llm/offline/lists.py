"""Work where no search covers the whole site: lists and reports that forms narrow, records opened from them."""

from __future__ import annotations

import re

from reasoningbank.llm.offline import bulk, changing, moving, narrowing, states, values
from reasoningbank.llm.offline.answers import term, typed
from reasoningbank.llm.offline.goal import Goal
from reasoningbank.llm.offline.mind import Mind, Move
from reasoningbank.llm.offline.notes import noted, notes
from reasoningbank.llm.offline.page import Collection, Node, Row
from reasoningbank.llm.offline.rows import Entry
from reasoningbank.llm.offline.words import stems, widened

_FOUND = re.compile(r"\b(\d[\d,]*) (?:records?|entries|results?)\b")
_FIGURE = {"count": re.compile(r"\d[\d,]*"), "sum": re.compile(r"\$[\d,.]+")}
_NEW = "I begin a new one."


def applies(mind: Mind) -> bool:
    """Whether this site is of that kind: it has links that every page repeats, and no field to search it all."""
    return not any("search" in one.name.lower() for one in mind.page.fields) and bool(moving.menu(mind))


def work(mind: Mind) -> Move | None:
    """One step."""
    goal, page = mind.goal, mind.page
    state, step = states.meant(mind)
    if step is not None:
        return step
    if goal.aim == "change":
        step = changing.confirm(mind)
        if step is not None:
            return step
        if changing.stored(mind) and not _all(goal):
            return moving.tell("Done.", "The page says that it is done. I tell the user.")
    link = _list(mind)
    if link is None:
        return None
    if stems(link.name) == stems(page.heading):
        return _at_list(mind, state)
    opened = max(mind.thoughts.rfind("I open '"), mind.thoughts.rfind(_NEW)) > mind.thoughts.rfind(
        moving.click(link).saying
    )
    return _at_record(mind) if opened and _meant(mind) else moving.click(link)


def _list(mind: Mind) -> Node | None:
    """The link of the list or report that the goal is about: by the word before a name, else the word said first."""
    goal = mind.goal
    said = stems(goal.text)
    if not any(stems(link.name) & said for link in moving.menu(mind)):
        said |= stems("customers people" if len(goal.names) and len(goal.names[0].split()) == 2 else "products")
    lower = goal.text.lower()
    subject = next(iter((goal.record, *goal.codes, *goal.names)), "").lower()
    before = re.search(rf"\b(\w+)s? #?{re.escape(subject)}", lower) if subject else None
    best, score = None, 0.0
    for one in moving.menu(mind):
        own = stems(one.name)
        if not own or not own <= said:
            continue
        at = min((lower.find(word) for word in own if word in lower), default=len(lower))
        fit = len(own) + 1.0 - at / 1000 + (5.0 if before and stems(before.group(1)) & own else 0.0)
        if fit > score:
            best, score = one, fit
    return best


def _keys(goal: Goal) -> list[str]:
    """What tells the entries that a goal means: a number, codes, names, or words in quotation marks."""
    return [goal.record] if goal.record else [*goal.codes] or [*goal.called] or [*goal.quoted[:1]]


def _meant(mind: Mind) -> bool:
    """Whether an opened page is the one that the goal is about, or has the form for a new one."""
    keys = _keys(mind.goal)
    return not keys or keys[0] in mind.page.tree or mind.did(_NEW) > 0


def _all(goal: Goal) -> bool:
    return goal.aim == "change" and bool(re.match(r"\w+ all\b", goal.text)) and not goal.record


def _table(mind: Mind) -> Collection | None:
    return next((one for one in mind.page.collections if one.headers), None)


# The list.


def _at_list(mind: Mind, state: str | None) -> Move | None:
    goal = mind.goal
    new = next(
        (one for one in mind.page.links if mind.page.in_main(one) and re.match(r"(?:add|new)\b", one.name, re.I)), None
    )
    if goal.aim == "change" and new is not None and re.match(r"(?:create|add)\b", goal.text, re.I):
        mind.remarks.append(_NEW)
        return moving.click(new)
    step = narrowing.narrow(mind, state)
    if step is not None:
        return step
    one = _table(mind)
    if one is None:
        return moving.tell("0") if goal.aim == "count" else moving.give_up("The list is empty.")
    if _all(goal):
        return bulk.act(mind, one)
    rows = _matching(mind, one)
    single = bool(goal.record or goal.codes or (goal.names and goal.aim != "count"))
    if single and not rows:
        further = moving.following(mind)
        return moving.click(further) if further is not None else moving.give_up("There is no such entry here.")
    if goal.aim == "visit" and not (single or goal.extreme):
        return moving.tell("Here is the page.")
    if goal.record or goal.aim in ("change", "visit"):
        return _open(mind, rows or one.rows)
    return _read(mind, one, rows)


def _matching(mind: Mind, one: Collection) -> list[Row]:
    """The rows that hold what the goal names; all of them where it names nothing."""
    keys = [key.lower() for key in _keys(mind.goal)]
    rows = [row for row in one.rows if all(key in row.text.lower() for key in keys)]
    return [row for row in rows if any(text.lower() in keys for text in row.cells.values())] or rows


def _open(mind: Mind, rows: list[Row]) -> Move | None:
    link = rows[0].first_link() if rows else None
    if link is None:
        return None
    mind.remarks.append(f"I open '{moving.plain(rows[0].text[:40])}'.")
    return moving.click(link)


def _read(mind: Mind, one: Collection, rows: list[Row]) -> Move | None:
    """The answer from the list: the column that is asked for, added up over its rows, or the number of records."""
    goal = mind.goal
    column = _column(mind, one, rows)
    if column and rows and goal.aim == "read" and len(rows) == 1:
        return typed(mind, rows[0].cells[column])
    if column:
        total = one.rows[-1] if one.rows[-1].text.lower().startswith("total") else None
        return _sum(mind, column, [total] if total is not None and not goal.called and rows in ([], one.rows) else rows)
    found = _FOUND.search(mind.page.main_text)
    if goal.aim == "count" and found:
        return moving.tell(found.group(1).replace(",", ""))
    return _open(mind, rows)


def _sum(mind: Mind, column: str, rows: list[Row]) -> Move | None:
    """A column added up, over all pages of the list where the agent holds that right."""
    texts = [row.cells.get(column, "") for row in rows]
    figure = sum(values.number(text.replace("$", "")) or 0.0 for text in texts)
    further = moving.following(mind)
    figure += sum(entry.figure for entry in notes(mind))
    if further is not None and mind.choose("read_all"):
        mind.remarks.append(noted([Entry(column, round(figure, 2), True)]))
        return moving.click(further)
    return moving.tell(f"${figure:,.2f}" if any("$" in text for text in texts) else f"{figure:g}")


def _column(mind: Mind, one: Collection, rows: list[Row]) -> str:
    """The column that the goal asks for."""
    goal = mind.goal
    said = goal.stems - stems(" ".join(goal.names))
    if goal.aim == "count" and (stems("pieces") & said or (len(rows) == 1 and goal.names)):
        said |= stems("quantity")
    wide = widened(said)
    best, score = "", 0.4
    for head in one.headers:
        own, cells = stems(head), [row.cells.get(head, "") for row in one.rows]
        if "#" in head or head == "ID" or any(key in text for text in cells for key in _keys(goal)):
            continue
        fit = (len(own & said) + 0.6 * len((own & wide) - said)) / max(1, len(own)) + 0.1 * len(own & said)
        if fit > score and (goal.aim == "read" or any(_FIGURE[goal.aim].fullmatch(text) for text in cells)):
            best, score = head, fit
        elif goal.aim == "sum" and score == 0.4 and any(_FIGURE["sum"].fullmatch(text) for text in cells):
            best = head
    return best


# A record.


def _at_record(mind: Mind) -> Move | None:
    goal, page = mind.goal, mind.page
    if goal.aim == "visit":
        return moving.tell("Here is the page.", "This is the page that was asked for. I tell the user.")
    if goal.aim != "change":
        found = term(mind)
        return typed(mind, found) if found else moving.give_up("It does not stand here.")
    step = changing.fill(mind)
    if step is not None:
        return step
    wide = widened(goal.stems)
    ways = [one for one in page.links + page.buttons if any(above is page.main for above in one.up())]
    ways = [
        one
        for one in ways
        if stems(one.name)
        and stems(one.name) - stems("edit") <= wide | stems("customer")
        and moving.visits(mind, one) < 2
    ]
    return moving.click(ways[0]) if ways else moving.give_up("There is no button for this.")
