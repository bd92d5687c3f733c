"""A step as text: the same in an agent's own history and in what judge, extractor and selector read."""

from __future__ import annotations

from reasoningbank.truncate import keep_ends
from reasoningbank.types import HELD, Step


def step_text(step: Step, number: int, *, observed: str = "", budget: int | None = None) -> str:
    """`## Step n` with its thought, action and error. `observed` is what the step shows of the page before it.

    `budget` is in characters, and bounds thought and error each.
    """
    shown = [text if budget is None else keep_ends(text, budget) for text in (step.thought, step.error)]
    lines = [f"## Step {number}", *([observed] if observed else [])]
    lines += [f"Thought: {shown[0]}", f"Action: {step.action or '(none)'}"]
    if step.error:
        lines.append(f"Error: {shown[1]}")
    if step.check:
        lines.append(HELD)
    return "\n".join(lines)
