"""A trajectory as text for a model. The one truncation policy: a budget in characters, both ends kept, the gap said.

Shown are thoughts, actions and errors. What the agent saw is left out, but for the last of it, which the judge gets;
`observation_chars` above 0 shows that much of it with every step. What a budget cannot hold goes from the middle: the
first steps say what was tried, and the last ones decide. An attempt in a shell is shown with what its commands printed,
and ends with what it has changed (see `shell`).
"""

from __future__ import annotations

from reasoningbank.distill.shell import SHELL_CHARS, changes_block, indented, shell_blocks
from reasoningbank.steps import step_text
from reasoningbank.truncate import keep_ends
from reasoningbank.types import Exit, Trajectory

NO_ANSWER = "(none)"

LEAST_SHOWN = 60
"""Of an observation, characters below which it says nothing any more."""

_ENDS = {
    "limit": "The run was stopped at its limit, before the agent was done.",
    "agent_error": "The agent broke down before it was done.",
}


def render_steps(
    trajectory: Trajectory, budget: int, observation_chars: int = 0, *, bare: bool = False, final: bool = True
) -> str:
    """Each step as `## Step n` with its thought, action and error; `## End` where the agent did not end it itself.

    With `observation_chars`, each step begins with what was seen before it, and `## Last seen` follows where the last
    step was not the end of it. Observations are shortened before a step is left out. Longer than `budget` only by the
    lines that say what was left out.

    In a shell outputs are shown in any case, in SHELL_CHARS each where no other number is given, and the changes that
    were made follow. `bare`: neither. `final=False`: the changes, or what was printed last, stand elsewhere.
    """
    if trajectory.medium == "shell":
        return _shell_steps(trajectory, budget, observation_chars, bare=bare, final=final)
    blocks = _blocks(trajectory, observation_chars)
    while observation_chars and sum(len(block) + 2 for block in blocks) > budget:
        observation_chars = _less(observation_chars)
        blocks = _blocks(trajectory, observation_chars)
    return _within(trajectory, blocks, budget)


def _less(observation_chars: int) -> int:
    return observation_chars // 2 if observation_chars > LEAST_SHOWN else 0


def _shell_steps(trajectory: Trajectory, budget: int, observation_chars: int, *, bare: bool, final: bool) -> str:
    changes = changes_block(trajectory, budget // 3) if final and not bare else ""
    room = max(1, budget - len(changes))
    shown = 0 if bare else observation_chars or SHELL_CHARS
    blocks = shell_blocks(trajectory, shown, last=final)
    while shown and sum(len(block) + 2 for block in blocks) > room:
        shown = _less(shown)
        blocks = shell_blocks(trajectory, shown, last=final)
    steps = _within(trajectory, blocks, room)
    return f"{steps}\n\n{changes}" if changes else steps


def _within(trajectory: Trajectory, blocks: list[str], budget: int) -> str:
    """The blocks that the budget holds, and how it ended."""
    end = f"## End\n{_ENDS[trajectory.exit]}" if trajectory.exit in _ENDS else ""
    if not blocks and not end:
        return "(no step was made)"
    if sum(len(block) + 2 for block in blocks) > budget:
        # no single step may push the others out
        blocks = _ends([keep_ends(block, budget // 4) for block in blocks], budget)
    return "\n\n".join([*blocks, end] if end else blocks)


def answer_text(exit: Exit, answer: str | None) -> str:
    """What the user was told, marked where it is a report that the task cannot be done: then it is the reason."""
    if exit == "infeasible":
        return f"(reported as impossible) {answer or ''}".rstrip()
    return answer if answer is not None and answer.strip() else NO_ANSWER


def render_page(text: str, budget: int) -> str:
    """What was seen last, its ends kept; indented, so that nothing in it reads as a heading."""
    return indented(keep_ends(text, budget)) if text else "(nothing was recorded)"


def _blocks(trajectory: Trajectory, observation_chars: int) -> list[str]:
    intent = trajectory.task.intent.strip()
    blocks = []
    seen = ""
    for number, step in enumerate(trajectory.steps, start=1):
        seen = step.observation.strip()
        # the request stands in the prompt already
        shown = "" if seen == intent else _observed(seen, observation_chars)
        blocks.append(step_text(step, number, observed=shown))
    last = trajectory.final_observation.strip()
    if last not in (seen, intent) and (shown := _observed(last, observation_chars)):
        blocks.append(f"## Last seen\n{shown}")
    return blocks


def _observed(text: str, budget: int) -> str:
    """An observation, indented, so that nothing in it reads as a heading or a part of a step."""
    return f"Observation:\n{indented(keep_ends(text, budget))}" if budget and text else ""


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
