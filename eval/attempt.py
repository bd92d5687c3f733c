"""One attempt: an isolated environment, the agent in it, the evidence at the end, and the file that keeps them."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from eval.workbench import Workbench
from reasoningbank.boundary import GuardedEnvironment, attempt_edge
from reasoningbank.errors import AgentError, InfraError, LimitReached
from reasoningbank.failpoints import failpoint
from reasoningbank.files import write_atomic
from reasoningbank.interfaces import Environment, Evidence, Observation
from reasoningbank.llm.calls import CallScope
from reasoningbank.types import Role, Stored, Task, Trajectory, Usage, Verdict, canonical_json, derive_seed, digest

NOT_AVAILABLE = "N/A"
"""The answer that evaluators read where the agent reported a task infeasible."""


class AttemptRecord(Stored):
    """What is kept of an attempt. It holds no outcome: that is computed anew from the evidence and gold."""

    trajectory: Trajectory
    evidence: dict[str, Any]
    judged: bool = False
    verdict: Verdict | None = None
    usage: dict[Role, Usage]
    failed: Usage = Usage()
    retries: int = 0
    seconds: float = 0.0

    def with_calls(self, scope: CallScope, **changes: Any) -> AttemptRecord:
        """A copy that adds the scope's calls to the account."""
        usage = {role: self.usage.get(role, Usage()) + more for role, more in scope.usage.items()}
        account = {
            "usage": {**self.usage, **usage},
            "failed": self.failed + scope.failed,
            "retries": self.retries + scope.retries,
        }
        return self.model_copy(update={**account, **changes})


class Watched:
    """The environment as the agent sees it: the same, with a place where a test can stop the process."""

    def __init__(self, env: Environment) -> None:
        self._env = env

    def reset(self, task: Task, seed: int) -> Observation:
        return self._env.reset(task, seed)

    def step(self, text: str) -> Observation:
        failpoint("attempt")
        return self._env.step(text)

    def finish(self, answer: str | None) -> Evidence:
        raise RuntimeError("an agent must not finish its environment")

    def close(self) -> None:
        raise RuntimeError("an agent must not close its environment")


def run_attempt(
    bench: Workbench, task: Task, scope: CallScope, *, trial: int, attempt_id: str, memory: str
) -> AttemptRecord:
    """Run the agent once. InfraError where something around it failed; the environment is closed in any case."""
    started = time.monotonic()
    suite, index = bench.suite, int(attempt_id.rpartition("/")[2])
    seed = derive_seed(bench.settings.seed, trial, suite.id, suite.seed, task.id, index, "environment", 0)
    env = GuardedEnvironment(attempt_edge(lambda: suite.environment(task), source="environment"))

    def run_agent() -> Trajectory:
        return bench.agent.run(task, Watched(env), scope, attempt_id=attempt_id, memory=memory, seed=seed)

    try:
        try:
            trajectory = attempt_edge(run_agent, source="agent")
        except AgentError as error:
            trajectory = Trajectory(attempt_id=attempt_id, task=task, steps=(), exit="agent_error", error=str(error))
        except LimitReached as error:
            trajectory = Trajectory(attempt_id=attempt_id, task=task, steps=(), exit="limit", error=str(error))
        if trajectory.exit == "infra_error":
            raise InfraError(f"{attempt_id}: {trajectory.error}")
        evidence = env.finish(final_answer(trajectory))
    finally:
        env.close()
    return AttemptRecord(
        trajectory=trajectory,
        evidence=evidence.model_dump(mode="json"),
        usage={},
        seconds=round(time.monotonic() - started, 3),
    )


def final_answer(trajectory: Trajectory) -> str | None:
    """What the evaluator gets: an attempt that did not come to an end by itself has given no answer."""
    if trajectory.exit == "infeasible":
        return NOT_AVAILABLE
    return trajectory.answer if trajectory.exit == "answered" else None


def save_attempt(path: Path, record: AttemptRecord) -> None:
    data = record.model_dump(mode="json")
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomic(path, canonical_json({"sha256": digest(data), "attempt": data}))


def load_attempt(path: Path, attempt_id: str, task: Task) -> AttemptRecord | None:
    """The kept attempt; None where there is none, or not one that can be trusted to be this attempt's."""
    try:
        stored = json.loads(path.read_bytes())
        if stored["sha256"] != digest(stored["attempt"]):
            return None
        record = AttemptRecord.model_validate_json(json.dumps(stored["attempt"]))
    except (FileNotFoundError, ValueError, KeyError, TypeError, ValidationError):
        return None
    fits = record.trajectory.attempt_id == attempt_id and record.trajectory.task == task
    return record if fits else None
