"""Forms: which field gets which part of the goal, and which button sends it off."""

from __future__ import annotations

import re
from collections.abc import Callable

from reasoningbank.llm.offline import moving
from reasoningbank.llm.offline.goal import Goal
from reasoningbank.llm.offline.mind import Mind, Move
from reasoningbank.llm.offline.page import Node
from reasoningbank.llm.offline.words import STOP, covered, stems, tokens, widened

_PHONE = re.compile(r"\b\d{3}[-. ]\d{3}[-. ]\d{4}\b")
_PLACE = re.compile(r"(\d+ [A-Z][\w.' ]+?), ([A-Z][\w.' ]+?), ([A-Z]{2}) (\d{5})")
_STREET = re.compile(r"\b\d+(?: [A-Z][a-z]+)+")
_MAIL = re.compile(r"[\w.+-]+@[\w-]+\.\w+")
_TO = re.compile(r"\bto ([^,;]+?)\.?$")
_PERCENT = re.compile(r"\b(\d+) ?(?:percent|%)")
_PRICE = re.compile(r"\$([\d.,]*\d)")
_AS = re.compile(r"\bas ([\w-]+)(?=[:,. ])")
# How often: an adverb for each unit of time, and what comes before the unit in other ways to say it.
_RHYTHMS = {"day": "daily", "week": "weekly", "month": "monthly", "quarter": "quarterly", "year": "yearly"}
_EACH = re.compile(
    r"\b(?:every|each|per|(?:once )?an?|one time (?:per|an?)) (?:single )?(day|week|month|quarter|year)\b"
    r"|\b(annually)\b"
)


def desired(goal: Goal, field: Node, used: frozenset[str]) -> str | None:
    """The text that belongs into a text field; None when the goal says nothing of it."""
    said = _said_of(goal, field.name)
    if said is not None:
        return said if said not in used else None
    own = stems(field.name)
    for words, finder in _FINDERS:
        if own & stems(words):
            return finder(goal, own)
    left = [quote for quote in goal.quoted if quote not in used]
    if left and own & stems("text message comment body review"):
        return as_written(goal, left[-1])
    if left and own & stems("title summary subject headline"):
        return as_written(goal, left[0])
    return None


def _said_of(goal: Goal, label: str) -> str | None:
    """What stands in quotation marks behind a word of the label."""
    for word in tokens(label):
        if word.lower() not in STOP and len(word) >= 3:
            found = re.search(
                rf"\b{re.escape(word)}s?\b(?: is| to| as|:|=)? [\"“]([^\"”]+)[\"”]", goal.text, re.IGNORECASE
            )
            if found:
                return found.group(1).strip()
    return None


def _matched(pattern: re.Pattern[str]) -> Callable[[Goal, frozenset[str]], str | None]:
    def find(goal: Goal, own: frozenset[str]) -> str | None:
        found = pattern.search(goal.text)
        return found.group(found.lastindex or 0) if found else None

    return find


def _place_part(number: int) -> Callable[[Goal, frozenset[str]], str | None]:
    def find(goal: Goal, own: frozenset[str]) -> str | None:
        place = _PLACE.search(goal.text)
        if place:
            return place.group(number)
        street = _STREET.search(goal.text) if number == 1 else None
        if street:
            return street.group(0)
        to = _TO.search(goal.text)
        return to.group(1) if to and own & goal.stems else None

    return find


def _day(end: int) -> Callable[[Goal, frozenset[str]], str | None]:
    def find(goal: Goal, own: frozenset[str]) -> str | None:
        said = goal.span if own & goal.stems else None
        return (said.start, said.end)[end].strftime("%m/%d/%Y") if said else None

    return find


def _amount(goal: Goal, own: frozenset[str]) -> str | None:
    """`2 of the thing`, `2 more things`, else the last small number."""
    before = re.search(rf"(\d+)(?: \w+){{0,3}}? {re.escape(goal.thing)}", goal.text) if goal.thing else None
    plain = [number for number in goal.numbers if len(number) <= 3]
    return before.group(1) if before else plain[-1] if plain else None


def _record(goal: Goal, own: frozenset[str]) -> str | None:
    long = [number for number in goal.numbers if len(number) >= 5 and number.isdigit()]
    return long[0] if long and own & goal.stems else None


_FINDERS: tuple[tuple[str, Callable[[Goal, frozenset[str]], str | None]], ...] = (
    ("phone telephone", _matched(_PHONE)),
    ("street", _place_part(1)),
    ("city town", _place_part(2)),
    ("state", _place_part(3)),
    ("zip postal postcode", _place_part(4)),
    ("mail email", _matched(_MAIL)),
    ("quantity qty amount", _amount),
    ("track", lambda goal, own: goal.codes[-1] if goal.codes else None),
    ("number", _record),
    ("nick nickname username", _matched(_AS)),
    ("code sku", lambda goal, own: goal.codes[0] if goal.codes else None),
    ("percent", _matched(_PERCENT)),
    ("start begin", _day(0)),
    ("end expire", _day(1)),
    ("price cost", _matched(_PRICE)),
)


