"""The ReAct loop: look, think, act, until the agent answers, gives up or runs out of steps.

The loop knows nothing of what it drives. A `Kind` renders the prompts and reads the replies; the environment carries
out the moves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from reasoningbank.errors import AgentError, LimitReached, ReasoningBankError, UnusableReply
from reasoningbank.interfaces import Calls, Environment, Observation
from reasoningbank.types import Exit, Message, Reply, Step, Task, Trajectory, Usage


class MalformedReply(ReasoningBankError):
    """A reply without a usable action. Its message is what the agent is told; what could be read of it comes along."""

    def __init__(self, reason: str, *, thought: str = "", action: str = "") -> None:
        super().__init__(reason)
        self.thought = thought
        self.action = action


@dataclass(frozen=True)
class Move:
    """One call of a turn: text for the environment, or with `exit` the end of the attempt."""

    text: str
    exit: Exit | None = None
    answer: str | None = None


@dataclass(frozen=True)
class Turn:
    """A reply as the loop uses it: the thought, the action text as written, and its moves in order."""

    thought: str
    action: str
    moves: tuple[Move, ...]


class Kind(Protocol):
    """What differs between agents on the web and agents in a shell."""

    def system_prompt(self, task: Task, memory: str) -> str: ...

    def user_prompt(self, task: Task, steps: Sequence[Step], observation: Observation, error: str) -> str: ...

    def parse(self, text: str) -> Turn:
        """Raises MalformedReply."""
        ...


def run_react(
    kind: Kind,
    task: Task,
    env: Environment,
    calls: Calls,
    *,
    attempt_id: str,
    memory: str,
    seed: int,
    max_steps: int,
    max_malformed: int,
) -> Trajectory:
    """Drive `env` through `task`. A malformed reply costs a step; `max_malformed` of them in a row end the attempt.

    An InfraError of the environment or the model passes through, since such an attempt is no result.
    """
    system = kind.system_prompt(task, memory)
    seen = env.reset(task, seed)
    steps: list[Step] = []
    error = seen.error
    malformed = 0

    def ended(exit: Exit, *, answer: str | None = None, why: str = "") -> Trajectory:
        return Trajectory(
            attempt_id=attempt_id,
            task=task,
            steps=tuple(steps),
            exit=exit,
            answer=answer,
            final_observation=seen.text,
            final_url=seen.url,
            system_prompt=system,
            error=why,
        )

    while len(steps) < max_steps:
        prompt = kind.user_prompt(task, steps, seen, error)
        try:
            reply = calls.ask("agent", (Message(role="system", content=system), Message(role="user", content=prompt)))
        except LimitReached:
            return ended("limit")
        except AgentError as failure:
            return ended("agent_error", why=str(failure))
        except UnusableReply as fault:
            reply = Reply(text=fault.text, usage=Usage())
        try:
            turn = kind.parse(reply.text)
        except MalformedReply as fault:
            malformed += 1
            error = str(fault)
            steps.append(_step(steps, seen, fault.thought, fault.action, error, reply.usage))
            if malformed >= max_malformed:
                return ended("agent_error", why=f"{malformed} malformed replies in a row; the last: {error}")
            continue
        malformed = 0
        shown, final, error = seen, None, ""
        for move in turn.moves:
            if move.exit is not None:
                final = move
                break
            seen = env.step(move.text)
            error = seen.error
            if error:
                break
        if error and len(turn.moves) > 1:
            error = f"{move.text}: {error}"
        steps.append(_step(steps, shown, turn.thought, turn.action, error, reply.usage))
        if final is not None and final.exit is not None:
            return ended(final.exit, answer=final.answer)
    return ended("limit")


def _step(steps: Sequence[Step], shown: Observation, thought: str, action: str, error: str, usage: Usage) -> Step:
    return Step(
        index=len(steps),
        observation=shown.text,
        url=shown.url,
        thought=thought,
        action=action,
        error=error,
        usage=usage,
    )
