"""Changes: to the place, into the form, and past the button that stores it. Also goals that only want a page shown."""

from __future__ import annotations

import re
from dataclasses import replace

from reasoningbank.llm.offline import forms, listing, moving
from reasoningbank.llm.offline.asking import ask
from reasoningbank.llm.offline.mind import Mind, Move, done_with
from reasoningbank.llm.offline.page import Node
from reasoningbank.llm.offline.rows import collection
from reasoningbank.llm.offline.words import stems, widened

_DONE = re.compile(
    r"\b(?:you (?:have )?(?:added|updated|changed|saved)|(?:was|were|has been|have been|is"
    r"|are) (?:\w+ )?(?:added|saved|updated|removed|deleted|stored|placed|sent|submitted|received|confirmed"
    r"|changed|created|subscribed|posted|accepted|cancell?ed|put)"
    r"|thank you|added to|saved|success\w*)\b",
    re.IGNORECASE,
)
_CONFIRM = re.compile(
    r"^(?:confirm|place|submit|complete|finish|finali[sz]e|yes|review order|continue|proceed)\b", re.IGNORECASE
)
_ORDERING = re.compile(
    r"^(?:please |can you )?(?:order|buy|purchase|check ?out)\b|\b(?:and|then) (?:order|buy|check ?out)\b",
    re.IGNORECASE,
)
_PROCEED = re.compile(r"\b(?:proceed|checkout|check out|continue)\b", re.IGNORECASE)
_INTO = re.compile(r"\b(?:to|into|on|my) (?:my |the )?(cart|basket|bag|wish ?list|favou?rites|list)\b", re.IGNORECASE)


def change(mind: Mind) -> Move | None:
    """One step towards a change."""
    goal, page = mind.goal, mind.page
    rest = [name for name in goal.things if not mind.did(done_with(name))]
    if stored(mind) and len(rest) > 1:
        mind.remarks.append(done_with(goal.thing))
        mind.goal = replace(goal, thing=rest[1])
        return moving.to_thing(mind)
    if stored(mind):
        return moving.tell("Done.", "The page says that it is done. I tell the user.")
    number = goal.record
    step = confirm(mind)
    if step is not None:
        return step
    if goal.thing and not goal.area:
        return _with_thing(mind)
    if number and not _form_asks(mind) and not mind.did("I click button"):
        if number in page.heading:
            button = forms.matching_button(mind, _buttons(mind))
            return moving.click(button) if button is not None else moving.give_up("There is no button for this.")
        if not re.search(r"\b(?:form|write to|contact|message)\b", goal.text, re.IGNORECASE):
            return _to_number(mind, number)
    step = _in_row(mind) or fill(mind)
    if step is not None:
        return step
    words = stems(goal.area) or goal.stems - stems(" ".join(goal.quoted))
    names = [name for name in goal.names if not re.search(r"\d", name)]
    arrived = mind.past and stems(page.heading) & widened(words)
    if (
        arrived
        and names
        and not any(name.lower() in page.main_text.lower() for name in names)
        and not re.search(r"\bnew\b", goal.text)
    ):
        return moving.give_up(f"There is no {moving.plain(names[0])} here.")
    return moving.to_area(mind, words)


def stored(mind: Mind) -> bool:
    """Whether the page reports the change that the last steps made."""
    if not mind.past or "I click button" not in mind.past[-1].thought:
        return False
    if not any(_DONE.search(notice) for notice in mind.page.notices):
        return bool(_DONE.search(mind.page.heading))
    # What is to be ordered is not done when it was put in.
    placed = re.search(r"\bplaced|purchase|order number\b", " ".join(mind.page.notices), re.IGNORECASE)
    return placed is not None or not _ORDERING.search(mind.goal.text)


def _buttons(mind: Mind) -> list[Node]:
    return [one for one in mind.page.buttons if any(above is mind.page.main for above in one.up())]


def confirm(mind: Mind) -> Move | None:
    """A page that only shows what was entered, with a button to store it."""
    if not mind.past or not re.search(r"I (?:click|press) button", mind.past[-1].thought) or forms.form_fields(mind):
        return None
    button = next((one for one in _buttons(mind) if _CONFIRM.search(one.name)), None)
    if button is None:
        return None
    if re.search(r"\border\b", button.name, re.IGNORECASE):
        return moving.click(button)
    return _store(mind, button)


def _store(mind: Mind, button: Node) -> Move:
    """Press the storing button, or hold the change for made."""
    if mind.choose("confirm", moving.plain(button.name)):
        return moving.click(button)
    return moving.tell("Done.")


def _with_thing(mind: Mind) -> Move | None:
    goal = mind.goal
    if not moving.at_thing(mind):
        return moving.to_thing(mind)
    if re.search(r"\breview\b", goal.text, re.IGNORECASE) and goal.quoted:
        return fill(mind)
    into = _INTO.search(goal.text)
    words = stems(into.group(1)) if into else frozenset()
    buttons = [one for one in _buttons(mind) if not words or words & stems(one.name)] or _buttons(mind)
    button = forms.matching_button(mind, buttons)
    if button is None:
        return None
    amount = next((field for field in forms.form_fields(mind) if stems(field.name) & stems("quantity qty")), None)
    if amount is not None and amount in list(mind.page.form_of(button).walk()):
        wanted = forms.desired(goal, amount, frozenset())
        if wanted and amount.value != wanted and not mind.did(moving.fill(amount, wanted).saying):
            return moving.fill(amount, wanted)
    return moving.click(button)


