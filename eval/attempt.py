"""One attempt: an isolated environment, the agent in it, the evidence at the end, and the file that keeps them."""

from __future__ import annotations

import errno
import inspect
import json
import logging
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import Field, ValidationError

from eval.suites.base import NOT_AVAILABLE, Inspectable
from eval.watched import Watched, watch
from eval.workbench import Workbench
from reasoningbank.boundary import at_fault, attempt_edge, capture, expect, traceback_text
from reasoningbank.errors import (
    AgentError,
    CodeError,
    InfraError,
    LimitReached,
    ReasoningBankError,
    SetupError,
    UnusableReply,
)
from reasoningbank.files import write_atomic
from reasoningbank.interfaces import (
    Agent,
    AnswerCheck,
    Environment,
    Evidence,
    HeldAnswer,
    ShellObservation,
)
from reasoningbank.llm.calls import CallScope
from reasoningbank.types import (
    CheckEnv,
    Exit,
    Record,
    Refused,
    Role,
    Spent,
    Stored,
    Task,
    Trajectory,
    Usage,
    Verdict,
    canonical_json,
    derive_seed,
    digest,
    together,
)

_log = logging.getLogger("reasoningbank")


class Round(Record):
    """One answer of an attempt whose answers are checked, with the evidence of that moment where there is any."""

    held: HeldAnswer
    evidence: dict[str, Any] | None


class AttemptRecord(Stored):
    """What is kept of an attempt. It holds no outcome: that is computed anew from the evidence and gold."""

    trajectory: Trajectory
    evidence: dict[str, Any]
    rounds: tuple[Round, ...] = ()
    judged: bool = False
    verdict: Verdict | None = None
    usage: dict[Role, Usage]
    refused: tuple[Refused, ...] = ()
    failed: Usage = Usage()
    spent: dict[Role, Spent] = Field(default_factory=dict)
    """By role what is paid for: the replies that were used, and those that were not."""
    retries: int = 0
    seconds: float = 0.0
    faults: tuple[str, ...] = ()
    """Tracebacks: of an agent that crashed, of an environment that could not be closed."""

    def with_calls(self, scope: CallScope, **changes: Any) -> AttemptRecord:
        """A copy that adds the scope's calls to the account."""
        usage = {role: self.usage.get(role, Usage()) + more for role, more in scope.usage.items()}
        account = {
            "usage": {**self.usage, **usage},
            "refused": (*self.refused, *scope.refused),
            "failed": self.failed + scope.failed,
            "spent": together(self.spent, scope.spent),
            "retries": self.retries + scope.retries,
        }
        return self.model_copy(update={**account, **changes})


class NotedCheck:
    """A check whose answers are kept, each with the evidence of that moment; the agent learns nothing of these."""

    def __init__(self, check: AnswerCheck, env: Environment) -> None:
        self.env: CheckEnv = check.env
        self.rounds: list[Round] = []
        self._check = check
        self._environment = env

    def __call__(self, held: HeldAnswer) -> str | None:
        env, answer, evidence = self._environment, given(held.exit, held.answer), None
        if isinstance(env, Inspectable):
            looked = attempt_edge(lambda: env.look(answer), source="environment")
            evidence = expect(looked, Evidence, env, "look").model_dump(mode="json")
        self.rounds.append(Round(held=held, evidence=evidence))
        # the agent, in whose run this is called, is not at fault for a check that fails
        done = capture(lambda: self._check(held))
        if isinstance(done.error, Exception) and not isinstance(done.error, ReasoningBankError):
            raise CodeError(f"a check of answers failed: {done.error!r}") from done.error
        asked = done.unwrap()
        return asked if asked is None else expect(asked, str, self._check, "__call__")

    def of(self, trajectory: Trajectory, evidence: Evidence) -> tuple[Round, ...]:
        """The rounds; an answer that ended the attempt has the evidence of the end."""
        ended = evidence.model_dump(mode="json")
        last = len(trajectory.steps) - 1
        return tuple(
            each.model_copy(update={"evidence": ended}) if each.held.step == last else each for each in self.rounds
        )


@dataclass(frozen=True)
class AgentRun:
    """An agent at a task, in an environment that is watched."""

    agent: Agent
    task: Task
    attempt_id: str
    watched: Watched
    noted: NotedCheck | None
    faults: list[str]
    """Takes the traceback of an agent that crashes."""

    def trajectory(self, scope: CallScope, *, memory: str, seed: int) -> Trajectory:
        """The agent's own; where it crashed or met a limit, what was seen of it. InfraError where something around it
        failed."""
        try:
            trajectory = attempt_edge(lambda: self._own(scope, memory, seed), source="agent")
        except AgentError as error:
            trajectory = self._broken("agent_error", error)
            if isinstance(error.__cause__, UnusableReply):
                _log.warning("%s: %s, and the agent went no further: unsolved", self.attempt_id, error.__cause__)
            else:
                self.faults.append(traceback_text(error))
                _log.error("%s: the agent crashed, which counts as unsolved", self.attempt_id, exc_info=error)
        except LimitReached as error:
            trajectory = self._broken("limit", error)
        if trajectory.exit == "infra_error":
            raise InfraError(f"{self.attempt_id}: {trajectory.error}")
        return trajectory

    def _own(self, scope: CallScope, memory: str, seed: int) -> Trajectory:
        agent, task, attempt_id = self.agent, self.task, self.attempt_id
        checks: dict[str, Any] = {} if self.noted is None else {"check": self.noted}
        made = agent.run(task, self.watched, scope, attempt_id=attempt_id, memory=memory, seed=seed, **checks)
        trajectory = expect(made, Trajectory, agent, "run")
        if trajectory.attempt_id != attempt_id or trajectory.task != task:
            raise CodeError(
                f"{type(agent).__name__}.run returned a trajectory of attempt {trajectory.attempt_id!r} at task "
                f"{trajectory.task.id!r}, not of {attempt_id!r} at {task.id!r}: {at_fault(agent)}"
            )
        return without_cache(trajectory)

    def _broken(self, exit: Exit, error: Exception) -> Trajectory:
        seen = self.watched.seen
        return Trajectory(
            attempt_id=self.attempt_id,
            task=self.task,
            steps=tuple(self.watched.steps),
            exit=exit,
            final_observation=seen.text,
            final_url=seen.url,
            error=str(error),
            medium="shell" if isinstance(seen, ShellObservation) else "pages",
        )


