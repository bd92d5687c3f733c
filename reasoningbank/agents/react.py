"""The ReAct loop: look, think, act, until the agent answers, gives up or runs out of steps.

The loop knows nothing of what it drives. A `Kind` renders the prompts and reads the replies; the environment carries
out the moves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from reasoningbank.agents.held import HeldAnswers
from reasoningbank.errors import AgentError, LimitReached, ReasoningBankError, UnusableReply
from reasoningbank.interfaces import AnswerCheck, Calls, Environment, Observation
from reasoningbank.types import CheckEnv, Exit, Message, Step, Task, Trajectory, Usage

ONLY_ANSWER = "nothing can be done any more: think it over, then give the final answer"
"""What an agent is told that acts where it may only think."""


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
    check: AnswerCheck | None = None,
) -> Trajectory:
    """Drive `env` through `task`. A malformed reply costs a step; `max_malformed` of them in a row end the attempt.

    `check` may hold answers back; where steps run out before the next answer, the last one held stands.
    An InfraError of the environment or the model passes through, since such an attempt is no result.
    """
    system = kind.system_prompt(task, memory)
    run = _Run(kind, task, env, calls, attempt_id, system, env.reset(task, seed), HeldAnswers(check, max_steps))
    run.error = run.seen.error
    while len(run.steps) < max_steps:
        try:
            final = run.step()
        except LimitReached:
            break
        except AgentError as failure:
            return run.ended("agent_error", why=str(failure))
        if final is not None and final.exit is not None:
            if run.held_back(final.exit, final.answer, seed):
                continue
            return run.ended(final.exit, answer=final.answer)
        if run.malformed >= max_malformed:
            return run.ended("agent_error", why=f"{run.malformed} malformed replies in a row; the last: {run.error}")
    return run.ended("limit")


def heads_of(before: str, prompt: str, heads: tuple[int, ...]) -> tuple[int, ...]:
    """The `heads` of a prompt, from those of the one before it: whole paragraphs, and as long as they are the same."""
    whole = 0
    for old, new in zip(before.split("\n\n")[:-1], prompt.split("\n\n")[:-1]):
        if old != new:
            break
        whole += len(new) + len("\n\n")
    kept = tuple(head for head in heads if head <= whole)
    return (*kept, whole) if prompt[max(kept, default=0) : whole].strip() else kept


@dataclass
class _Run:
    """One attempt under way."""

    kind: Kind
    task: Task
    env: Environment
    calls: Calls
    attempt_id: str
    system: str
    seen: Observation
    held: HeldAnswers
    error: str = ""
    malformed: int = 0
    """How many replies in a row had no usable action."""
    prompt: str = ""
    """What was asked last."""
    heads: tuple[int, ...] = ()
    """What it had in common with those before it."""
    steps: list[Step] = field(default_factory=list)
    checking: CheckEnv | None = None
    """How an answer is being checked; None before the first one."""

    def step(self) -> Move | None:
        """Look, think, act once. The move that ends the attempt, if the reply held one."""
        prompt = self.kind.user_prompt(self.task, self.steps, self.seen, self.error)
        self.heads = heads_of(self.prompt, prompt, self.heads)
        self.prompt = prompt
        user = Message(role="user", content=prompt, heads=self.heads)
        messages = (Message(role="system", content=self.system), user)
        usage = Usage()
        try:
            reply = self.calls.ask("refiner" if self.checking else "agent", messages)
            usage = reply.usage
            turn = self.kind.parse(reply.text)
            if self.checking == "reflect_only" and all(move.exit is None for move in turn.moves):
                raise MalformedReply(ONLY_ANSWER, thought=turn.thought, action=turn.action)
        except MalformedReply as fault:
            self._refuse(str(fault), fault.thought, fault.action, usage)
            return None
        except UnusableReply as fault:
            self._refuse(fault.reason, "", "", usage)
            return None
        self.malformed = 0
        shown = self.seen
        final = self._carry_out(turn.moves)
        self._note(shown, turn.thought, turn.action, usage)
        return final

    def _carry_out(self, moves: tuple[Move, ...]) -> Move | None:
        """The moves in order, until one fails or ends the attempt."""
        self.error = ""
        for move in moves:
            if move.exit is not None:
                return move
            if self.checking == "reflect_only":
                continue  # nothing is carried out any more
            self.seen = self.env.step(move.text)
            if self.seen.error:
                self.error = f"{move.text}: {self.seen.error}" if len(moves) > 1 else self.seen.error
                return None
        return None

    def _refuse(self, reason: str, thought: str, action: str, usage: Usage) -> None:
        self.malformed += 1
        self.error = reason
        self._note(self.seen, thought, action, usage)

    def _note(self, shown: Observation, thought: str, action: str, usage: Usage) -> None:
        self.steps.append(
            Step(
                index=len(self.steps),
                observation=shown.text,
                url=shown.url,
                thought=thought,
                action=action,
                error=self.error,
                usage=usage,
            )
        )

    def held_back(self, exit: Exit, answer: str | None, seed: int) -> bool:
        """Whether an answer is held back, for the agent to check."""
        check = self.held.check
        if check is None or self.held.ask(self.steps, exit, answer) is None:
            return False
        self.checking = check.env
        if check.env == "reset":
            self.seen = self.env.reset(self.task, seed)
            self.error = self.seen.error
        return True

    def ended(self, exit: Exit, *, answer: str | None = None, why: str = "") -> Trajectory:
        """What became of the attempt."""
        exit, answer, why = self.held.standing(exit, answer, why)
        return Trajectory(
            attempt_id=self.attempt_id,
            task=self.task,
            steps=tuple(self.steps),
            exit=exit,
            answer=answer,
            final_observation=self.seen.text,
            final_url=self.seen.url,
            system_prompt=self.system,
            error=why,
        )
