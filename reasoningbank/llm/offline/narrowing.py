"""Forms that narrow a list or a report: which field holds what, the clearing of what stands there, and the button."""

from __future__ import annotations

import re
from datetime import date, timedelta

from reasoningbank.llm.offline import moving
from reasoningbank.llm.offline.mind import Mind, Move
from reasoningbank.llm.offline.page import FIELDS, Node
from reasoningbank.llm.offline.values import Span
from reasoningbank.llm.offline.words import STOP, stems, tokens

_PRESS = re.compile(r"^(?:search|filter|find|show|run|generate)\b", re.IGNORECASE)
_CLEAR = re.compile(r"^(?:clear|reset)\b", re.IGNORECASE)
_END = re.compile(r"^(.*?)\s*\b(from|to|since|until|min|max)$", re.IGNORECASE)
_DATES = stems("date day created placed")
_SUMS = stems("price total cost amount")
_CALLED = stems("name customer person user product")
_ALWAYS = Span(date(2000, 1, 1), date(2099, 12, 31))
TELLING = re.compile(r"\b(?:tells?|told|sees?|informed)\b", re.IGNORECASE)
"""Words of a goal that calls a state as somebody else is told it."""


def button(mind: Mind) -> Node | None:
    """What applies the form; None where this page has no such form."""
    return next((one for one in mind.page.buttons if mind.page.in_main(one) and _PRESS.search(one.name)), None)


def fields(mind: Mind) -> list[Node]:
    """The form's fields."""
    press = button(mind)
    return [] if press is None else [one for one in mind.page.form_of(press).walk() if one.role in FIELDS and one.bid]


def narrow(mind: Mind, state: str | None) -> Move | None:
    """The next step with the form; None when it holds and shows what the goal says. `state` is chosen as a state."""
    press = button(mind)
    if press is None:
        return _link(mind)
    wished = [(field, wish(mind, field, state)) for field in fields(mind)]
    left = [field for field, wanted in wished if wanted is None and _set(field)]
    clear = next((one for one in mind.page.buttons if _CLEAR.search(one.name)), None)
    if left and clear is not None and mind.choose("clear_first"):
        return moving.click(clear)
    for field, wanted in wished:
        if wanted is not None and field.value != wanted:
            step = moving.pick(field, wanted) if field.options else moving.fill(field, wanted)
            if mind.past and step.saying in mind.past[-1].thought:
                return None
            return step
    typed = max(
        (
            max(mind.thoughts.rfind(f"I fill {one.role} '{one.name}'"), mind.thoughts.rfind(f" in '{one.name}'."))
            for one, wanted in wished
            if wanted
        ),
        default=-1,
    )
    pressed = mind.thoughts.rfind(moving.click(press).saying)
    return moving.click(press) if pressed < typed else None


def _set(field: Node) -> bool:
    options = field.options
    return field.value != (options[0] if options else "")


def _link(mind: Mind) -> Move | None:
    """Links that narrow the list at once, in lists of their own."""
    said = mind.goal.text.lower()
    listed = (one for one in mind.page.links if any(above.role == "list" and above.name for above in one.up()))
    for one in listed:
        if mind.page.in_main(one) and one.name.lower() in tokens(said) and not moving.visits(mind, one):
            return moving.click(one)
    return None


def wish(mind: Mind, field: Node, state: str | None) -> str | None:
    """What a field should hold; None when the goal says nothing of it."""
    goal, own = mind.goal, stems(field.name)
    if field.options:
        return _option(mind, field, own, state)
    end = _END.match(field.name)
    if end:
        return _limit(mind, stems(end.group(1)), end.group(2).lower() in ("from", "since", "min"))
    if "#" in field.name:
        return goal.record if own & stems(mind.page.heading) else None
    if own & stems("sku code"):
        return goal.codes[0] if goal.codes else None
    for word in tokens(field.name):
        said = re.search(rf"\b{re.escape(word.lower())} ([A-Z]\w*)\b(?!-)", goal.text)
        if said and word.lower() not in STOP:
            return next((name for name in goal.names if name.startswith(said.group(1))), said.group(1))
    return goal.called[0] if goal.called and own & _CALLED else None


def _limit(mind: Mind, own: frozenset[str], low: bool) -> str | None:
    """One end of a range of days, of money, or of a number."""
    goal = mind.goal
    if not own or own & _DATES:
        span = goal.span or (None if own else _ALWAYS)
        if span is None:
            return None
        day = span.start if low else span.end
        if not low and goal.span is not None and mind.choose("end_day"):
            day += timedelta(days=1)
        return day.strftime("%m/%d/%Y")
    for bound in goal.bounds:
        fits = own & _SUMS if bound.measure == "money" else own & goal.stems
        if fits and (bound.sign in (">", ">=")) == low:
            return f"{bound.value:g}"
    return None


def _option(mind: Mind, field: Node, own: frozenset[str], state: str | None) -> str | None:
    goal = mind.goal
    if state is not None and own & stems("state status"):
        return state if state in field.options else None
    unit = next((one for one in field.options if one.lower() == "month"), None)
    if unit is not None:
        one = goal.span is None or (goal.span.start.month, goal.span.start.year) == (
            goal.span.end.month,
            goal.span.end.year,
        )
        long = goal.span is not None and goal.span.end - goal.span.start > timedelta(31)
        return field.options[-1] if goal.names and long else unit if one or goal.names else None
    said = goal.text.lower()
    if " or not" in said or (field.options[-1].isdigit() and not own & goal.stems):
        return None
    found = [
        option
        for option in field.options[1:]
        if not re.search(rf"\binto (?:the )?\w+ {option.lower()}", said)
        and re.search(rf"\b{re.escape(option.lower())}\b", said)
    ]
    return max(found, key=len, default=None)
