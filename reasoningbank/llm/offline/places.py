"""Sites of places within places: getting into a named place, to its section, to an entry, and back to the start.

Such a site has a search and a menu but neither a cart nor orders of one's own: a code host, a forum, a wiki.
"""

from __future__ import annotations

import re
from dataclasses import replace

from reasoningbank.llm.offline import arranging, deeds, entries, moving
from reasoningbank.llm.offline.mind import Mind, Move
from reasoningbank.llm.offline.page import Node, is_trail
from reasoningbank.llm.offline.target import Target, parts_of, target_of
from reasoningbank.llm.offline.words import STOP, SYNONYMS, WORD, stem, stems

_SHOP = stems("cart basket bag trolley orders checkout")
_NUMBER = re.compile(r"\s*\(\d+\)$")
_STARTS = re.compile(r"^(?:submit|new|create|add)\b", re.IGNORECASE)
_PEOPLE = re.compile(r"^\w+(?:or|er)s$")
_ASKS_PEOPLE = re.compile(r"\b(?:who|person|people|whom)\b", re.IGNORECASE)
_SMALL = frozenset({"of", "to", "in", "from", "page", "and", "the", "by"})


def applies(mind: Mind) -> bool:
    """Whether this site is of that kind."""
    page = mind.page
    searches = any("search" in one.name.lower() and not page.in_main(one) for one in page.fields)
    frame = (one for one in page.links + page.buttons if not page.in_main(one))
    return searches and not any(stems(one.name) & _SHOP for one in frame) and bool(moving.menu(mind))


def work(mind: Mind) -> Move | None:
    """One step."""
    parts = parts_of(mind.goal)
    if len(parts) > 1:
        number = min(mind.did(entries.ONE), len(parts) - 1)
        mind.goal = replace(parts[number], aim=mind.goal.aim)
        mind.thoughts = mind.thoughts.rpartition(entries.ONE)[2]
    target = target_of(mind.goal)
    mind.goal = replace(mind.goal, thing=target.item)
    if mind.goal.aim == "change":
        step = deeds.ended(mind, target)
        if step is not None:
            return step
    if mind.page.heading and mind.did(entries.looked_up(mind.page.heading)):
        return _at_entry(mind, target)
    if target.item:
        if inside(mind, target.item):
            return _at_entry(mind, target)
        link = _named(mind, target.item)
        if link is not None and not moving.visits(mind, link):
            step = entries.from_row(mind, target, link)
            return step or moving.click(link)
    place = place_of(mind, target)
    if place and not inside(mind, place):
        return _into(mind, target, place)
    person = next((name for name, _ in target.names if re.search(r"\d$", name)), "")
    if person and not place and not target.item and not inside(mind, person):
        return _into(mind, target, person)
    return _section(mind, target, place or person)


def place_of(mind: Mind, target: Target) -> str:
    """The name that is most likely that of a place: by the word before it, and where the page has it as a link."""
    linked = {one.name for one in mind.page.links if not any(above.role == "complementary" for above in one.up())}
    known = re.findall(r"I go into '([^']*)'", mind.thoughts)
    scored = [
        (weight + 3 * (name in linked) * bool(weight) + 9 * (moving.plain(name) in known), -at, name)
        for at, (name, weight) in enumerate(target.names)
    ]
    best = max(scored, default=(0, 0, ""))
    return best[2] if best[0] > 0 else next((name for name, _ in target.names if name in linked), "")


def inside(mind: Mind, place: str) -> bool:
    """Whether this page belongs to a place."""
    chosen = [one.value for one in mind.page.of("combobox") if mind.page.in_main(one)]
    shown = [name.lower() for name in (mind.page.heading, *mind.page.trail, *chosen)]
    return place.lower() in shown or bool(re.search(rf"\b{re.escape(place)}$", mind.page.heading))


def _named(mind: Mind, name: str) -> Node | None:
    """The link with a name, in the page's own part if it is there, else in a menu."""
    found = [one for one in mind.page.links if one.name.lower() == name.lower() and not _beside(one)]
    return next((one for one in found if mind.page.in_main(one)), next(iter(found), None))


