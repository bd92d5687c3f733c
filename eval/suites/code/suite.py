"""What suites of code have in common whose patches are evaluated here, in the sandbox in which attempts are made."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, cast

from eval.journal import Outcome
from eval.suites.base import Grader
from eval.suites.code.backend import CodeBackend
from eval.suites.code.environment import CodeEnvironment, WriteTree
from eval.suites.code.evaluation import Evaluation, evaluate
from eval.suites.code.evidence import CodeEvidence
from eval.suites.code.instance import Instance
from eval.suites.code.sandbox import Sandbox, open_sandbox
from reasoningbank.errors import SetupError
from reasoningbank.interfaces import Evidence
from reasoningbank.types import Role, Task


@dataclass(frozen=True)
class Known:
    """An instance with its gold, the site that it belongs to, and the kind of its defect."""

    instance: Instance
    group: str
    kind: str


class CodeSuite(ABC):
    """The methods of `Suite`, `LeavesPatches` and `KnowsPatches`. A subclass says which instances there are, and what
    files their agents find."""

    id: str
    agent = "code"
    roles: ClassVar[tuple[Role, ...]] = ()
    """Nobody is asked in an evaluation."""

    def __init__(self, code: CodeBackend) -> None:
        self._code = code

    @property
    @abstractmethod
    def known(self) -> Mapping[str, Known]:
        """The chosen instances by their ids, in the order of the tasks: for evaluation, never for an agent."""

    @abstractmethod
    def write_tree(self, task_id: str) -> WriteTree:
        """The files of one of them as its agent finds them. What it holds is no gold."""

    def tasks(self) -> list[Task]:
        """The chosen tasks, without gold."""
        return list(self._faces)

    @cached_property
    def _faces(self) -> list[Task]:
        return [
            Task(
                id=task_id,
                suite=self.id,
                group=each.group,
                intent=each.instance.problem_statement,
                template_id=each.kind,
                kind="change",
                start=each.instance.base_commit,
                date=each.instance.date,
            )
            for task_id, each in self.known.items()
        ]

    def check(self) -> str:
        """Where commands run. SetupError where they cannot."""
        return self.sandbox.check()

    @cached_property
    def sandbox(self) -> Sandbox:
        """Of all commands, and of the tests of evaluations."""
        return open_sandbox(self._code)

    def environment(self, task: Task) -> CodeEnvironment:
        """A fresh copy of the task's repository. It holds files and nothing of what they are evaluated by."""
        self.of(task)
        return CodeEnvironment(
            sandbox=self.sandbox, write_tree=self.write_tree(task.id), command_seconds=self._code.command_seconds
        )

    def evaluation(self, task: Task, evidence: CodeEvidence) -> Evaluation:
        """What came of the evidence's patch, test by test."""
        return evaluate(
            self.of(task).instance,
            evidence,
            write_tree=self.write_tree(task.id),
            sandbox=self.sandbox,
            seconds=self._code.tests_seconds,
        )

    def evaluate(self, task: Task, evidence: Evidence, grader: Grader) -> Outcome:
        """The hidden tests on what the attempt left. Nothing is asked of a grader."""
        return self.evaluation(task, cast(CodeEvidence, evidence)).outcome()

    def known_patch(self, task: Task) -> str:
        """The gold."""
        return self.of(task).instance.patch

    def patch(self, evidence: Evidence) -> str:
        """What of an attempt is evaluated."""
        return cast(CodeEvidence, evidence).evaluated

    def load_evidence(self, data: dict[str, object]) -> CodeEvidence:
        """Evidence from its stored JSON."""
        return CodeEvidence.model_validate(data)

    def of(self, task: Task) -> Known:
        """SetupError for a task that is not among the chosen."""
        found = self.known.get(task.id)
        if found is None:
            raise SetupError(f"task {task.id} is not among the chosen tasks of {self.id}")
        return found
