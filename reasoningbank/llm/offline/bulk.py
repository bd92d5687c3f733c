"""The same done to many rows of a list: tick them, choose what is to be done with them, send it off."""

from __future__ import annotations

import re

from reasoningbank.llm.offline import forms, moving, narrowing
from reasoningbank.llm.offline.mind import Mind, Move
from reasoningbank.llm.offline.page import Collection, Node
from reasoningbank.llm.offline.words import stems

_TICK_ALL = re.compile(r"^(?:select|tick|check|mark) all\b", re.IGNORECASE)


def act(mind: Mind, one: Collection) -> Move | None:
    """The next step, on every page or on this one."""
    field = next((one for one in mind.page.fields if one.options and "action" in one.name.lower()), None)
    tick = next((button for button in mind.page.buttons if _TICK_ALL.match(button.name)), None)
    send = forms.send_button(mind, field) if field is not None else None
    if field is None or tick is None or send is None:
        return None
    done, further = moving.visits(mind, send), moving.following(mind)
    if further is not None and not done and mind.choose("each_page"):
        return moving.click(further)
    clicked = re.findall(r"I click link '([^']*)'", mind.thoughts)
    pages = 1 + sum(moving.NEXT.match(name) is not None for name in clicked)
    if done >= pages:
        return moving.tell("Done.", "All of it is done. I tell the user.")
    number = re.compile(rf"(?:\w+ )?{pages - done}$")
    there = next((link for link in mind.page.links if mind.page.in_main(link) and number.match(link.name)), None)
    if done and there is not None:
        return moving.click(there)
    boxes = [box for row in one.rows for box in row.node.walk() if box.role == "checkbox"]
    if not all(box.on for box in boxes):
        return moving.click(tick)
    option = _option(mind, field)
    return moving.pick(field, option) if field.value != option else moving.click(send)


def _option(mind: Mind, field: Node) -> str:
    """What the goal says is to be done: by the beginnings of its words that no filter shows."""
    shown = stems(" ".join(one.value for one in narrowing.fields(mind)))
    said = {word[:5] for word in mind.goal.stems - shown}
    return max(field.options[1:], key=lambda name: len({word[:5] for word in stems(name.split(":")[-1])} & said))