def run_attempt(
    bench: Workbench,
    task: Task,
    scope: CallScope,
    *,
    trial: int,
    index: int,
    attempt_id: str,
    memory: str,
    images: Path | None = None,
    check: AnswerCheck | None = None,
) -> AttemptRecord:
    """Run the agent once. InfraError where something around it failed; the environment is closed in any case.

    `images`: the folder for those of an environment that keeps them.
    """
    if check is not None and "check" not in inspect.signature(bench.agent.run).parameters:
        raise SetupError(
            f"scaling={bench.settings.scaling['type']} checks answers, which {type(bench.agent).__name__}.run cannot: "
            "it takes no argument `check`"
        )
    started = time.monotonic()
    suite = bench.suite
    seed = derive_seed(bench.settings.seed, trial, suite.id, suite.seed, task.id, index, "environment", 0)
    env = attempt_edge(lambda: suite.environment(task), source="environment")
    env = expect(env, Environment, suite, "environment")  # type: ignore[type-abstract]
    faults: list[str] = []
    try:
        watched = attempt_edge(lambda: watch(env, images), source="environment")
        noted = None if check is None else NotedCheck(check, env)
        run = AgentRun(bench.agent, task, attempt_id, watched, noted, faults)
        trajectory = run.trajectory(scope, memory=memory, seed=seed)
        evidence = attempt_edge(lambda: env.finish(final_answer(trajectory)), source="environment")
        evidence = expect(evidence, Evidence, env, "finish")
    finally:
        faults += close(env, attempt_id)
    return AttemptRecord(
        trajectory=trajectory,
        evidence=evidence.model_dump(mode="json"),
        rounds=() if noted is None else noted.of(trajectory, evidence),
        usage={},
        seconds=round(time.monotonic() - started, 3),
        faults=tuple(faults),
    )


def without_cache(trajectory: Trajectory) -> Trajectory:
    """The same without what providers' caches did at its steps: a hash of it is in the result, which equal runs
    share."""
    if all(step.usage == step.usage.without_cache() for step in trajectory.steps):
        return trajectory
    steps = tuple(step.model_copy(update={"usage": step.usage.without_cache()}) for step in trajectory.steps)
    return trajectory.model_copy(update={"steps": steps})


def close(env: Environment, attempt_id: str) -> list[str]:
    """Close it. An environment that cannot be closed spoils no attempt and hides no error: its fault is told."""
    fault = capture(env.close).error
    if fault is None:
        return []
    if not isinstance(fault, Exception):
        raise fault
    _log.warning("%s: the environment could not be closed; the attempt stands", attempt_id, exc_info=fault)
    return [traceback_text(fault)]


def final_answer(trajectory: Trajectory) -> str | None:
    """What the evaluator gets: an attempt that did not come to an end by itself has given no answer."""
    return given(trajectory.exit, trajectory.answer)


def given(exit: Exit, answer: str | None) -> str | None:
    """An answer as evaluators read it."""
    if exit == "infeasible":
        return NOT_AVAILABLE
    return answer if exit == "answered" else None


def save_attempt(path: Path, record: AttemptRecord) -> None:
    data = record.model_dump(mode="json")
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomic(path, canonical_json({"sha256": digest(data), "attempt": data}))


def load_attempt(path: Path, attempt_id: str, task: Task) -> AttemptRecord | None:
    """The kept attempt; None where there is none, or not one that can be trusted to be this attempt's."""
    record = attempt_of(path)
    if record is None or record.trajectory.attempt_id != attempt_id or record.trajectory.task != task:
        return None
    return record


def attempt_of(path: Path) -> AttemptRecord | None:
    """The attempt in a file; None where there is none, or it was changed."""
    try:
        stored = json.loads(path.read_bytes())
        if stored["sha256"] != digest(stored["attempt"]):
            return None
        record = AttemptRecord.model_validate_json(json.dumps(stored["attempt"]))
    except (FileNotFoundError, ValueError, KeyError, TypeError, ValidationError, RecursionError):
        return None
    except OSError as error:
        if error.errno != errno.ELOOP:
            raise
        return None  # links that lead to each other hold nothing; the attempt's file takes their place
    return record
