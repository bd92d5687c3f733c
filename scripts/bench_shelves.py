"""What `bench_runner.py` runs: a suite of small pages in memory, and a model that knows its replies in advance."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

from eval.journal import Outcome
from eval.suites.base import Grader
from reasoningbank.interfaces import Environment, Evidence, Observation
from reasoningbank.llm.offline.usage import reply_of
from reasoningbank.types import Message, Reply, Task, digest

STEPS = 5
"""Of every attempt; the last one answers."""
_SHELF = re.compile(r"Shelf (\d+) of")


class Shelves:
    """Tasks to walk along shelves, each asked for in words of its own."""

    id = "shelves"
    version = "1"
    agent = "web"

    def __init__(self, count: int) -> None:
        self.seed = 0
        rng = random.Random(0)
        words = ["".join(rng.choice("bdfgklmnprstvz") + rng.choice("aeiou") for _ in range(3)) for _ in range(3000)]
        self._tasks = [
            Task(
                id=str(number),
                suite=self.id,
                group="shelves",
                intent=f"Find the {' '.join(rng.sample(words, 4))} and say how many there are",
                template_id=str(number % 97),
                kind="information",
            )
            for number in range(count)
        ]

    def tasks(self) -> list[Task]:
        return self._tasks

    def environment(self, task: Task) -> Environment:
        return Walk()

    def evaluate(self, task: Task, evidence: Evidence, grader: Grader) -> Outcome:
        solved = evidence.answer == str(len(task.intent) % 10)
        return Outcome(status="solved" if solved else "unsolved", reward=float(solved), checks={"exact": float(solved)})

    def load_evidence(self, data: dict[str, object]) -> Evidence:
        return Evidence.model_validate(data)


class Walk:
    """Pages of some 2,000 characters, one after another."""

    def __init__(self) -> None:
        self._at = 0

    def reset(self, task: Task, seed: int) -> Observation:
        return self._page()

    def step(self, text: str) -> Observation:
        self._at += 1
        return self._page()

    def finish(self, answer: str | None) -> Evidence:
        return Evidence(answer=answer)

    def close(self) -> None:
        pass

    def _page(self) -> Observation:
        rows = "\n".join(f"[{row}] link 'Box {row} on shelf {self._at}: plain, blue, in stock'" for row in range(40))
        return Observation(text=f"Shelf {self._at} of {STEPS}\n{rows}", url=f"http://shelves/{self._at}")


class Reciter:
    """Knows the next reply of every role from the last page's number, and little else."""

    id = "reciter"
    simulated = True

    def __init__(self, role: str) -> None:
        self._role = role

    def complete(self, messages: Sequence[Message], *, temperature: float, seed: int, max_tokens: int) -> Reply:
        if self._role == "agent":
            at = int(_SHELF.findall(messages[-1].content)[-1])
            action = f"click('{seed % 40}')" if at < STEPS - 1 else f"send_msg_to_user('{seed % 10}')"
            text = f"Thought: the boxes of shelf {at} are not all that there is\nAction: {action}"
        elif self._role == "judge":
            text = f"Thoughts: so it seems\nStatus: {'success' if seed % 2 else 'failure'}"
        else:
            mark = digest(seed)[:8]
            text = (
                f"# Memory Item 1\n## Title\nLook at shelf {mark}\n## Description\nBoxes.\n## Content\nGo to the end."
            )
        return reply_of(messages, text)
