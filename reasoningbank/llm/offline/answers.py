"""Answers as they are asked for: which value on the page it is, and in which form it is told."""

from __future__ import annotations

import re

from reasoningbank.llm.offline import moving, values
from reasoningbank.llm.offline.aims import MONEY
from reasoningbank.llm.offline.mind import Mind, Move
from reasoningbank.llm.offline.page import Node
from reasoningbank.llm.offline.words import covered, stems, widened

DATE = re.compile(r"\bwhen (?:did|was|were|is|do)\b|\b(?:date|which day|what day)\b", re.IGNORECASE)
_WHO = re.compile(r"\b(?:who|nicknames?|reviewers?|person|author|user ?names?)\b", re.IGNORECASE)
_BY = re.compile(r"\b[Bb]y ([\w .’'-]+?)(?:,| on\b| -|$)")
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


def term(mind: Mind, inside: Node | None = None) -> str:
    """The value whose label the goal names."""
    wide = widened(mind.goal.stems - stems(mind.goal.thing) - stems(" ".join(mind.goal.names)))
    best, score = "", 0.45
    for label, value in mind.page.terms:
        fit = covered(label, wide) + 0.3 * covered(label, mind.goal.stems)
        if fit > score and fits(mind, value) and (inside is None or value in inside.text()):
            best, score = value, fit
    return best


def counted_in_text(mind: Mind) -> str:
    """The number before the noun that is counted, in the sentence that has most words of the question."""
    noun = re.search(r"how many (\w+)", mind.goal.text, re.IGNORECASE)
    if noun is None:
        return ""
    pattern = re.compile(rf"\b(\d+) (?:\w+ )?{re.escape(noun.group(1))}", re.IGNORECASE)
    asked = stems(mind.goal.text[noun.end() :]) or mind.goal.stems
    best, score = "", 0.0 if mind.goal.thing else 0.45
    for sentence in re.split(r"(?<=[.!?;])\s+", mind.page.main_text):
        found = pattern.search(sentence)
        fit = len(asked & stems(sentence)) / max(1, len(asked))
        if found and fit > score:
            best, score = found.group(1), fit
    return best


def holder_of(mind: Mind) -> Node | None:
    """The smallest part of the page that names what the goal names and holds more than that."""
    names = [name for name in mind.goal.names if name != mind.goal.thing]
    if not names:
        return None
    best: Node | None = None
    for node in mind.page.main.walk():
        if node.role in ("listitem", "row", "article", "Section", "region") and len(node.children) > 1:
            text = node.text()
            if all(name in text for name in names) and (best is None or len(text) < len(best.text())):
                best = node
    return best


def guess(mind: Mind) -> str:
    """Something of the asked type, when nothing better is found."""
    mind.remarks.append("I am not sure.")
    amounts = values.all_money(mind.page.main_text)
    return f"${amounts[-1]:,.2f}" if amounts and MONEY.search(mind.goal.text) else mind.page.heading


def asked_of(mind: Mind, text: str, name: str) -> str:
    """The part of a row that is asked for."""
    goal = mind.goal.text
    if _WHO.search(goal):
        found = _BY.findall(text)
        return found[-1].strip() if found else name
    if MONEY.search(goal) and not re.search(r"\bnames?\b|^which|\bwhich of\b", goal, re.IGNORECASE):
        amount = values.money(text)
        return f"${amount:,.2f}" if amount is not None else name
    return name