def _form_asks(mind: Mind) -> bool:
    """Whether this page has a form with a text field of its own."""
    return any(
        field.role == "textbox" and stems(field.name) & mind.goal.stems for field in forms.form_fields(mind)
    ) and bool(mind.goal.quoted)


def _to_number(mind: Mind, number: str) -> Move | None:
    for one in mind.page.collections:
        for row in one.rows:
            link = row.first_link()
            if number in row.text.split() and link is not None:
                return moving.click(link)
    further = moving.following(mind)
    if further is not None and stems(mind.page.heading) & stems("orders"):
        return moving.click(further)
    return moving.to_area(mind, stems("orders"))


def _in_row(mind: Mind) -> Move | None:
    """The entry of a list that the goal means: change its field, or follow the link to its form."""
    goal = mind.goal
    names = [goal.thing] if goal.thing else [name for name in goal.names if not re.search(r"\d", name)]
    if not names or re.search(r"\bnew\b", goal.text, re.IGNORECASE):
        return None
    best: Node | None = None
    for node in mind.page.main.walk():
        if node.role in ("row", "listitem", "article", "Section") and all(
            name.lower() in node.text().lower() for name in names
        ):
            linked = any(one.role in ("link", "button") and one.bid for one in node.walk())
            if linked and (best is None or len(node.text()) < len(best.text())):
                best = node
    if best is None:
        return None
    field = next((one for one in best.walk() if one.role in ("textbox", "spinbutton") and one.bid), None)
    if field is not None:
        return _fill_and_store(mind, [field])
    wide = widened(goal.stems | stems("edit change"))
    for one in best.walk():
        if (
            one.role == "link"
            and one.bid
            and stems(one.name) <= wide
            and stems(one.name) & stems("edit change update modify")
        ):
            return moving.click(one)
    return None


def fill(mind: Mind) -> Move | None:
    """Work through the form of this page, where it has one that the goal speaks of."""
    fields = forms.form_fields(mind)
    proceed = next(
        (one for one in mind.page.links if _PROCEED.search(one.name) and any(a is mind.page.main for a in one.up())),
        None,
    )
    if proceed is not None and re.search(r"\b(?:order|buy|purchase|check ?out)\b", mind.goal.text, re.IGNORECASE):
        return moving.click(proceed)
    if not fields:
        return None
    return _fill_and_store(mind, fields)


def _fill_and_store(mind: Mind, fields: list[Node]) -> Move | None:
    step = forms.next_field(mind, fields)
    if step is not None:
        return step
    touched = [field for field in fields if _touched(mind, field)]
    if not touched:
        return None
    button = forms.send_button(mind, touched[-1])
    if button is None or mind.did(moving.click(button).saying) >= 2:
        return None
    simple = all(field.role in ("textbox", "combobox", "checkbox", "spinbutton") for field in touched)
    if (
        simple
        and len(touched) == 1
        and re.search(r"\b(?:update|save|apply|confirm|store)\b", button.name, re.IGNORECASE)
    ):
        mover = re.search(r"\b(?:address|details)\b", button.name, re.IGNORECASE)
        return moving.click(button) if mover else _store(mind, button)
    return moving.click(button)


def _touched(mind: Mind, field: Node) -> bool:
    name = moving.plain(field.name)
    said = f"I fill {field.role} '{name}'" in mind.thoughts or f"in '{name}'." in mind.thoughts
    return said or (field.role == "radio" and field.on)


def _first_of(mind: Mind, place: Node) -> Move | None:
    """The first entry of a list in order, where its own page is asked for."""
    goal, one = mind.goal, collection(mind)
    if not goal.extreme or not re.search(r"\bpage of\b", goal.text) or mind.page.heading.lower() != place.name.lower():
        return None
    link = one.rows[0].first_link() if one is not None else None
    return moving.click(link) if link is not None else None


def visit(mind: Mind) -> Move | None:
    """Goals that want a page shown."""
    goal, page = mind.goal, mind.page
    shown = moving.tell("Here is the page.", "This is the page that was asked for. I tell the user.")
    if goal.thing:
        return shown if moving.at_thing(mind) else moving.to_thing(mind)
    if goal.find:
        if moving.plain(goal.find) not in moving.searched(mind):
            return moving.search(mind, goal.find)
        return listing.arrange(mind) or shown
    if goal.extreme and moving.own_records(mind):
        if mind.past and re.search(
            r"I click link '(?:view|open|see|details|show)", mind.past[-1].thought, re.IGNORECASE
        ):
            return shown
        return ask(mind)
    place = moving.category(mind)
    if place is not None:
        if page.heading.lower() != place.name.lower() and not moving.visits(mind, place):
            return moving.click(place)
        return listing.arrange(mind) or _first_of(mind, place) or shown
    if goal.record:
        return shown if goal.record in page.heading else _to_number(mind, goal.record)
    row = _in_row(mind)
    if row is not None:
        return row
    if goal.names and mind.past and forms.form_fields(mind) and "edit" in mind.past[-1].thought.lower():
        return shown
    step = moving.to_area(mind, stems(goal.area) or goal.stems, least=0.4)
    heading = stems(page.heading)
    if mind.past and heading and len(heading & widened(goal.stems)) / len(heading) >= 0.5 and not goal.names:
        return shown
    return step
