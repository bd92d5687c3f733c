"""Changes within places: the form or button that the goal's words fit best, what goes into it, and what stores it."""

from __future__ import annotations

import re

from reasoningbank.llm.offline import arranging, entries, forms, moving
from reasoningbank.llm.offline.mind import Mind, Move
from reasoningbank.llm.offline.page import FIELDS, Node
from reasoningbank.llm.offline.target import Target, values_of
from reasoningbank.llm.offline.words import SYNONYMS, stem, stems, tokens

_STORE = re.compile(r"^(?:save|publish|submit|confirm|finish)\b", re.IGNORECASE)
_PERSON = re.compile(r"(?:ee|er|or|username)s?$", re.IGNORECASE)
_ADDS = re.compile(r"^add\b|\bkeep\b", re.IGNORECASE)
_ASKS = re.compile(r"^(?:search|filter|sort|show|find|switch)\b", re.IGNORECASE)
_LINK = re.compile(r"https?://[^\s,\"]+")
_ALL_OF = re.compile(r"^\w+ (?:all|the \d+|every)\b", re.IGNORECASE)


def ended(mind: Mind, target: Target) -> Move | None:
    """What follows a pressed button: the one that stores, else the end when nothing is left to do."""
    last = next((step.thought for step in reversed(mind.past) if not _ASIDE.search(step.thought)), "")
    if not re.search(r"I (?:click|press) button", last) or mind.past[-1].error or re.search(_USED, last):
        return None
    for one in _buttons(mind):
        bare = not any(node.role in FIELDS for node in mind.page.form_of(one).walk())
        if bare and _STORE.match(one.name) and not moving.visits(mind, one):
            about = f"{mind.page.heading} {' '.join(node.name for node in mind.page.fields)}"
            if mind.choose("confirm", moving.plain(one.name), place=about):
                return moving.click(one)
            return moving.tell("Done.")
    if _ALL_OF.match(mind.goal.text) or any(node.role == "alert" for node in mind.page.nodes):
        return None
    left = [text for text in target.written if not mind.did(f"with '{moving.plain(text)}")]
    return None if left else moving.tell("Done.", "It is done. I tell the user.")


_ASIDE = re.compile(r"I look around|This is not it|look at this more closely")
_USED = re.compile(r"I click button '(?:search|filter|sort|show|find)\b[^']*'\.$", re.IGNORECASE)


def _buttons(mind: Mind) -> list[Node]:
    return [one for one in mind.page.buttons if mind.page.in_main(one) and one in list(mind.page.main.walk())]


def do(mind: Mind, target: Target) -> Move | None:
    """The next step of a change on this page."""
    if not target.item or mind.page.heading.lower() != target.item.lower():
        step = _among_rows(mind, target)
        if step is not None:
            return step
    if re.search(r"\bwho(?:ever)? (?:\w+ )?posted\b", mind.goal.text) and target.item == mind.page.heading:
        return entries.author(mind, mind.page.main)
    return _fill(mind, target) or _press(mind, target)


def _among_rows(mind: Mind, target: Target) -> Move | None:
    """In the row of whoever or whatever is named, or in the first row of an ordered list."""
    one = arranging.table(mind)
    if one is None or target.creates:
        return None
    offered = {name for field in mind.page.of("combobox") for name in field.options}
    people = [name for name, _ in target.names if name not in (*arranging.here(mind), *offered)]
    rows = [row for row in one.rows if any(name in row.cells.values() for name in people)]
    if not rows:
        step = arranging.arrange(mind, target)
        if step is not None or arranging.order(mind) is None:
            return step
        rows = one.rows[: (mind.goal.numbers and int(mind.goal.numbers[0])) or 1] if not people else []
    for row in rows:
        nodes = list(row.node.walk())
        field = next((node for node in nodes if node.role == "combobox" and wish(mind, target, node)), None)
        buttons = [node for node in nodes if node.role == "button" and node.bid]
        if field is not None:
            option = wish(mind, target, field)
            if option and field.value != option:
                return moving.pick(field, option)
            return moving.click(buttons[0]) if buttons else None
        best = max(buttons, key=lambda node: _said(mind, target, node.name), default=None)
        if best is not None and _said(mind, target, best.name) >= 1.5 and not target.written:
            return moving.click(best)
        link = row.first_link()
        if link is not None and (arranging.order(mind) or target.written) and not moving.visits(mind, link):
            return entries.look_up(mind, link)
    more = moving.following(mind) or moving.more(mind)
    if _ALL_OF.match(mind.goal.text):
        return moving.click(more) if more is not None else moving.tell("Done.", "Nothing is left. I tell the user.")
    return None


