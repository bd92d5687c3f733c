"""The code agent: mini-swe-agent's loop, in which every turn is one command for a shell, until the work is handed in.

    agent = CodeAgent(max_steps=30)
    agent.run(task, env, calls, attempt_id="a/0", memory="", seed=0)

The loop is their `DefaultAgent` as it is installed (`pip install 'reasoningbank[code]'`); models, environments, prompts
and trajectories are ours. The conversation grows: each reply and each output stay in it as they were. Where it outgrows
the model's context, that is a limit like others.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from pydantic import Field

from reasoningbank.agents.held import HeldAnswers
from reasoningbank.agents.mini_swe.load import load
from reasoningbank.agents.mini_swe.messages import HandIn, step_message, system_message, task_message
from reasoningbank.agents.mini_swe.model import CallsModel
from reasoningbank.agents.mini_swe.progress import Progress
from reasoningbank.agents.mini_swe.shell import Shell
from reasoningbank.errors import AgentError, LimitReached, PromptTooLong, SetupError
from reasoningbank.interfaces import AnswerCheck, Calls, Environment, Observation, ShowsChanges
from reasoningbank.prompts import PromptPack
from reasoningbank.types import AtLeastOne, Exit, Role, Step, Task, Trajectory

Positive = Annotated[float, Field(gt=0)]
EXITS: dict[str, Exit] = {
    **{"Submitted": "answered", "LimitsExceeded": "limit", "TimeExceeded": "limit"},
    "RepeatedFormatError": "agent_error",
}
"""Of an attempt, by the loop's own word for how it ended."""


class CodeAgent:
    """An agent for repositories, in a shell. Its environment's steps return `ShellObservation`."""

    roles: tuple[Role, ...] = ("agent",)
    """Of a check, which asks `refiner`, the scaling says so."""

    def __init__(
        self,
        *,
        prompts: PromptPack | None = None,
        max_steps: AtLeastOne = 250,
        max_cost: Positive | None = None,
        max_seconds: Positive | None = None,
        max_malformed: AtLeastOne = 5,
        tool_calls: bool = False,
        output_budget: AtLeastOne = 10_000,
        hand_in: HandIn = "summary",
    ) -> None:
        """`max_cost`: US dollars an attempt's own calls may cost, by our prices, what was retried not counted.
        `max_seconds`: for which its commands and its models may work, outages and waits not counted; it goes by the
        clock, so that equal runs may end at another step. `max_malformed`: replies in a row without one command.
        `tool_calls`: the command is the call of a tool, where the model's client can offer one, and no block in a text.
        `output_budget`: characters of an output that are shown. `hand_in`: what is printed with the last command, a
        sentence or the patch itself.
        """
        self.prompts = prompts or PromptPack()
        self.max_steps = max_steps
        self.max_cost = max_cost
        self.max_seconds = max_seconds
        self.max_malformed = max_malformed
        self.tool_calls = tool_calls
        self.output_budget = output_budget
        self.hand_in = hand_in

    def check(self) -> str:
        """SetupError where mini-swe-agent is missing or too old."""
        return f"mini-swe-agent {load().version}"

    def run(
        self,
        task: Task,
        env: Environment,
        calls: Calls,
        *,
        attempt_id: str,
        memory: str,
        seed: int,
        check: AnswerCheck | None = None,
    ) -> Trajectory:
        """One attempt on one task. SetupError for a check that only thinks: in a shell nothing would come of it."""
        if check is not None and check.env == "reflect_only":
            raise SetupError(
                "scaling.env=reflect_only: what counts in a repository is what was changed, which thinking does not; "
                "set it to continue or reset"
            )
        mini = load()
        progress = Progress(
            task=task,
            attempt_id=attempt_id,
            seed=seed,
            output_budget=self.output_budget,
            held=HeldAnswers(check, self.max_steps),
            as_printed=self.hand_in == "patch",
        )
        progress.seen = env.reset(task, seed).text
        model = CallsModel(mini, calls, self.prompts, progress, self.max_cost, self.max_seconds, self.tool_calls)
        loop = mini.DefaultAgent(
            model,
            Shell(mini, env, progress),
            system_template="{{ system_prompt }}",
            instance_template="{{ user_prompt }}",
            step_limit=self.max_steps,
            cost_limit=self.max_cost or 0.0,
            max_consecutive_format_errors=self.max_malformed,
        )
        system = self.system_prompt(task, memory)

        def ended(exit: Exit, answer: str | None = None, why: str = "") -> Trajectory:
            changes = env.changes() if isinstance(env, ShowsChanges) else None
            return progress.ended(exit, system_prompt=system, changes=changes, answer=answer, why=why)

        try:
            done = loop.run(task.intent, system_prompt=system, user_prompt=self._task_prompt(task))
        except LimitReached as reached:
            return ended("limit", why=str(reached))
        except PromptTooLong as reached:
            if not progress.steps:
                raise  # the task alone is too long: a setting is at fault
            return ended("limit", why=str(reached))
        except AgentError as failure:
            return ended("agent_error", why=str(failure))
        exit = EXITS[done["exit_status"]]
        if exit == "answered":
            return ended(exit, done["submission"])
        if exit == "agent_error":
            last = progress.steps[-1].error
            return ended(exit, why=f"{self.max_malformed} malformed replies in a row; the last: {last}")
        return ended(exit, why=self._limit(done["exit_status"], len(progress.steps)))

    def system_prompt(self, task: Task, memory: str) -> str:
        """Rules and reply format; the memory section only where something was recalled."""
        return system_message(self.prompts, memory, tool_calls=self.tool_calls)

    def user_prompt(self, task: Task, steps: Sequence[Step], observation: Observation, error: str) -> str:
        """The last message that is sent after these steps; what was sent before stays in the conversation."""
        if not steps:
            return self._task_prompt(task)
        return step_message(self.prompts, steps[-1], observation.text, tool_calls=self.tool_calls)

    def _task_prompt(self, task: Task) -> str:
        return task_message(self.prompts, task, self.hand_in, tool_calls=self.tool_calls)

    def _limit(self, status: str, steps: int) -> str:
        """The setting that ended it."""
        if status == "TimeExceeded":
            return f"max_seconds={self.max_seconds}"
        return f"max_steps={self.max_steps}" if steps >= self.max_steps else f"max_cost={self.max_cost}"
