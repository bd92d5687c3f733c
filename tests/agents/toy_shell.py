"""A shell environment for tests: a real bash in a folder of its own, nothing more."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path

from reasoningbank.agents.code import CodeAgent
from reasoningbank.interfaces import AnswerCheck, Environment, Evidence, Observation, ShellObservation
from reasoningbank.llm.calls import CallScope, ScopeKey
from reasoningbank.llm.offline.scripted import Scripted, ScriptedLLM
from reasoningbank.llm.prices import Price
from reasoningbank.llm.record import CallLog
from reasoningbank.llm.transport import Transport
from reasoningbank.retry import RetryPolicy
from reasoningbank.types import Role, Task, Trajectory

TASK = Task(id="1", suite="any", group="any", intent="Pears are counted twice")
SUBMIT = "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"


class ToyShell:
    """Commands run in `folder`. `changes` are the names of its files, which stand for a diff."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.commands: list[str] = []
        self.resets = 0

    def reset(self, task: Task, seed: int) -> Observation:
        self.resets += 1
        for path in self.folder.iterdir():
            path.unlink()
        return Observation(text="")

    def step(self, text: str) -> Observation:
        self.commands.append(text)
        try:
            done = subprocess.run(
                ["bash", "-c", text],
                cwd=self.folder,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                stdin=subprocess.DEVNULL,
                timeout=1.0 if text.startswith("sleep") else 30.0,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return ShellObservation(text="", returncode=124, error="stopped after 1 s")
        return ShellObservation(text=done.stdout.decode("utf-8", errors="replace"), returncode=done.returncode)

    def changes(self) -> str:
        return "\n".join(sorted(path.name for path in self.folder.iterdir()))

    def finish(self, answer: str | None) -> Evidence:
        raise AssertionError("the agent must not call finish")

    def close(self) -> None:
        raise AssertionError("the agent must not call close")


def block(command: str, thought: str = "so") -> str:
    return f"Thought: {thought}\n\n```mswea_bash_command\n{command}\n```"


def scope(llm: ScriptedLLM, *, price: Price | None = None, log: CallLog | None = None) -> CallScope:
    roles: tuple[Role, ...] = ("agent", "refiner")
    return CallScope(
        llms=dict.fromkeys(roles, llm),
        key=ScopeKey(seed=0, trial=0, suite="any", suite_seed=0, task="1", attempt=0),
        transport=Transport(retry=RetryPolicy(attempts=1), prices=dict.fromkeys(roles, price)),
        log=log,
    )


def run(
    replies: Sequence[Scripted],
    env: Environment,
    *,
    agent: CodeAgent | None = None,
    memory: str = "",
    check: AnswerCheck | None = None,
    calls: CallScope | None = None,
) -> tuple[Trajectory, ScriptedLLM]:
    """One attempt with scripted replies, or with the calls given."""
    llm = ScriptedLLM(list(replies))
    agent = agent or CodeAgent(max_steps=20)
    done = agent.run(TASK, env, calls or scope(llm), attempt_id="a/0", memory=memory, seed=0, check=check)
    return done, llm
