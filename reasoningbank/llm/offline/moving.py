"""Getting about: links that fit the goal, the search box, further pages, the way back."""

from __future__ import annotations

import re
from collections.abc import Iterable

from reasoningbank.llm.offline.mind import Mind, Move
from reasoningbank.llm.offline.page import Node
from reasoningbank.llm.offline.words import STOP, covered, stem, stems, tokens, widened

NEXT = re.compile(r"^(?:next(?: page)?|older(?: posts)?|following|›|»|>)\b", re.IGNORECASE)
_MORE = re.compile(r"^(?:load|show|see|view) (?:\w+ )?more\b|^more\b", re.IGNORECASE)
_NOTHING = re.compile(
    r"\bno (?:results?|items?|entries|matches|products?)\b|\bnothing (?:was )?found\b|\b(?:0|zero) (?:results"
    r"|items)\b|\bdid not match\b",
    re.IGNORECASE,
)
_LINKING = frozenset({"by", "from", "in", "with", "made"})
_OWN = re.compile(
    r"\bi\b.{0,40}\b(?:order|bought|buy|got|spen[dt]|paid|purchas\w*)|\bmy\b.{0,30}\borders?\b"
    r"|\border (?:number )?#?\d",
    re.IGNORECASE,
)


def plain(text: str) -> str:
    """A name as a thought may quote it."""
    return text.replace("'", "’")


def click(node: Node) -> Move:
    """Click, named so that later turns and whoever distils the run know it."""
    role = node.role if node.role in ("link", "button", "checkbox", "radio") else "element"
    return Move(f"click({node.bid!r})", f"I click {role} '{plain(node.name or node.text())}'.")


def fill(node: Node, text: str) -> Move:
    return Move(f"fill({node.bid!r}, {text!r})", f"I fill {node.role} '{plain(node.name)}' with '{plain(text)}'.")


def pick(node: Node, option: str) -> Move:
    return Move(f"select_option({node.bid!r}, {option!r})", f"I choose '{plain(option)}' in '{plain(node.name)}'.")


def tell(text: str, why: str = "") -> Move:
    """Answer the user."""
    return Move(f"send_msg_to_user({text!r})", why or f"I answer '{plain(text)}'.")


def give_up(why: str) -> Move:
    return Move(f"report_infeasible({why!r})", f"{why} I report that it cannot be done.")


def back() -> Move:
    return Move("go_back()", "This is not it, I go back.")


def visits(mind: Mind, node: Node) -> int:
    """How often this attempt clicked a thing of that name."""
    return mind.did(click(node).saying)


def following(mind: Mind) -> Node | None:
    """The link to the next page of a list."""
    return next(
        (one for one in mind.page.links + mind.page.buttons if NEXT.match(one.name) and _in_main(mind, one)), None
    )


def more(mind: Mind) -> Node | None:
    """What adds further entries to the list on this page."""
    for one in mind.page.links + mind.page.buttons:
        if _MORE.match(one.name) and _in_main(mind, one):
            return one
    return None


def _in_main(mind: Mind, node: Node) -> bool:
    return any(above is mind.page.main for above in node.up())


def searched(mind: Mind) -> list[str]:
    """What this attempt has searched for, in order."""
    return re.findall(r"I search for '([^']*)'", mind.thoughts)


def search(mind: Mind, query: str) -> Move | None:
    """Fill the search box; once filled, send it off."""
    box = next(
        (one for one in mind.page.fields if one.role in ("textbox", "searchbox") and "search" in one.name.lower()), None
    )
    if box is None:
        return None
    if box.value.strip().lower() == query.lower() and (mind.past and f"with '{plain(query)}'" in mind.past[-1].thought):
        return Move(f"press({box.bid!r}, 'Enter')", f"I search for '{plain(query)}'.")
    return fill(box, query)


def empty(mind: Mind) -> bool:
    """Whether the page says that nothing was found."""
    return bool(_NOTHING.search(mind.page.main_text[:400]))


def queries(mind: Mind) -> list[str]:
    """What to search for, first to last: the whole phrase, or fewer and fewer words of it."""
    goal = mind.goal
    if goal.find:
        return [goal.find]
    words = [word for word in tokens(goal.thing) if word.lower() not in STOP and word.lower() not in _LINKING]
    whole = " ".join(words)
    if goal.thing in goal.names or len(words) < 2:
        return [whole] if whole else []
    names = [word for name in goal.names for word in tokens(name) if word in words]
    short = " ".join(names) if names else " ".join(words[-2:])
    plainer = [word for word in words if word not in names][-2:]
    fewer = list(dict.fromkeys([short, " ".join(plainer)]))
    if mind.choose("few_words"):
        return fewer
    hint = mind.hint("few_words")
    if mind.did(_RETRY):
        return [whole, *fewer]
    if searched(mind) and empty(mind):
        again = mind.likely("search again", 0.3) or bool(hint and hint.careful and mind.advice_effect > 0)
        if again:
            mind.remarks.append(_RETRY)
            return [whole, *fewer]
    return [whole]


