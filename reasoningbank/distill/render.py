"""A trajectory as text for a model. The one truncation policy: a budget in characters, both ends kept, the gap said.

Shown are thoughts, actions and errors; page text is left out, but for the last page, which the judge gets. What a
budget cannot hold goes from the middle: the first steps say what was tried, and the last ones decide.
"""

from __future__ import annotations

from reasoningbank.truncate import keep_ends
from reasoningbank.types import Step, Trajectory

NO_ANSWER = "(none)"

_ENDS = {
    "limit": "The run was stopped at its limit, before the agent was done.",
    "agent_error": "The agent broke down before it was done.",
}


def render_steps(trajectory: Trajectory, budget: int) -> str:
    """Each step as `## Step n` with its thought, action and error; `## End` where the agent did not end it itself.

    Longer than `budget` only by the lines that say what was left out.
    """
    blocks = [_step(step, number) for number, step in enumerate(trajectory.steps, start=1)]
    end = f"## End\n{_ENDS[trajectory.exit]}" if trajectory.exit in _ENDS else ""
    if not blocks and not end:
        return "(no step was made)"
    if sum(len(block) + 2 for block in blocks) > budget:
        # no single step may push the others out
        blocks = _ends([keep_ends(block, budget // 4) for block in blocks], budget)
    return "\n\n".join([*blocks, end] if end else blocks)


def render_answer(trajectory: Trajectory) -> str:
    """What the user was told, marked where it is a report that the task cannot be done."""
    answer = NO_ANSWER if trajectory.answer is None else trajectory.answer
    return f"(reported as impossible) {answer}" if trajectory.exit == "infeasible" else answer


def render_page(text: str, budget: int) -> str:
    """The last page, its ends kept."""
    return keep_ends(text, budget) if text else "(nothing was seen)"


def _step(step: Step, number: int) -> str:
    lines = [f"## Step {number}", f"Thought: {step.thought}", f"Action: {step.action or '(none)'}"]
    if step.error:
        lines.append(f"Error: {step.error}")
    return "\n".join(lines)


def _ends(blocks: list[str], budget: int) -> list[str]:
    """As many blocks as fit: the last ones in three fifths of the budget, the first ones in what is then left."""
    last = len(blocks)
    used = 0
    while last > 0 and (used == 0 or used + len(blocks[last - 1]) + 2 <= budget * 3 // 5):
        last -= 1
        used += len(blocks[last]) + 2
    first = 0
    while first < last and used + len(blocks[first]) + 2 <= budget:
        used += len(blocks[first]) + 2
        first += 1
    if first == last:
        return blocks
    gap = f"step {first + 1}" if last - first == 1 else f"steps {first + 1} to {last}"
    return [*blocks[:first], f"[... {gap} left out ...]", *blocks[last:]]
