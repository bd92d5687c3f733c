"""Goals of two sites: what is read on the one is kept in mind, and then written, put or asked for on the other."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from reasoningbank.llm.offline import moving
from reasoningbank.llm.offline.mind import Mind, Move
from reasoningbank.llm.offline.page import Node
from reasoningbank.llm.offline.phrases import names_in
from reasoningbank.llm.offline.words import stems, widened

_ITS = re.compile(r"^(.*?)\. Its (\w+) (?:is|are|says|names|tells) (.*?)\.?$", re.DOTALL)
_FORM = re.compile(r",? in the form \"[^\"]+\"|,? such as [^,]+$")
_SOMEBODY = re.compile(r"\b[A-Za-z]*[a-z]\d+\b")
_ABOUT = re.compile(r"\b(?:the|a) \w+ that (.*?) (?:is about|praises\b.*?) ((?:in|on|into|onto) my\b.*)", re.IGNORECASE)
_AMOUNT = re.compile(r"^(.*?)\b(?:the|a) \w+ that\b", re.IGNORECASE)
_PLACE = re.compile(r"\bin (?:the \w+ )?((?:[A-Z]\w*)(?: [A-Z]\w*)*)")
_ADDRESS = re.compile(r"https?://[\w.:-]+")
_HOME = "I begin at "
_KEPT = "For the other site I keep: "


@dataclass(frozen=True)
class Errand:
    """What is to be found out first, and the goal that comes of what was found."""

    question: str
    then: Callable[[str], str]


def errand_of(text: str) -> Errand | None:
    """The two halves of a goal; none where it has only one."""
    its = _ITS.match(text)
    if its:
        first, what, question = its.groups()
        asked = _FORM.sub("", question).rstrip(".")
        asked = re.sub(r"^that of ", f"the {what} of ", asked)
        asked = asked if asked.startswith("how") else f"which is {re.sub(r'^all ', '', asked)}"
        asked = re.sub(r"^which is (?:the|an) amount that I spent\b", "I have spent which amount", asked)
        return Errand(f"{asked[0].upper()}{asked[1:]}?", lambda found: f'{first} and the {what} "{found}".')
    who, place = _SOMEBODY.search(text), _PLACE.search(text)
    about = _ABOUT.search(text)
    if place is None:
        return None
    if about and not who:
        question = f"Which title has {about.group(1)}?"
    elif who:
        question = f"Which title has the post that {who.group(0)} wrote in {place.group(1)}?"
    else:
        return None
    if about:
        before = _AMOUNT.match(text)
        begin = re.sub(r"^\w+ ", "Add ", before.group(1) if before else "Put ")
        where = re.sub(r"^\w+ my", "to my", about.group(2))
        return Errand(question, lambda found: f"{begin}the {_called(found)} {where}")
    if re.search(r"\bwrite to\b", text, re.IGNORECASE):
        rest = text.partition(". ")[2]
        return Errand(
            question,
            lambda found: re.sub(r"(?:the|a) name of \w+ \w+ as (?:the|a) (\w+)", rf'the \1 "{_called(found)}"', rest),
        )
    return Errand(question, lambda found: f"Which price has the {_called(found)}?")


def _called(found: str) -> str:
    """The longest name in what was found."""
    return max(names_in(f"so {found}"), key=len, default=found)


def applies(mind: Mind) -> bool:
    """Whether this attempt began on a page that only leads to several sites, with a goal of two halves."""
    # a thought may quote the memory, and with it what another attempt said of its start
    return errand_of(mind.asked.goal) is not None and (mind.did(_HOME) > 0 or _is_home(mind))


def _is_home(mind: Mind) -> bool:
    page = mind.page
    return (
        not page.fields
        and not moving.menu(mind)
        and 2 <= len(page.links) <= 6
        and bool(_ADDRESS.search(page.main_text))
    )


def work(mind: Mind, on_site: Callable[[Mind], Move | None]) -> tuple[Move | None, Mind]:
    """One step, made by `on_site` within a site, and the mind that it was made with."""
    errand = errand_of(mind.asked.goal)
    kept = re.search(rf"{re.escape(_KEPT)}(.*?) \|", mind.thoughts)
    assert errand is not None
    goal = errand.then(kept.group(1)) if kept else errand.question
    since = max((at for at, step in enumerate(mind.past) if _KEPT in step.thought), default=-1) + 1
    half = Mind(
        replace(mind.asked, goal=goal, steps=mind.past[since:]), mind.temperature, mind.seed, mind.advice_effect
    )
    if _is_home(mind):
        return _to_site(half, goal, mind), half
    step = on_site(half)
    told = re.match(r"send_msg_to_user\((['\"])(.*)\1\)$", step.action) if step is not None else None
    if kept is None and told:
        home = re.search(rf"{_HOME}({_ADDRESS.pattern})", mind.thoughts)
        found = told.group(2).replace("\\'", "'")
        half.remarks.append(f"{_KEPT}{found} |")
        return Move(f"goto({home.group(1) if home else '/'!r})", "I go on at the start page."), half
    return step, half


def _to_site(mind: Mind, goal: str, whole: Mind) -> Move | None:
    """The link of the site that the goal is about, by its name and by what the page says of it."""
    found = _ADDRESS.search(mind.page.main_text)
    if not whole.past:
        mind.remarks.append(f"{_HOME}{found.group(0).rstrip('.') if found else ''}")
    said = stems(goal)
    links = [one for one in mind.page.links if mind.page.in_main(one)]
    best = max(links, key=lambda one: _fit(one, said) - 4 * moving.visits(whole, one), default=None)
    return moving.click(best) if best is not None else None


def _fit(link: Node, said: frozenset[str]) -> float:
    about = stems(link.parent.text() if link.parent is not None else link.name)
    return 2 * len(stems(link.name) & said) + len(about & said) + 0.3 * len(about & widened(said))
