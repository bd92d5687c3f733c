"""The messages of an attempt in a shell, each a function of the step before it: those that are sent, and the same ones
made again from a stored trajectory."""

from __future__ import annotations

import re
from typing import Literal

from reasoningbank.agents.mini_swe.progress import SUBMIT
from reasoningbank.agents.mini_swe.reply import FENCE
from reasoningbank.prompts import PromptPack
from reasoningbank.types import Step, Task

HandIn = Literal["summary", "patch"]
_RETURNED = re.compile(r"^exit code (-?\d+)(?:: (.*))?$", re.DOTALL)


def system_message(prompts: PromptPack, memory: str, *, tool_calls: bool = False) -> str:
    """Rules and reply format; the memory section only where something was recalled."""
    return prompts.render("agent_code_system", memory=memory.strip(), fence=FENCE, tool_calls=tool_calls)


def task_message(prompts: PromptPack, task: Task, hand_in: HandIn, *, tool_calls: bool = False) -> str:
    """The task, and how the work is handed in."""
    fence = "bash" if tool_calls else FENCE
    return prompts.render("agent_code_user", task=task.asked.strip(), submit=SUBMIT, hand_in=hand_in, fence=fence)


def step_message(prompts: PromptPack, step: Step, output: str, *, tool_calls: bool = False) -> str:
    """What follows a step: what its command printed, why its reply was refused, or the check of its answer."""
    if refused(step):
        return prompts.render("agent_code_malformed", error=step.error, fence=FENCE, tool_calls=tool_calls)
    returncode, error = returned(step)
    return prompts.render("agent_code_observation", output=output, returncode=returncode, error=error, check=step.check)


def refused(step: Step) -> bool:
    """Whether its reply had no usable command: its action is empty then, or all from its first fence on."""
    return not step.action or step.action.startswith("```")


def returned(step: Step) -> tuple[int, str]:
    """The exit code and the error that `step_error` was given."""
    found = _RETURNED.match(step.error)
    return (int(found[1]), found[2] or "") if found else (0, step.error)


def reply_text(step: Step) -> str:
    """A reply as it may have read. What stood around its block is not kept."""
    said = [f"Thought: {step.thought}"] if step.thought else []
    if not step.action:
        return step.thought
    block = step.action if refused(step) else f"```{FENCE}\n{step.action}\n```"
    return "\n\n".join([*said, block])
