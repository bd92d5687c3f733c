"""A step as text: the same in an agent's own history and in what judge, extractor and selector read. And the end of an
attempt in a shell: what was changed, and what was printed last."""

from __future__ import annotations

import re

from reasoningbank.truncate import keep_ends
from reasoningbank.types import Step

HELD = "Check: this answer was held back, to be checked first."
"""What a rendered step says whose answer did not leave the agent."""


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


NOTHING = "(nothing)"
_PRINTED = re.compile(r"^Output of the last command:\n", re.MULTILINE)
_CHANGED = "Changes made:\n"


def final_state(changes: str | None, output: str) -> str:
    """The last observation of a shell: the changes, where the environment tells them, then what was printed last."""
    printed = f"Output of the last command:\n{output.strip() or NOTHING}"
    return printed if changes is None else f"{_CHANGED}{changes.strip() or NOTHING}\n\n{printed}"


def final_parts(text: str) -> tuple[str, str]:
    """Changes and output of a `final_state`; a text that is none is an output. Of a diff no line reads as the heading
    that parts them."""
    found = _PRINTED.search(text)
    if found is None:
        return "", text
    changes = text[: found.start()].removeprefix(_CHANGED).strip()
    output = text[found.end() :]
    return changes, "" if output == NOTHING else output
