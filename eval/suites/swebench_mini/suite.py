"""The suite: tasks without their gold, a copy of the repository for every attempt, and the evaluation."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import cast

from eval.journal import Outcome
from eval.names import known_ids, nearest
from eval.suites.base import Grader
from eval.suites.code.backend import CodeBackend
from eval.suites.code.environment import CodeEnvironment
from eval.suites.code.evaluation import Evaluation, evaluate
from eval.suites.code.evidence import CodeEvidence
from eval.suites.code.sandbox import Sandbox
from eval.suites.profile import SuiteProfile
from eval.suites.swebench_mini.build import Built
from eval.suites.swebench_mini.catalog import load_package, package_names
from eval.suites.swebench_mini.store import built_set, digest
from eval.suites.swebench_mini.tree import Tree
from reasoningbank.errors import SetupError
from reasoningbank.files import source_digest
from reasoningbank.interfaces import Evidence
from reasoningbank.types import Task

FOLDER = Path(__file__).parent
DIFFICULTIES = ("easy", "standard", "hard")
"""Made by an operator; by hand; by hand, with a house rule that its fix has to keep."""


class SwebenchMini:
    """Implements `Suite`. `seed` chooses the instances: which hand-written defects, which others, how all is written.

    `packages`, `kinds`, `task_ids` and `difficulty` leave only those tasks that fulfil all of them. In the folder
    `kept`, instances that were made are found again; None: they are made each time. `code` says where commands run.
    """

    id = "swebench_mini"
    agent = "code"

    def __init__(
        self,
        *,
        seed: int = 0,
        packages: Sequence[str] | None = None,
        kinds: Sequence[str] | None = None,
        task_ids: Sequence[str] | None = None,
        difficulty: str | None = None,
        kept: Path | None = None,
        code: CodeBackend | None = None,
    ) -> None:
        if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
            raise SetupError(f"suite.seed={seed}: a whole number from 0 is needed")
        for key, value in (("packages", packages), ("kinds", kinds), ("task_ids", task_ids)):
            if value is not None and (isinstance(value, str) or not value):
                raise SetupError(f"suite.{key}={value!r}: a list is needed; leave it out for all tasks")
        for name in packages or ():
            if name not in package_names():
                raise SetupError(f"suite.packages: no package {name!r}; {nearest(name, package_names())}")
        if difficulty is not None and difficulty not in DIFFICULTIES:
            raise SetupError(f"suite.difficulty: no {difficulty!r}; {nearest(difficulty, DIFFICULTIES)}")
        self.seed = seed
        self._packages = tuple(packages or package_names())
        self._kinds = kinds
        self._task_ids = task_ids
        self._difficulty = difficulty
        self._kept = kept
        self._code = code or CodeBackend()

    @cached_property
    def version(self) -> str:
        """A hash of everything that tasks and their evaluation are made from."""
        return f"{digest()}{source_digest((FOLDER.parent / 'code', FOLDER), without=('packages', 'measure.py'))}"

    @cached_property
    def built(self) -> dict[str, Built]:
        """The chosen tasks with their gold, by id: for evaluation and tests, never for an agent."""
        everything = {each.instance.instance_id: each for each in built_set(self.seed, self._packages, self._kept)}
        kinds = {each.kind for each in everything.values()}
        for kind in self._kinds or ():
            if kind not in kinds:
                raise SetupError(f"suite.kinds: no kind {kind!r} in suite.seed={self.seed}; {nearest(kind, kinds)}")
        for task_id in self._task_ids or ():
            if task_id not in everything:
                raise SetupError(f"suite.task_ids: no task {task_id}; {known_ids(task_id, everything)}")
        found = {
            task_id: each
            for task_id, each in everything.items()
            if (self._kinds is None or each.kind in self._kinds)
            and (self._task_ids is None or task_id in self._task_ids)
            and self._difficulty in (None, DIFFICULTIES[level(each)])
        }
        if not found:
            raise SetupError(
                "no task fulfils all that suite.packages, kinds, task_ids and difficulty ask; leave one out"
            )
        return found

    def difficulty(self, task: Task) -> float:
        """0 for easy, 1 for standard, 2 for hard."""
        return level(self._of(task))

    @property
    def conventions(self) -> dict[str, str]:
        """What the libraries' authors keep to without saying so, by `package.rule`."""
        packages = [load_package(name) for name in self._packages]
        return {f"{package.name}.{rule.id}": rule.rule for package in packages for rule in package.rules}

    def profile(self) -> SuiteProfile:
        """Evaluates the known fixes of the chosen tasks."""
        # loaded for this alone
        from eval.suites.swebench_mini.measure import measure

        return measure(self)

    def tasks(self) -> list[Task]:
        """The chosen tasks in ascending order, without gold."""
        return list(self._faces)

    @cached_property
    def _faces(self) -> list[Task]:
        return [
            Task(
                id=task_id,
                suite=self.id,
                group=each.package,
                intent=each.instance.problem_statement,
                template_id=each.kind,
                kind="change",
                start=each.instance.base_commit,
                date=each.instance.date,
            )
            for task_id, each in sorted(self.built.items())
        ]

    def check(self) -> str:
        """Where commands run. SetupError where they cannot."""
        return self.sandbox.check()

    @cached_property
    def sandbox(self) -> Sandbox:
        """Of all commands, and of the tests of evaluations."""
        return self._code.open()

    def environment(self, task: Task) -> CodeEnvironment:
        """A fresh copy of the task's repository. It holds files and nothing of what they are evaluated by."""
        return CodeEnvironment(
            sandbox=self.sandbox, write_tree=Tree(self._of(task).files), command_seconds=self._code.command_seconds
        )

    def evaluation(self, task: Task, evidence: CodeEvidence) -> Evaluation:
        """What came of the evidence's patch, test by test."""
        each = self._of(task)
        return evaluate(
            each.instance,
            evidence,
            write_tree=Tree(each.files),
            sandbox=self.sandbox,
            seconds=self._code.tests_seconds,
        )

    def evaluate(self, task: Task, evidence: Evidence, grader: Grader) -> Outcome:
        """The hidden tests on what the attempt left. Nothing is asked of a grader."""
        return self.evaluation(task, cast(CodeEvidence, evidence)).outcome()

    def patch(self, evidence: Evidence) -> str:
        """What of an attempt is evaluated."""
        return cast(CodeEvidence, evidence).evaluated

    def load_evidence(self, data: dict[str, object]) -> CodeEvidence:
        """Evidence from its stored JSON."""
        return CodeEvidence.model_validate(data)

    def _of(self, task: Task) -> Built:
        if task.id not in self.built:
            raise SetupError(f"task {task.id} is not in {self.id} with suite.seed={self.seed}")
        return self.built[task.id]


def level(built: Built) -> int:
    """The place in DIFFICULTIES."""
    return 2 if built.rules else 1 if built.hard else 0
