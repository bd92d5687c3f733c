"""Lists of results: sorting and filtering them, in the order that the agent holds right."""

from __future__ import annotations

import re

from reasoningbank.llm.offline import moving, values
from reasoningbank.llm.offline.mind import Mind, Move
from reasoningbank.llm.offline.page import Node
from reasoningbank.llm.offline.words import stems

_WANTED = {
    ("min", "money"): re.compile(r"low(?:est)?\b.*\bhigh|ascending|cheapest|lowest", re.IGNORECASE),
    ("max", "money"): re.compile(r"high(?:est)?\b.*\blow|descending|expensive|highest", re.IGNORECASE),
    ("max", "stars"): re.compile(r"rating|rated|best", re.IGNORECASE),
    ("max", "date"): re.compile(r"newest|latest|recent|newer", re.IGNORECASE),
    ("min", "date"): re.compile(r"oldest|earliest", re.IGNORECASE),
}
_APPLY = re.compile(r"\b(?:sort|apply|go|update|ok)\b", re.IGNORECASE)
_COUNT = re.compile(r"\s*\(\d+\)$")


def sort_field(mind: Mind) -> tuple[Node, str] | None:
    """The field that sorts this list, and the option the goal wants."""
    pattern = _WANTED.get((mind.goal.extreme, mind.goal.measure))
    if pattern is None:
        return None
    for one in mind.page.fields:
        if one.role in ("combobox", "listbox") and mind.page.in_main(one):
            for option in one.options:
                if pattern.search(option):
                    return one, option
    return None


def filters(mind: Mind) -> list[tuple[str, Node | None]]:
    """What the list is to be filtered by, with the link that does it where the page offers one."""
    goal = mind.goal
    out: list[tuple[str, Node | None]] = []
    links = [(_COUNT.sub("", one.name), one) for one in mind.page.links if mind.page.in_main(one)]
    here = mind.page.heading.lower()
    for name in goal.names:
        if name.lower() == here or name == goal.find or name == goal.thing:
            continue
        link = next((one for label, one in links if label.lower() == name.lower()), None)
        if link is not None or mind.did(f"I click link '{moving.plain(name)} ("):
            out.append((name, link))
    money = [bound.value for bound in goal.bounds if bound.measure == "money"]
    if money:
        for label, one in links:
            amounts = [round(amount) for amount in values.all_money(label)]
            if (
                amounts
                and _same_side(label, goal.text)
                and all(any(abs(amount - bound) <= 1 for bound in money) for amount in amounts)
            ):
                out.append((label, one))
    return out


def _same_side(label: str, text: str) -> bool:
    down = re.compile(r"\b(?:under|below|less)\b", re.IGNORECASE)
    up = re.compile(r"\b(?:above|over|more|up)\b", re.IGNORECASE)
    return bool(down.search(label)) == bool(down.search(text)) and bool(up.search(label)) == bool(up.search(text))


def arrange(mind: Mind) -> Move | None:
    """The next step of sorting and filtering; None when all is done or nothing is to do."""
    field = sort_field(mind)
    if field is not None:
        node, option = field
        if mind.past and f"I choose '{moving.plain(option)}'" in mind.past[-1].thought and not mind.past[-1].error:
            button = apply_button(mind, node)
            if button is not None:
                return moving.click(button)
    sorting = field is not None and not mind.did(f"I choose '{moving.plain(field[1])}'")
    open_filters = [
        (name, link)
        for name, link in filters(mind)
        if link is not None and not mind.did(f"I click link '{moving.plain(name)}")
    ]
    both = field is not None and bool(filters(mind))
    sort_first = mind.choose("sort_first") if both and (sorting or open_filters) else False
    if sorting and field is not None and (sort_first or not open_filters):
        return moving.pick(*field)
    if open_filters:
        link = open_filters[0][1]
        assert link is not None
        return moving.click(link)
    return None


def filtered_by(mind: Mind) -> list[str]:
    """The names that this attempt has filtered by."""
    return [name for name in mind.goal.names if mind.did(f"I click link '{moving.plain(name)} (")]


def apply_button(mind: Mind, field: Node) -> Node | None:
    """The button beside a field."""
    form = mind.page.form_of(field)
    buttons = [one for one in form.walk() if one.role == "button" and one.bid]
    named = [one for one in buttons if _APPLY.search(one.name) or stems(one.name) & stems(field.name)]
    return next(iter(named or buttons), None)
