"""A stored attempt in a shell as `mini-swe-agent-1.1`: what that project's inspector and its readers open.

    data = as_mini_swe_agent(trajectory, model="gemini:gemini-2.5-pro", cost_usd=0.12)
    path.write_text(json.dumps(data, indent=2))

Messages are made again from the steps, by the same prompts: they are what was sent, but for what stood around the block
of a reply, which is not kept.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from reasoningbank.agents.mini_swe.messages import HandIn, refused, reply_text, returned, step_message, task_message
from reasoningbank.agents.mini_swe.progress import SUBMIT
from reasoningbank.agents.mini_swe.reply import BASH
from reasoningbank.errors import SetupError
from reasoningbank.prompts import PromptPack
from reasoningbank.steps import final_parts
from reasoningbank.types import Step, Trajectory

FORMAT = "mini-swe-agent-1.1"


def as_mini_swe_agent(
    trajectory: Trajectory,
    *,
    prompts: PromptPack | None = None,
    hand_in: HandIn = "summary",
    tool_calls: bool = False,
    model: str = "",
    cost_usd: float | None = None,
    settings: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """The trajectory as their JSON. `prompts`, `hand_in` and `tool_calls` are those of the run, `settings` its agent's.

    `cost_usd`: US dollars of the attempt's own calls; None, where a price is not known, is told as 0. SetupError for a
    trajectory of pages: it has no commands.
    """
    if trajectory.medium != "shell":
        raise SetupError(
            f"{trajectory.attempt_id} is an attempt on pages: {FORMAT} holds commands and what they printed"
        )
    pack = prompts or PromptPack()
    status, submission = _end(trajectory)
    messages: list[dict[str, Any]] = [
        {"role": "system", "content": trajectory.system_prompt},
        {"role": "user", "content": task_message(pack, trajectory.task, hand_in, tool_calls=tool_calls)},
    ]
    for step, output in zip(trajectory.steps, _outputs(trajectory), strict=True):
        messages.append(_said(step, tool_calls))
        if output is not None:
            messages.append(_answer(pack, step, output, tool_calls))
    extra = {"exit_status": status, "submission": submission}
    if trajectory.error:
        extra["exception_str"] = trajectory.error
    messages.append({"role": "exit", "content": submission or trajectory.error or status, "extra": extra})
    agent = {
        "system_template": trajectory.system_prompt,
        "instance_template": messages[1]["content"],
        **(settings or {}),
    }
    return {
        "info": {
            "model_stats": {"instance_cost": cost_usd or 0.0, "api_calls": len(trajectory.steps)},
            "config": {
                "agent": agent,
                "agent_type": "reasoningbank.agents.code.CodeAgent",
                "model": {"model_name": model},
                "model_type": "reasoningbank.agents.mini_swe.model.CallsModel",
                "environment": {},
                "environment_type": "reasoningbank.agents.mini_swe.shell.Shell",
            },
            "mini_version": _version(),
            **extra,
        },
        "messages": messages,
        "trajectory_format": FORMAT,
        "instance_id": trajectory.task.id,
    }


def _said(step: Step, tool_calls: bool) -> dict[str, Any]:
    """The reply of a step."""
    called = tool_calls and not refused(step)
    actions = [] if refused(step) else [{"command": step.action}]
    told = {"actions": actions, "usage": step.usage.model_dump(mode="json")}
    text = step.thought if tool_calls else reply_text(step)
    message: dict[str, Any] = {"role": "assistant", "content": text, "extra": told}
    if called:
        function = {"name": BASH.name, "arguments": json.dumps({"command": step.action})}
        message["tool_calls"] = [{"id": f"call_{step.index}", "type": "function", "function": function}]
        message["content"] = text or None
    return message


def _answer(pack: PromptPack, step: Step, output: str, tool_calls: bool) -> dict[str, Any]:
    """The message after a step."""
    content = step_message(pack, step, output, tool_calls=tool_calls)
    if refused(step):
        return {"role": "user", "content": content, "extra": {"interrupt_type": "FormatError"}}
    returncode, error = returned(step)
    told = {"raw_output": output, "returncode": returncode, "exception_info": error}
    if tool_calls:
        return {"role": "tool", "tool_call_id": f"call_{step.index}", "content": content, "extra": told}
    return {"role": "user", "content": content, "extra": told}


def _outputs(trajectory: Trajectory) -> list[str | None]:
    """What each step's command printed, as it was shown; None after the one that ended the attempt."""
    steps = trajectory.steps
    after: list[str | None] = [step.observation for step in steps[1:]]
    if steps:
        handed_in = trajectory.exit == "answered" and SUBMIT in steps[-1].action and not steps[-1].check
        after.append(None if handed_in else final_parts(trajectory.final_observation)[1])
    return after


def _end(trajectory: Trajectory) -> tuple[str, str]:
    """Their word for how it ended, and what was handed in."""
    if trajectory.exit == "answered":
        return "Submitted", trajectory.answer or ""
    if trajectory.exit == "limit":
        return ("TimeExceeded" if trajectory.error.startswith("max_seconds") else "LimitsExceeded"), ""
    return {"agent_error": "RepeatedFormatError", "infra_error": "InfraError"}.get(trajectory.exit, trajectory.exit), ""


def _version() -> str:
    try:
        return version("mini-swe-agent")
    except PackageNotFoundError:
        return ""
