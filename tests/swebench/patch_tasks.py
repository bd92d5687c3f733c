"""A tiny suite of code whose attempts leave patches, for tests of what is made of them.

Its files say 6 and should say 3, but for that of `already`, which needs no change; around the attempt at `down`
something fails. Commands are those of the model `mender`, and run without a sandbox.
"""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from eval.journal import Outcome
from eval.suites.base import Grader
from eval.suites.code.environment import CodeEnvironment
from eval.suites.code.evidence import CodeEvidence
from eval.suites.code.local import Local
from reasoningbank.errors import InfraError
from reasoningbank.interfaces import Environment, Evidence, Observation
from reasoningbank.types import Role, Task

EQUAL = ("2021-03-03T08:00:00+00:00", "2021-03-03T08:00:00+00:00")
NAMES = ("already", "down", "first", "second")
DATES = dict(zip(NAMES, ("2021-03-05T08:00:00+00:00", "2021-03-04T08:00:00+00:00", *EQUAL), strict=True))


class PatchTasks:
    """Implements `Suite`."""

    id = "patch_tasks"
    version = "1"
    agent = "code"
    roles: ClassVar[tuple[Role, ...]] = ()
    seed = 0

    def tasks(self) -> list[Task]:
        return [
            Task(id=f"pears__{name}", suite=self.id, group="pears", intent="there are 3 pears", date=DATES[name])
            for name in NAMES
        ]

    def environment(self, task: Task) -> Environment:
        if task.id == "pears__down":
            return Down(sandbox=Local(), write_tree=Basket("6\n"))
        return CodeEnvironment(
            sandbox=Local(), write_tree=Basket("3\n" if task.id == "pears__already" else "6\n"), command_seconds=60.0
        )

    def evaluate(self, task: Task, evidence: Evidence, grader: Grader) -> Outcome:
        solved = isinstance(evidence, CodeEvidence) and bool(evidence.patch)
        return Outcome(status="solved" if solved else "unsolved", reward=float(solved))

    def patch(self, evidence: Evidence) -> str:
        assert isinstance(evidence, CodeEvidence)
        return evidence.evaluated

    def load_evidence(self, data: dict[str, object]) -> Evidence:
        return CodeEvidence.model_validate(data)


class Basket:
    """Writes the file."""

    def __init__(self, text: str) -> None:
        self._text = text

    def __call__(self, folder: Path) -> None:
        (folder / "basket.txt").write_text(self._text)


class Down(CodeEnvironment):
    """What its files are on is not there."""

    def reset(self, task: Task, seed: int) -> Observation:
        raise InfraError("the disk is down")
