"""The simulated agent asked to check an answer that was held back: it keeps it, thinks again, or looks again.

How often it does which was chosen freely, so that answers turn both ways; no model was measured.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Literal
from urllib.parse import urlsplit

from reasoningbank.llm.offline.mind import DOUBT, Mind, Move
from reasoningbank.llm.offline.reading import PastStep, labelled

Decision = Literal["keep", "rethink", "return", "again"]

_DOUBTING, _SURE = 0.6, 0.08
"""How likely it looks again, where it guessed or gave up, and where it did not."""
_CARE = 0.4
"""How likely it then takes the careful way unadvised."""
_KEEP = "I went over what I did, and I keep my answer."
_RETURN = "I am not sure of my answer, so I look again from the start."


def decide(mind: Mind) -> Decision:
    """What the next turn does, from the prompt of the check and the steps since the answer."""
    since = _since(mind.past)
    mode = labelled(mind.asked.check, "Mode")
    only_thinks, undone = mode == "reflect_only", mode == "reset"
    if not only_thinks and any(step.action for step in since):
        return "again"
    works = mind.goal.aim in ("change", "visit")
    if works and undone:
        return "again"
    last = _answer(mind.past)
    gave_up = last.startswith("report_infeasible")
    doubts = gave_up or DOUBT in mind.thoughts
    # work that is done is not done twice
    if (works and not gave_up) or not mind.likely("look again", _DOUBTING if doubts else _SURE):
        return "keep"
    if only_thinks:
        return "rethink"
    return "again" if undone or not _start(mind) else "return"


def anew(mind: Mind) -> Mind:
    """The same turn by one who remembers only what was done since the answer, and takes more care."""
    asked = replace(mind.asked, steps=_since(mind.past))
    return Mind(asked, mind.temperature, mind.seed, mind.advice_effect, care=_CARE)


def keep(mind: Mind) -> Move:
    """The same answer."""
    return Move(_answer(mind.past), _KEEP)


def start_over(mind: Mind) -> Move:
    """Go to the site's first page."""
    return Move(f"goto({_start(mind)!r})", _RETURN)


def _since(past: tuple[PastStep, ...]) -> tuple[PastStep, ...]:
    held = [number for number, step in enumerate(past) if step.held]
    return past[held[-1] + 1 :] if held else past


def _answer(past: tuple[PastStep, ...]) -> str:
    return next((step.action for step in reversed(past) if step.held), "report_infeasible('I have no answer.')")


def _start(mind: Mind) -> str:
    parts = urlsplit(mind.asked.url)
    return f"{parts.scheme}://{parts.netloc}/" if parts.netloc else ""
