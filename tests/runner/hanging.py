"""The tiny suite with environments in which nothing moves for a minute: `suite.type=hanging`."""

from __future__ import annotations

import os
import time
from pathlib import Path

from arithmetic import Arithmetic

from reasoningbank.interfaces import Environment, Evidence, Observation
from reasoningbank.types import Task


class Hanging(Arithmetic):
    """Touches the file that HANGING names when it hangs."""

    def environment(self, task: Task) -> Environment:
        return Stuck()


class Stuck:
    """Opens at once and answers late."""

    def reset(self, task: Task, seed: int) -> Observation:
        return Observation(text=f"Blackboard: {task.intent}")

    def step(self, text: str) -> Observation:
        Path(os.environ["HANGING"]).touch()
        time.sleep(60)
        return Observation(text="")

    def finish(self, answer: str | None) -> Evidence:
        return Evidence(answer=answer)

    def close(self) -> None:
        time.sleep(60)
