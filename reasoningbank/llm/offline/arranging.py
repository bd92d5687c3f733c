"""Lists of a place got into shape: the part that is shown, filters, and the order."""

from __future__ import annotations

import re

from reasoningbank.llm.offline import moving
from reasoningbank.llm.offline.mind import Mind, Move
from reasoningbank.llm.offline.page import Collection, Node
from reasoningbank.llm.offline.target import Target, values_of
from reasoningbank.llm.offline.words import WORD

SUPERLATIVE = re.compile(r"\b(?:most|newest|latest|oldest|earliest|first|top|best|least)\b", re.IGNORECASE)
_LIKE = {
    "newest": "newest latest recent",
    "oldest": "oldest earliest first",
    "commented": "comments discussed",
    "top": "top best",
}
_WORDS_FIELD = re.compile(r"\b(?:words|title|text|keyword)\b", re.IGNORECASE)
_PERSON = re.compile(r"\b(?:author|user|person|reporter|owner|member)\b", re.IGNORECASE)
EITHER = re.compile(r"\b(\w+) (?:or|nor) the\b")


def table(mind: Mind) -> Collection | None:
    """The list with columns on this page."""
    return next((one for one in mind.page.collections if one.headers and _own(one.rows[0].node)), None)


def _own(node: Node) -> bool:
    return not any(above.role == "complementary" for above in node.up())


def arrange(mind: Mind, target: Target) -> Move | None:
    """The next step: the part of the list, then filters and order as the agent holds right; None when all is done."""
    step = _part(mind, target)
    if step is not None:
        return step
    wishes = [pair for pair in wishes_of(mind, target) if not mind.did(moving.fill(*pair).saying)]
    kind = order(mind)
    chosen = kind is not None and mind.did(moving.pick(*kind).saying) > 0
    sorting = kind is not None and kind[0].value != kind[1] and not chosen
    last = mind.past[-1] if mind.past else None
    for node in mind.page.fields:
        name = moving.plain(node.name)
        if last and not last.error and mind.page.in_main(node) and name and last.thought.endswith(f" in '{name}'."):
            return _send(mind, node)
        if (
            last
            and mind.page.in_main(node)
            and f"I fill {node.role} '{name}' with" in last.thought
            and not (wishes and not sorting)
            and node.value
        ):
            return _send(mind, node)
    filters = bool(wishes_of(mind, target))
    first = mind.choose("sort_first") if filters and (sorting or (chosen and wishes)) else False
    if sorting and kind is not None and (first or not wishes):
        return moving.pick(*kind)
    return moving.fill(*wishes[0]) if wishes else None


def _send(mind: Mind, node: Node) -> Move | None:
    buttons = [one for one in mind.page.form_of(node).walk() if one.role == "button" and one.bid]
    return moving.click(buttons[-1]) if buttons else None


def order(mind: Mind) -> tuple[Node, str] | None:
    """The field that orders this list, and the option that the goal speaks of."""
    said = {word.lower() for word in WORD.findall(mind.goal.text)}
    if not SUPERLATIVE.search(mind.goal.text):
        return None
    best, score = None, 0.0
    for one in mind.page.of("combobox"):
        for option in one.options if mind.page.in_main(one) else []:
            words = [word for word in option.lower().split() if word not in ("first", "last", "by", "title")]
            fits = [1.0 if word in said else 0.5 if set(_LIKE.get(word, "").split()) & said else 0.0 for word in words]
            if fits and all(fits) and sum(fits) > score:
                best, score = (one, option), sum(fits)
    return best


def _part(mind: Mind, target: Target) -> Move | None:
    """The link of the part that the goal means, where the list is shown in parts and the agent cares."""
    said = target.left
    if table(mind) is None and not moving.empty(mind) and order(mind) is None and not target.item:
        return None
    for node in mind.page.main.walk():
        entries = [child for child in node.children if child.role == "listitem"] if node.role == "list" else []
        names = [entry.text().partition(" (")[0] for entry in entries]
        if len(names) < 3 or not _own(node) or max(len(name.split()) for name in names) > 3:
            continue
        named = [name for name in names if set(name.lower().split()) <= said]
        wanted = named[0] if len(named) == 1 else ""
        if not wanted and "All" in names and not target.creates:
            wanted = "All"
        link = next((one for one in node.walk() if one.role == "link" and one.name == wanted), None)
        if link is None or moving.visits(mind, link):
            continue
        if wanted.lower().startswith("by ") or mind.choose(
            "part", place=f"{mind.page.heading} {node.parent.name if node.parent else ''}"
        ):
            return moving.click(link)
    return None


def wishes_of(mind: Mind, target: Target) -> list[tuple[Node, str]]:
    """What fields of the list should hold."""
    out = []
    people = [name for name, weight in target.names if weight in (0, 2) and name not in here(mind)]
    for one in mind.page.of("textbox", "searchbox"):
        if not mind.page.in_main(one) or any(above.role == "region" for above in one.up()):
            continue
        found = values_of(mind.goal, one.name) if len(one.name.split()) == 1 else []
        if _WORDS_FIELD.search(one.name) and target.item:
            out.append((one, target.item))
        elif len(found) > 1:
            out.append((one, _several(mind, one, found)))
        elif found:
            out.append((one, found[0]))
        elif _PERSON.search(one.name) and people and not target.item:
            out.append((one, people[0]))
    return out


def here(mind: Mind) -> tuple[str, ...]:
    """The names of the places that this page is in."""
    return (mind.page.heading, *mind.page.trail)


def _several(mind: Mind, field: Node, found: list[str]) -> str:
    """One of several values at a time, or all at once."""
    if not mind.choose("one_by_one", place=f"{mind.page.heading} {field.name}"):
        return ", ".join(found)
    done = sum(mind.did(f"I have noted those with '{one}'.") for one in found)
    return found[min(done, len(found) - 1)] if EITHER.search(mind.goal.text) else found[0]
