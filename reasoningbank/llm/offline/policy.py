"""The simulated model as a web agent: one turn from one prompt."""

from __future__ import annotations

from collections.abc import Sequence

from reasoningbank.llm.offline import asking, changing, checking, errands, lists, moving, places
from reasoningbank.llm.offline.mind import Mind, Move
from reasoningbank.llm.offline.reading import situation
from reasoningbank.llm.offline.words import covered, widened
from reasoningbank.types import Message

_WORK = {"count": asking.ask, "sum": asking.ask, "read": asking.ask, "visit": changing.visit, "change": changing.change}
PATIENCE = 26
"""Steps after which the agent brings the attempt to an end."""
PERSEVERANCE = 0.93
"""How likely it tries yet another way when it sees none: attempts that fail are longer than others."""


def act(messages: Sequence[Message], *, temperature: float, seed: int, advice_effect: float) -> str:
    """The reply: a thought and an action."""
    asked = situation(messages)
    mind = Mind(asked, temperature, seed, advice_effect)
    heat = min(1.5, temperature / 0.7)
    if mind.draw("slip") < 0.006 * heat:
        return f"On the {mind.place} page. I have to look at this more closely."
    if asked.check:
        move, mind = _checked(mind, heat)
    else:
        move = _moody(mind, heat) or _sane(mind)
    return f"Thought: {mind.thought(move)}\nAction: {move.action}"


def _checked(mind: Mind, heat: float) -> tuple[Move, Mind]:
    """A turn after an answer was held back, and the mind it is made with."""
    again = checking.anew(mind)
    match checking.decide(mind):
        case "keep":
            return checking.keep(mind), mind
        case "rethink":
            step = _work(again)
            answers = step is not None and step.action.startswith("send_msg")
            return (step, again) if step is not None and answers else (checking.keep(mind), mind)
        case "return":
            return checking.start_over(mind), mind
        case "again":
            return _moody(again, heat) or _sane(again), again


def _moody(mind: Mind, heat: float) -> Move | None:
    """Now and then the agent wanders off or loses heart."""
    if len(mind.past) > 2 and mind.draw("lose heart") < 0.01 * heat:
        return moving.give_up("I do not get further here.")
    begins = not mind.past and errands.applies(mind)
    if not begins and mind.draw("wander") < 0.03 * heat:
        links = [one for one in mind.page.links if mind.page.in_main(one)] or mind.page.links
        if links:
            mind.remarks.append("I look around.")
            return moving.click(links[int(mind.draw("where to") * len(links))])
    return None


def _sane(mind: Mind) -> Move:
    if (
        mind.past
        and "I look around." in mind.past[-1].thought
        and not mind.past[-1].error
        and mind.likely("return", 0.8)
    ):
        return moving.back()
    step = _work(mind)
    if step is None:
        step = _elsewhere(mind)
    if mind.asked.error and mind.past and step.action == mind.past[-1].action:
        step = _elsewhere(mind)
    if len(mind.past) >= PATIENCE and not step.action.startswith(("send_msg", "report")):
        return moving.give_up("This leads nowhere.")
    return step


def _work(mind: Mind) -> Move | None:
    if not errands.applies(mind):
        return _on_site(mind)
    step, half = errands.work(mind, _on_site)
    mind.remarks += half.remarks
    return step


def _on_site(mind: Mind) -> Move | None:
    if places.applies(mind):
        return places.work(mind)
    return lists.work(mind) if lists.applies(mind) else _WORK[mind.goal.aim](mind)


def _elsewhere(mind: Mind) -> Move:
    """When there is no way on: other links for a while, the likelier ones first, then the end."""
    if len(mind.past) < PATIENCE and mind.likely("keep trying", PERSEVERANCE):
        wide = widened(mind.goal.stems)
        links = [one for one in mind.page.links if one.name and moving.visits(mind, one) < 2]
        links.sort(key=lambda one: mind.draw(f"try {one.name}") - 0.7 * covered(one.name, wide))
        if links:
            mind.remarks.append("I try another way.")
            return moving.click(links[0])
    return moving.give_up("I find nothing that fits the request.")