def as_written(goal: Goal, quote: str) -> str:
    """A quoted part with the full stop that stands inside its quotation marks."""
    found = re.search(re.escape(quote) + r"[.!?]?(?=[\"”'])", goal.text)
    return found.group(0) if found else quote


def option_for(goal: Goal, field: Node) -> str | None:
    """The option of a list that the goal names."""
    text = _EACH.sub(lambda found: _RHYTHMS.get(found.group(1), "yearly"), f" {goal.text.lower()} ")
    label = stems(field.name)
    names = stems(" ".join(goal.names + goal.quoted)) | goal.stems
    topic = label - stems("frequency of rating sort subject country status topic quantity")
    named = bool(topic) and not topic <= names
    best = ""
    rest = text
    for name in sorted((name.lower() for name in goal.names), key=len, reverse=True):
        if stems(name) <= label:
            rest = rest.replace(name, " ")
    for word in label & frozenset(text.split()):
        rest = rest.replace(f" {word} ", " ", 1) if topic and word in topic else rest
    rest = _without(rest, " ".join(tokens(field.name)[2:]).lower())
    for option in field.options:
        if re.search(rf"(?<![\w]){re.escape(option.lower())}(?![\w])", rest) and len(option) > len(best):
            best = option
    if not best and stems("status") & label:
        verb = goal.text.split()[0].lower()
        return next((option for option in field.options if len(verb) > 3 and option.lower().startswith(verb)), None)
    return None if named and len(best.split()) < 2 else best or None


def _without(text: str, part: str) -> str:
    return text.replace(part, " ", 1) if part else text


def radio_for(goal: Goal, boxes: list[Node]) -> Node | None:
    """The radio button whose words the goal says, where one clearly does."""
    scored = []
    for one in boxes:
        own = stems(one.name)
        named = sum(2.0 for name in goal.names if name.lower() in one.name.lower())
        scored.append((named + len(own & goal.stems), one))
    scored.sort(key=lambda pair: -pair[0])
    if not scored or scored[0][0] <= 0 or (len(scored) > 1 and scored[0][0] == scored[1][0]):
        return None
    return scored[0][1]


def next_field(mind: Mind, fields: list[Node]) -> Move | None:
    """Fill the next field that does not hold what it should."""
    goal = mind.goal
    used = frozenset(re.findall(r"I fill \w+ '[^']*' with '([^']*)'", mind.thoughts))
    groups: dict[Node | None, list[Node]] = {}
    for field in fields:
        if field.role == "radio":
            group = next((above for above in field.up() if above.role in ("group", "radiogroup")), None)
            groups.setdefault(group, []).append(field)
        elif field.role in ("combobox", "listbox"):
            option = option_for(goal, field)
            if option and field.value != option:
                move = moving.pick(field, option)
                if not mind.did(move.saying):
                    return move
        elif field.role in ("textbox", "spinbutton", "searchbox"):
            text = desired(goal, field, used)
            if text and field.value != text:
                move = moving.fill(field, text)
                tries = mind.did(move.saying)
                if tries == 0 or (tries < 2 and moving.plain(text) not in used):
                    return move
    for boxes in groups.values():
        chosen = radio_for(goal, boxes)
        if chosen is not None and not chosen.on and not mind.did(moving.click(chosen).saying):
            return moving.click(chosen)
    return None


def form_fields(mind: Mind) -> list[Node]:
    """The fields of this page's own part."""
    return [
        one for one in mind.page.fields if mind.page.in_main(one) and any(above is mind.page.main for above in one.up())
    ]


_FINAL = re.compile(
    r"\b(?:save|update|confirm|submit|send|place|apply|review|post|finish|continue|proceed|add|create|store)\b",
    re.IGNORECASE,
)


def send_button(mind: Mind, field: Node) -> Node | None:
    """The button that stores what a field holds: in its form, outside of single rows."""
    form: Node = mind.page.main
    for above in field.up():
        if above.role in ("row", "listitem", "gridcell", "cell", "paragraph"):
            continue
        if any(one.role == "button" and not _in_row(one, above) for one in above.walk()):
            form = above
            break
    buttons = [one for one in form.walk() if one.role == "button" and one.bid and not _in_row(one, form)]
    named = [one for one in buttons if _FINAL.search(one.name)]
    return next(reversed(named or buttons), None)


def _in_row(node: Node, form: Node) -> bool:
    for above in node.up():
        if above is form:
            return False
        if above.role in ("row", "listitem"):
            return True
    return False


def matching_button(mind: Mind, buttons: list[Node]) -> Node | None:
    """The button whose words fit the goal best."""
    wide = widened(mind.goal.stems)
    best, score = None, 0.4
    for one in buttons:
        fit = (
            covered(one.name, mind.goal.stems)
            + 0.5 * covered(one.name, wide)
            - 0.2 * mind.did(moving.click(one).saying)
        )
        if fit > score:
            best, score = one, fit
    return best