def _said(mind: Mind, target: Target, name: str) -> float:
    """Which share of a button's words the goal says, by the beginnings of words; its first word counts most."""
    own = [stem(word) for word in tokens(name)]
    verb = stem(next(iter(tokens(mind.goal.text)), ""))
    if not own:
        return 0.0
    told = sum(
        1.0 if _near(word, target.words) else 0.6 if SYNONYMS.get(word, frozenset()) & target.words else 0.0
        for word in own
    )
    leading = 1.0 if own[0][:6] == verb[:6] else 0.75 if verb in SYNONYMS.get(own[0], frozenset()) else 0.0
    return told / len(own) + 1.5 * leading


def _near(word: str, said: frozenset[str]) -> bool:
    return word in said or (len(word) > 4 and any(other[:5] == word[:5] for other in said))


def _fill(mind: Mind, target: Target) -> Move | None:
    """The form that the goal speaks of: its fields, then its button."""
    best: tuple[float, list[tuple[Node, str]], Node] | None = None
    for button in _buttons(mind):
        if any(above.role == "row" for above in button.up()) or _ASKS.match(button.name):
            continue
        fields = [node for node in mind.page.form_of(button).walk() if node.role in FIELDS and node.bid]
        wishes = [(field, text) for field in fields if (text := wish(mind, target, field))]
        if not wishes and fields:
            continue
        fit = (
            _said(mind, target, button.name)
            + 0.5 * len(wishes)
            + 0.5 * any(_near(stem(word), target.words) for field, _ in wishes for word in tokens(field.name))
        )
        fit += 0.6 if _STORE.match(button.name) else 0.0
        fit += 1.0 if target.creates and len(wishes) < len(fields) else 0.0
        fit -= 3 * moving.visits(mind, button)
        if fit >= 1.0 and wishes and (best is None or fit > best[0]):
            best = fit, wishes, button
    link = _way(mind, target)
    if best is None or (link is not None and _said(mind, target, link.name) > best[0]):
        return moving.click(link) if link is not None else None
    for field, text in best[1]:
        step = moving.pick(field, text) if field.options else moving.fill(field, text)
        if field.value != text and not mind.did(step.saying):
            return step
    return moving.click(best[2])


def wish(mind: Mind, target: Target, field: Node) -> str | None:
    """What a field should hold."""
    goal, own = mind.goal, stems(field.name)
    if field.options:
        named = [name for name in field.options if any(name == other for other, _ in target.names)]
        return named[-1] if named else forms.option_for(goal, field)
    if re.search(r"\burl\b|\blink\b", field.name, re.IGNORECASE):
        found = _LINK.search(goal.text)
        return found.group(0) if found else None
    value = values_of(goal, field.name) if len(tokens(field.name)) == 1 else []
    if value:
        return (
            f"{field.value}, {value[-1]}"
            if field.value and _ADDS.search(goal.text) and value[-1] not in field.value
            else field.value
            if value[-1] in field.value
            else value[-1]
        )
    people = [name for name, _ in target.names if name not in (mind.page.heading, *mind.page.trail)]
    if (
        people
        and _PERSON.search(field.name)
        and (own & stems("username") or any(_near(word, target.words) for word in own))
    ):
        return people[-1] if target.written else people[0]
    return _written(mind, target, field)


def _written(mind: Mind, target: Target, field: Node) -> str | None:
    """The part in quotation marks that belongs into a field."""
    used = frozenset(re.findall(r"I fill \w+ '[^']*' with '([^']*)'", mind.thoughts)) - {moving.plain(field.value)}
    quoted = forms.desired(mind.goal, field, used)
    if quoted and quoted.strip(" .,") in target.items:
        quoted = None
    if quoted is not None or not target.written:
        return quoted
    own = stems(field.name)
    if (
        len(target.written) == 1
        and own & (target.words | stems("comment text name biography status note reply body"))
        and not (target.creates and own & stems("body text url"))
    ):
        return forms.as_written(mind.goal, target.written[0])
    return None


def _way(mind: Mind, target: Target) -> Node | None:
    """A link of this page's own part that leads to the form."""
    best, score = None, 0.79
    person = next((name for name, _ in target.names if re.search(r"\d$", name)), "")
    for one in mind.page.links:
        if not mind.page.in_main(one) or any(above.role in ("row", "complementary") for above in one.up()):
            continue
        around = next((above for above in one.up() if above.role == "listitem"), None)
        if around is not None and person and not around.text().startswith(person):
            continue
        fit = _said(mind, target, one.name) - moving.visits(mind, one)
        if fit > score and len(tokens(one.name)) < 4:
            best, score = one, fit
    return best


def _press(mind: Mind, target: Target) -> Move | None:
    """The button that the goal's words fit best."""
    free = [one for one in _buttons(mind) if not any(above.role in ("row", "listitem") for above in one.up())]
    best = max(free, key=lambda one: _said(mind, target, one.name) - moving.visits(mind, one), default=None)
    if best is None or _said(mind, target, best.name) - moving.visits(mind, best) < 0.6:
        return None
    return moving.click(best)
