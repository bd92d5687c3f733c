"""What a state is called here that a goal names as somebody else is told it."""

from __future__ import annotations

import re

from reasoningbank.llm.offline import moving, narrowing
from reasoningbank.llm.offline.mind import Mind, Move
from reasoningbank.llm.offline.rows import cell
from reasoningbank.llm.offline.words import stems


def meant(mind: Mind) -> tuple[str | None, Move | None]:
    """The state that a goal means by what somebody is told, or the step that finds it out."""
    goal = mind.goal
    if not goal.quoted or not narrowing.TELLING.search(goal.text):
        return None, None
    told = goal.quoted[0]
    if not mind.choose("own_names", told):
        return told, None
    known = re.search(rf"'{re.escape(told)}' is called '([^']*)' here", mind.thoughts)
    if known:
        return known.group(1), None
    for node in mind.page.main.walk():
        parts = node.text().split(" | ") if node.role == "listitem" else []
        if any(told in part and len(part.split()) > 2 for part in parts):
            own = next((part for part in parts if len(part.split()) <= 2 and not re.search(r"\d", part)), told)
            mind.remarks.append(f"'{told}' is called '{own}' here.")
            return own, None
    one = next((one for one in mind.page.collections if one.headers), None)
    for row in one.rows if one is not None else []:
        saying = f"I look into one that is '{cell(row, 'state')}'."
        link = row.first_link()
        if cell(row, "state") and link is not None and not mind.did(saying):
            mind.remarks.append(saying)
            return None, moving.click(link)
    if mind.past and "I look into one" in mind.past[-1].thought:
        return None, moving.back()
    further = moving.following(mind)
    if (
        one is not None
        and any(cell(row, "state") for row in one.rows)
        and further is not None
        and moving.visits(mind, further) < 3
    ):
        return None, moving.click(further)
    lower = goal.text.lower()
    near = min(
        (link for link in moving.menu(mind) if stems(link.name)),
        key=lambda link: (len(stems(link.name) - goal.stems), min(lower.find(word) for word in stems(link.name))),
    )
    return (None, moving.click(near)) if stems(near.name) != stems(mind.page.heading) else (told, None)
