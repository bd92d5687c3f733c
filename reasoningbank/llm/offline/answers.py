"""Answers as they are asked for: which value on the page it is, and in which form it is told."""

from __future__ import annotations

import re

from reasoningbank.llm.offline import moving, values
from reasoningbank.llm.offline.aims import MONEY
from reasoningbank.llm.offline.mind import Mind, Move
from reasoningbank.llm.offline.words import covered, stems, widened

DATE = re.compile(r"\bwhen (?:did|was|were|is|do)\b|\b(?:date|which day|what day)\b", re.IGNORECASE)
ALL_OF = re.compile(r"\b(?:total|altogether|together|sum|overall)\b", re.IGNORECASE)


def fits(mind: Mind, text: str) -> bool:
    """Whether a text is of the type that is asked for."""
    goal = mind.goal.text
    if DATE.search(goal):
        return values.day(text, day_first=False) is not None or values.day(text, day_first=True) is not None
    if MONEY.search(goal) or ALL_OF.search(goal):
        return values.money(text) is not None
    return bool(text.strip())


def typed(mind: Mind, text: str) -> Move:
    """Answer with a text, a date in the form asked for."""
    goal = mind.goal
    if DATE.search(goal.text):
        day_first = mind.choose("day_first") if values.slashed(text) else False
        day = values.day(text, day_first=day_first)
        if day is not None:
            return moving.tell(day.isoformat() if "YYYY" in goal.form else text)
    if goal.aim == "count" or "number only" in goal.form:
        found = values.number(text)
        return moving.tell(f"{found:g}" if found is not None else text)
    amount = values.money(text)
    if amount is not None and MONEY.search(goal.text):
        return moving.tell(f"${amount:,.2f}")
    return moving.tell(text)


def term(mind: Mind) -> str:
    """The value whose label the goal names."""
    wide = widened(mind.goal.stems - stems(mind.goal.thing) - stems(" ".join(mind.goal.names)))
    best, score = "", 0.45
    for label, value in mind.page.terms:
        fit = covered(label, wide) + 0.3 * covered(label, mind.goal.stems)
        if fit > score and fits(mind, value):
            best, score = value, fit
    return best


def asked_of(mind: Mind, text: str, name: str) -> str:
    """The part of a row that is asked for."""
    goal = mind.goal.text
    if MONEY.search(goal) and not re.search(r"\bnames?\b|^which|\bwhich of\b", goal, re.IGNORECASE):
        amount = values.money(text)
        return f"${amount:,.2f}" if amount is not None else name
    return name
