"""The steps of an attempt in a shell as text: each command with what it printed, and at the end what was changed."""

from __future__ import annotations

from reasoningbank.steps import HELD, final_parts
from reasoningbank.truncate import keep_ends
from reasoningbank.types import Step, Trajectory

SHELL_CHARS = 1_000
"""Of what a command printed."""
COMMAND_CHARS = 4_000
"""Of a command, which may hold a whole file."""


def shell_blocks(trajectory: Trajectory, output_chars: int, *, last: bool) -> list[str]:
    """`## Step n` with thought, command, error and output. `last`: that of the last command too.

    What is longer than a line is indented, so that nothing in it reads as a heading or a part of a step.
    """
    outputs = [step.observation for step in trajectory.steps[1:]]
    outputs += [final_parts(trajectory.final_observation)[1] if last else ""] if trajectory.steps else []
    blocks = []
    for number, (step, output) in enumerate(zip(trajectory.steps, outputs, strict=True), start=1):
        ended = number == len(trajectory.steps) and trajectory.exit == "answered"
        printed = output.strip("\n") if _prints(step, ended=ended) else ""
        blocks.append(_block(step, number, keep_ends(printed, output_chars) if output_chars else ""))
    return blocks


def changes_block(trajectory: Trajectory, budget: int) -> str:
    """`## Changes made at the end`; empty where no environment told them."""
    changes = final_parts(trajectory.final_observation)[0]
    return f"## Changes made at the end\n{keep_ends(indented(changes), budget)}" if changes else ""


def indented(text: str) -> str:
    """Each line by two spaces."""
    return "\n".join(f"  {line}" for line in text.splitlines())


def _prints(step: Step, *, ended: bool) -> bool:
    """Whether what was seen after it was printed by it: answers, and replies that were refused, leave that as it is."""
    refused = not step.action or step.action.startswith("```")
    return not (step.check or ended or refused)


def _block(step: Step, number: int, output: str) -> str:
    lines = [f"## Step {number}", f"Thought: {step.thought}"]
    command = keep_ends(step.action, COMMAND_CHARS)
    lines.append(f"Action:\n{indented(command)}" if "\n" in command else f"Action: {command or '(none)'}")
    if step.error:
        lines.append(f"Error: {step.error}")
    if output.strip():
        lines.append(f"Output:\n{indented(output)}")
    if step.check:
        lines.append(HELD)
    return "\n".join(lines)
