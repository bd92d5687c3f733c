"""Attempts in a shell as `mini-swe-agent-1.1`: the shape of that format, and every message as it was sent."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from toy_shell import SUBMIT, ToyShell, block, run

from reasoningbank.agents.code import CodeAgent
from reasoningbank.agents.mini_swe.export import as_mini_swe_agent
from reasoningbank.agents.mini_swe.load import load
from reasoningbank.errors import SetupError
from reasoningbank.types import Trajectory

HAND_IN = block(f"{SUBMIT}; echo done")
CASES: dict[str, tuple[list[str], dict[str, Any]]] = {
    "submitted": ([block("seq 1 9000; false"), "no", block("ls"), HAND_IN], {}),
    "steps": ([block("ls"), block("echo 1")], {"max_steps": 2}),
    "malformed": (["no", "no"], {"max_malformed": 2}),
    "time": ([block("sleep 0.2")] * 9, {"max_seconds": 0.1}),
}
STATUS = {
    "submitted": ("Submitted", "done"),
    "steps": ("LimitsExceeded", ""),
    "malformed": ("RepeatedFormatError", ""),
    "time": ("TimeExceeded", ""),
}


def made(case: str, folder: Path) -> tuple[Trajectory, list[tuple[Any, ...]]]:
    replies, settings = CASES[case]
    done, llm = run(replies, ToyShell(folder), agent=CodeAgent(**settings))
    return done, llm.requests


@pytest.mark.parametrize("case", CASES)
def test_the_shape_is_that_of_the_format(case: str, tmp_path: Path) -> None:
    done, _ = made(case, tmp_path)
    data = as_mini_swe_agent(done, model="openai:a", cost_usd=0.5, settings={"step_limit": 20})
    assert json.loads(json.dumps(data)) == data
    assert (data["trajectory_format"], data["instance_id"]) == ("mini-swe-agent-1.1", "1")
    info = data["info"]
    assert info["model_stats"] == {"instance_cost": 0.5, "api_calls": len(done.steps)}
    assert {"config", "mini_version", "exit_status", "submission"} <= set(info)
    assert {"agent", "agent_type", "model", "model_type", "environment", "environment_type"} == set(info["config"])
    assert info["config"]["model"]["model_name"] == "openai:a"
    assert info["mini_version"] == load().version
    assert (info["exit_status"], info["submission"]) == STATUS[case]
    roles = [message["role"] for message in data["messages"]]
    assert roles[:2] == ["system", "user"]
    assert roles[-1] == "exit"
    assert roles.count("assistant") == len(done.steps)
    assert data["messages"][-1]["extra"]["exit_status"] == info["exit_status"]
    for message in data["messages"]:
        assert isinstance(message["content"], str)
        if message["role"] == "assistant":
            assert all(set(action) == {"command"} for action in message["extra"]["actions"])


@pytest.mark.parametrize("case", CASES)
def test_messages_are_those_that_were_sent(case: str, tmp_path: Path) -> None:
    done, requests = made(case, tmp_path)
    data = as_mini_swe_agent(done)
    sent = [(message.role, message.content) for message in requests[-1]]
    assert [(message["role"], message["content"]) for message in data["messages"]][: len(sent)] == sent
    outputs = [message["extra"] for message in data["messages"] if "returncode" in message.get("extra", {})]
    ran = [step for step in done.steps if step.action and SUBMIT not in step.action]
    assert [bool(extra["returncode"]) for extra in outputs] == [bool(step.error) for step in ran]


def test_an_attempt_on_pages_has_no_commands(tmp_path: Path) -> None:
    done, _ = made("steps", tmp_path)
    with pytest.raises(SetupError, match="an attempt on pages"):
        as_mini_swe_agent(done.model_copy(update={"medium": "pages"}))