def _beside(node: Node) -> bool:
    return any(above.role in ("complementary", "banner") for above in node.up())


def _into(mind: Mind, target: Target, place: str) -> Move | None:
    """Into a named place: by its link, else by the search. A list of all places may tell its figures, too."""
    step = entries.from_places(mind, target, place)
    if step is not None:
        return step
    link = _named(mind, place)
    if link is not None:
        mind.remarks.append(f"I go into '{moving.plain(place)}'.")
        return moving.click(link)
    if moving.plain(place) not in moving.searched(mind):
        return moving.search(mind, place)
    return moving.give_up(f"There is no {moving.plain(place)} here.")


def ways(mind: Mind, target: Target) -> list[Node]:
    """Links of menus whose words the goal says, best first; those of the place before those of the whole site."""
    menus: dict[int, list[Node]] = {}
    listed = arranging.table(mind) is None and not moving.empty(mind)
    for one in mind.page.links:
        menu = next((above for above in one.up() if above.role == "navigation"), None)
        if menu is None and listed and mind.page.in_main(one):
            menu = next((above for above in one.up() if above.role == "list" and not _beside(above)), None)
        if menu is not None and not is_trail(menu) and not (menu.role == "navigation" and _within_main(mind, menu)):
            menus.setdefault(id(menu), []).append(one)
    said = target.words | (stems("submit") if target.creates else frozenset())
    lower = mind.goal.text.lower()
    scored = [
        (fit, at > 0, len(_NUMBER.sub("", one.name).split()), -_first(lower, one.name), -number, one)
        for at, links in enumerate(menus.values())
        for number, one in enumerate(links)
        if (fit := _fit(mind, target, one.name, said)) >= 0.6
    ]
    return [entry[-1] for entry in sorted(scored, key=lambda entry: entry[:-1], reverse=True)]


def _within_main(mind: Mind, node: Node) -> bool:
    return any(above is mind.page.main for above in node.up())


def _first(lower: str, name: str) -> int:
    """Where the goal says a word of a link first."""
    return min((at for word in stems(name) if (at := lower.find(word)) >= 0), default=len(lower))


def _fit(mind: Mind, target: Target, name: str, said: frozenset[str]) -> float:
    """Which share of a link's words the goal says; words of like meaning count for less."""
    if _STARTS.match(name) and not target.creates:
        return 0.0
    if not stems(name) and place_of(mind, target):
        return 0.0
    lower = [word.lower() for word in WORD.findall(_NUMBER.sub("", name))]
    own = [word for word in lower if word not in _SMALL] or lower
    told = sum(_word_fit(word, said, target.left) for word in own)
    doers = (
        mind.goal.span is None
        and _PEOPLE.search(name)
        and (_ASKS_PEOPLE.search(mind.goal.text) or target_of(mind.goal).names)
    )
    leads = doers or (target.kind and stems(_NUMBER.sub("", name)) <= target.kind) or _STARTS.match(name)
    return told / len(own) + (0.5 if leads and told else 0.0)


def _word_fit(word: str, said: frozenset[str], goal: frozenset[str]) -> float:
    if stem(word) in said or (word in STOP and (word in goal or (word == "my" and "i" in goal))):
        return 1.0
    return 0.8 if SYNONYMS.get(stem(word), frozenset()) & said else 0.0


def _section(mind: Mind, target: Target, place: str) -> Move | None:
    """Within the place: to the section that the goal is about, and the work there."""
    here = {name.lower() for name in (mind.page.heading, *mind.page.trail)}
    found = [one for one in ways(mind, target) if one.name.lower() != place.lower()]
    arrived = any(_NUMBER.sub("", one.name).lower() in here for one in found[:1])
    if found and not arrived and not moving.visits(mind, found[0]):
        return moving.click(found[0])
    return entries.look_for(mind, target) if target.item else _at_entry(mind, target)


def _at_entry(mind: Mind, target: Target) -> Move | None:
    """On the page that is meant."""
    if mind.goal.aim == "change":
        return deeds.do(mind, target)
    return entries.read(mind, target)
