"""A tiny suite with its own agent and model, so that the runner's tests take moments: sums of two numbers.

Every line `type: arithmetic` in `configs/` finds its class here. The model is a pure function of prompt and seed; it
slips now and then, and less often when memory says to check the sum.
"""

from __future__ import annotations

import random
import re
import time
from collections.abc import Sequence
from pathlib import Path

from eval.journal import Outcome
from eval.suites.base import Grader
from reasoningbank.errors import InfraError
from reasoningbank.interfaces import Calls, Environment, Evidence, Observation
from reasoningbank.types import Message, Reply, Step, Task, Trajectory, Usage, digest

CANARY = "gold-canary-7351"
"""Stands in every reference that answers are compared with, and so must stand in no prompt."""


class Arithmetic:
    """`count` sums over each of `sites`; the environment of task `fail_on` does not start
    while the file `fail_while` exists."""

    id = "arithmetic"
    version = "1"
    agent = "arithmetic"

    def __init__(
        self, *, seed: int, count: int, sites: Sequence[str] = ("sums",), fail_on: str = "", fail_while: str = ""
    ) -> None:
        self.seed = seed
        self._fails = {fail_on: Path(fail_while)}
        self._tasks: list[Task] = []
        self._gold: dict[str, str] = {}
        rng = random.Random(seed)
        for site in sites:
            for _ in range(count):
                left, right = rng.randint(1, 99), rng.randint(1, 99)
                task_id = str(len(self._tasks))
                intent = f"What is {left} + {right}?"
                template = str(len(self._tasks) % 3)
                self._tasks.append(
                    Task(id=task_id, suite=self.id, group=site, intent=intent, template_id=template, kind="information")
                )
                self._gold[task_id] = f"{CANARY} {left + right}"

    def tasks(self) -> list[Task]:
        return list(self._tasks)

    def environment(self, task: Task) -> Environment:
        return Blackboard(fails=task.id in self._fails and self._fails[task.id].exists())

    def evaluate(self, task: Task, evidence: Evidence, grader: Grader) -> Outcome:
        solved = f"{CANARY} {evidence.answer}" == self._gold[task.id]
        return Outcome(status="solved" if solved else "unsolved", reward=float(solved), checks={"exact": float(solved)})

    def load_evidence(self, data: dict[str, object]) -> Evidence:
        return Evidence.model_validate(data)


class Blackboard:
    """Shows the task, and whatever was last written."""

    def __init__(self, *, fails: bool) -> None:
        self._fails = fails
        self._text = ""

    def reset(self, task: Task, seed: int) -> Observation:
        if self._fails:
            raise InfraError("the blackboard fell down")
        self._text = f"Blackboard: {task.intent}"
        return Observation(text=self._text)

    def step(self, text: str) -> Observation:
        self._text += f" {text}"
        return Observation(text=self._text)

    def finish(self, answer: str | None) -> Evidence:
        return Evidence(answer=answer)

    def close(self) -> None:
        pass


class Pupil:
    """Writes twice, then answers."""

    def __init__(self, *, max_steps: int = 30, multi_actions: bool = False) -> None:
        self.max_steps = max_steps
        self.multi_actions = multi_actions

    def run(self, task: Task, env: Environment, calls: Calls, *, attempt_id: str, memory: str, seed: int) -> Trajectory:
        seen = env.reset(task, seed)
        steps: list[Step] = []
        system = f"Add the numbers.\n{memory}".strip()
        for index in range(3):
            prompt = (Message(role="system", content=system), Message(role="user", content=seen.text))
            reply = calls.ask("agent", prompt)
            steps.append(
                Step(index=index, observation=seen.text, thought="adding", action=reply.text, usage=reply.usage)
            )
            if index < 2:
                seen = env.step(reply.text)
        return Trajectory(
            attempt_id=attempt_id,
            task=task,
            steps=tuple(steps),
            exit="answered",
            answer=steps[-1].action,
            final_observation=seen.text,
            system_prompt=system,
        )


class Calculator:
    """Answers every role's prompt. `slow` is the longest wait before a reply, drawn anew each time."""

    id = "calculator"
    simulated = True

    def __init__(self, *, slow: float = 0.0) -> None:
        self._slow = slow

    def complete(self, messages: Sequence[Message], *, temperature: float, seed: int, max_tokens: int) -> Reply:
        if self._slow:
            time.sleep(random.SystemRandom().random() * self._slow)
        prompt = "\n".join(message.content for message in messages)
        text = self._answer(prompt, random.Random(seed))
        # a text is never counted as nothing
        return Reply(text=text, usage=Usage(input_tokens=len(prompt) // 4, output_tokens=max(1, len(text) // 4)))

    def _answer(self, prompt: str, rng: random.Random) -> str:
        if prompt.startswith("Add the numbers."):
            left, right = re.findall(r"What is (\d+) \+ (\d+)", prompt)[-1]
            slips = rng.random() < (0.2 if "Check the sum" in prompt else 0.6)
            return str(int(left) + int(right) + slips)
        if "# Candidate 1" in prompt:
            return '{"index": [1], "analysis": "the first will do"}'
        if "Status:" in prompt:
            return f"Thoughts: so it seems\nStatus: {'success' if rng.random() < 0.7 else 'failure'}"
        mark = digest([prompt, rng.random()])[:6]
        head = "# Workflow 1" if "# Workflow" in prompt else "# Memory Item 1"
        return f"{head}\n## Title\nCheck the sum\n## Description\nNote {mark}\n## Content\nAdd it up once more."
