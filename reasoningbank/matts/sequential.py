"""One attempt of k answers: each but the last is held back, and the agent is asked to check it first."""

from __future__ import annotations

from collections.abc import Sequence

from reasoningbank.distill.render import answer_text
from reasoningbank.errors import SetupError
from reasoningbank.interfaces import Calls, HeldAnswer, Rollout
from reasoningbank.prompts import PromptPack
from reasoningbank.types import CheckEnv, JudgedAttempt, Role, Selection, SuccessMetric


class Sequential:
    """k-1 checks, which share the attempt's limit of steps. Only the last answer reaches the environment.

    `env` says what the agent may do while it checks: `continue` to act from where it is, `reset` to start again in a
    fresh environment, `reflect_only` to think.
    """

    attempts = 1
    success_metric: SuccessMetric = "last_answer"
    roles: tuple[Role, ...] = ("refiner",)
    """The agent's, while it checks."""

    def __init__(self, *, prompts: PromptPack, k: int, env: CheckEnv = "continue") -> None:
        if k < 1:
            raise SetupError(f"k={k}: an attempt needs at least one answer; k=1 is an attempt without a check")
        self.k = k
        self._check = SelfCheck(prompts=prompts, checks=k - 1, env=env)

    def run(self, rollout: Rollout) -> tuple[JudgedAttempt, ...]:
        return (rollout(0, self._check),)

    def select(self, attempts: Sequence[JudgedAttempt], calls: Calls, *, seed: int) -> Selection:
        """An empty one: the last answer stands, whatever it is."""
        return Selection()


class SelfCheck:
    """An `AnswerCheck` that asks the agent itself, `checks` times. It keeps nothing from one answer to the next."""

    def __init__(self, *, prompts: PromptPack, checks: int, env: CheckEnv) -> None:
        self.env = env
        self._prompts = prompts
        self._checks = checks

    def __call__(self, held: HeldAnswer) -> str | None:
        """The prompt of the check that follows this answer; None after the last one."""
        if held.round >= self._checks:
            return None
        name = "check_follow_up" if held.round else "check_first"
        return self._prompts.render(name, answer=answer_text(held.exit, held.answer), env=self.env)