_RETRY = "Nothing was found. I search with fewer words."


def thing_words(mind: Mind) -> frozenset[str]:
    return frozenset(
        stem(word) for word in tokens(mind.goal.thing) if word.lower() not in STOP and word.lower() not in _LINKING
    )


def at_thing(mind: Mind) -> bool:
    """Whether this page is about the one thing that the goal is about."""
    goal, page = mind.goal, mind.page
    if page.heading.lower() == goal.thing.lower():
        return True
    if (
        goal.thing in goal.names
        or "result" in page.heading.lower()
        or re.search(r"search|account|cart|categor", mind.path)
    ):
        return False
    words = thing_words(mind)
    return len(words & stems(page.heading)) >= 2 and words <= stems(page.main_text)


def to_thing(mind: Mind) -> Move | None:
    """One step on the way to the thing's page; None when there is no way left."""
    page, goal = mind.page, mind.goal
    exact = next((one for one in page.links if one.name.lower() == goal.thing.lower()), None)
    if exact is not None:
        return click(exact)
    words = thing_words(mind)
    if goal.thing not in goal.names:
        best = _likely_links(mind, words)
        if best is not None:
            return click(best)
        looked = [
            name
            for name in re.findall(r"I click link '([^']*)'", mind.thoughts[-400:])
            if len(words & stems(name)) >= 2
        ]
        if looked and mind.page.heading.lower() == looked[-1].lower() and not mind.thoughts.endswith(back().saying):
            return back()
    done = searched(mind)
    if (
        (further := following(mind)) is not None
        and done
        and not visits(mind, further)
        and not empty(mind)
        and goal.thing not in goal.names
    ):
        return click(further)
    for query in queries(mind):
        if plain(query) not in done:
            return search(mind, query)
    return None


def _likely_links(mind: Mind, words: frozenset[str]) -> Node | None:
    """The link in a list of results that shares most words with the thing, not looked at yet."""
    best, score = None, 1.0
    names = {stem(name) for name in mind.goal.names}
    for row in (row for one in mind.page.collections for row in one.rows):
        link = row.first_link()
        if link is None or visits(mind, link) or not mind.page.in_main(link):
            continue
        own = stems(link.name)
        shared = len(words & own) + 0.2 * len(words & stems(row.text)) - 0.01 * len(own)
        if names & words and not names & own:
            continue
        if shared > score and len(words & own) >= 2:
            best, score = link, shared
    return best


def own_records(mind: Mind) -> bool:
    """Whether the goal is about what the user did here before."""
    return (bool(_OWN.search(mind.goal.text)) and mind.goal.aim != "change") or bool(
        re.search(r"\border #?\d", mind.goal.text)
    )


def category(mind: Mind) -> Node | None:
    """A link of the navigation that bears a name the goal says."""
    for name in mind.goal.names:
        for one in mind.page.links:
            if one.name.lower() == name.lower() and not _in_main(mind, one):
                return one
    return None


def to_area(mind: Mind, words: Iterable[str], least: float = 0.45) -> Move | None:
    """The link whose name fits best, each visited one less."""
    wanted = frozenset(words)
    wide = widened(wanted)
    best, score = None, least
    for one in mind.page.links:
        own = frozenset(word for word in stems(one.name) if not word.isdigit())
        if not own or any(above.role in ("row",) for above in one.up()):
            continue
        fit = sum(1.0 if word in wanted else 0.6 if word in wide else 0.0 for word in own) / len(own)
        fit += 0.04 * len(own & wanted)
        if mind.advised_words and mind.advice_effect:
            fit += 0.15 * mind.advice_effect * covered(one.name, mind.advised_words)
        fit -= 0.6 * visits(mind, one)
        if fit > score:
            best, score = one, fit
    return click(best) if best is not None else None


def menu(mind: Mind) -> list[Node]:
    """The links that every page repeats."""
    above = (one for one in mind.page.links if any(node.role == "navigation" for node in one.up()))
    return [one for one in above if not any(node is mind.page.main for node in one.up())]
