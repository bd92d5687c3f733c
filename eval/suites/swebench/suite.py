"""The suite: SWE-bench's instances without their gold, attempts in their containers, evaluation by its own package."""

from __future__ import annotations

import sys
import threading
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import ClassVar, Literal, cast

from eval.journal import Outcome
from eval.names import known_ids, nearest
from eval.suites.base import Grader
from eval.suites.code.backend import CodeBackend
from eval.suites.code.docker import Unreachable, daemon
from eval.suites.code.environment import CodeEnvironment
from eval.suites.code.evidence import CodeEvidence
from eval.suites.code.excluded import read_excluded
from eval.suites.swebench.container import Tree, container_of
from eval.suites.swebench.dataset import DataSet, Order, Row, read_dataset
from eval.suites.swebench.evaluation import evaluate_row
from eval.suites.swebench.harness import check_swebench
from eval.suites.swebench.images import ARCHES, NAMESPACE, Arch, image_name
from reasoningbank.errors import InfraError, SetupError
from reasoningbank.files import source_digest
from reasoningbank.interfaces import Evidence
from reasoningbank.types import Role, Task

FOLDER = Path(__file__).parent
ELSEWHERE = (
    "SWE-bench's own evaluation needs docker, so a run by singularity has no outcomes of its own: "
    "`python -m eval score RUN --by sb-cli`, or score it on a machine that has docker"
)


class SweBench:
    """Implements `Suite`.

    `subset` is a published set's name or a file in its schema; `repos` and `task_ids` leave only those instances that
    fulfil both, and those whose ids stand in the file `exclude`, one a line, are left out. `order` is that of the tasks
    of a repository. Images are those of `namespace`, where a line names none itself. `patch_from` says whether what was
    changed is evaluated, or what was handed in. `python` is an interpreter that has the package swebench. `code` says
    what commands and tests may take.
    """

    id = "swebench"
    agent = "code"
    seed = 0
    roles: ClassVar[tuple[Role, ...]] = ()
    """Nobody is asked in an evaluation."""
    transport_keys: ClassVar[frozenset[str]] = frozenset({"python"})

    def __init__(
        self,
        *,
        subset: str = "verified",
        split: str = "test",
        revision: str | None = None,
        repos: Sequence[str] | None = None,
        task_ids: Sequence[str] | None = None,
        exclude: str | None = None,
        order: Order = "dataset",
        namespace: str | None = NAMESPACE,
        arch: Arch = ARCHES[0],
        patch_from: Literal["folder", "answer"] = "folder",
        python: str | None = None,
        code: CodeBackend,
    ) -> None:
        self._subset, self._split, self._revision = subset, split, revision
        self._repos = repos
        self._task_ids = task_ids
        self._exclude = exclude
        self._order: Order = order
        self._namespace = namespace
        self._arch = arch
        self._patch_from = patch_from
        self._code = code
        self._python = python or sys.executable
        container_of(code.sandbox, "", code.limits)
        if code.image is not None:
            raise SetupError(f"code.image={code.image}: the tasks of suite=swebench name their images; leave it out")
        self._trees: dict[str, Tree] = {}
        self._turn = threading.Lock()

    @cached_property
    def data(self) -> DataSet:
        """All instances, with their gold."""
        return read_dataset(self._subset, split=self._split, revision=self._revision)

    @cached_property
    def version(self) -> str:
        """A hash of what makes the tasks and evaluates them; the instances' own is in `digests`."""
        return source_digest((FOLDER.parent / "code", FOLDER))

    def digests(self) -> Mapping[str, str]:
        """Hashes: of the instances, in the place of where they are, and of what is left out."""
        return {"subset": self.data.sha256, "exclude": " ".join(sorted(self._excluded))}

    @cached_property
    def _excluded(self) -> frozenset[str]:
        return read_excluded(self._exclude, self.data.rows)

    @cached_property
    def chosen(self) -> dict[str, Row]:
        """The chosen instances with their gold, by id: for evaluation and tests, never for an agent."""
        every = self.data.rows
        for name in self._task_ids or ():
            if name not in every:
                raise SetupError(f"suite.task_ids: no instance {name} in {self.data.source}; {known_ids(name, every)}")
        repos = sorted({row.instance.repo for row in every.values()})
        for name in self._repos or ():
            if name not in repos:
                raise SetupError(f"suite.repos: no repository {name} in {self.data.source}; {nearest(name, repos)}")
        found = {
            row.instance.instance_id: row
            for row in self.data.ordered(self._order)
            if (self._repos is None or row.instance.repo in self._repos)
            and (self._task_ids is None or row.instance.instance_id in self._task_ids)
            and row.instance.instance_id not in self._excluded
        }
        if not found:
            raise SetupError(
                "no instance is left by suite.repos, suite.task_ids and suite.exclude; leave one of them out"
            )
        return found

    def tasks(self) -> list[Task]:
        """The chosen tasks in the order that was asked for, without gold and hints."""
        return [
            Task(
                id=name,
                suite=self.id,
                group=row.instance.repo.replace("/", "__"),
                intent=row.instance.problem_statement,
                kind="change",
                start=row.instance.base_commit,
                date=row.instance.date,
            )
            for name, row in self.chosen.items()
        ]

    @property
    def elsewhere(self) -> str:
        """Why its runs have no outcomes of their own, and whence they come; empty where docker evaluates them here."""
        return "" if self._code.sandbox == "docker" else ELSEWHERE

    def check(self) -> str:
        """By what attempts run. SetupError in one line where that, or the package swebench, is missing."""
        if self.elsewhere:
            return container_of(self._code.sandbox, "", self._code.limits).check().partition(",")[0]
        try:
            return f"docker {check_swebench(self._python)}, swebench of {self._python}"
        except SetupError as error:
            raise SetupError(f"suite=swebench: {error}") from None

    def check_health(self) -> None:
        """InfraError where docker's daemon is down."""
        if self.elsewhere:
            return
        try:
            daemon()
        except Unreachable as error:
            raise InfraError(str(error)) from None

    def image(self, row: Row) -> str:
        """Of an instance's container: what its line names, else by the rule."""
        named = row.image if self._namespace == NAMESPACE else ""
        return named or image_name(row.instance.instance_id, namespace=self._namespace, arch=self._arch)

    def environment(self, task: Task) -> CodeEnvironment:
        """A copy of the repository of the task's image, whose commands run in a container of it."""
        row = self._row(task)
        container = container_of(self._code.sandbox, self.image(row), self._code.limits)
        with self._turn:
            tree = self._trees.get(task.id)
            if tree is None:
                self._forget()
                tree = self._trees[task.id] = Tree(container, row.instance.base_commit)
        return CodeEnvironment(
            sandbox=container,
            write_tree=tree,
            command_seconds=self._code.command_seconds,
            patch_from=self._patch_from,
        )

    def end_stream(self) -> None:
        """What was kept for its last task is removed."""
        self._forget()

    def evaluate(self, task: Task, evidence: Evidence, grader: Grader) -> Outcome:
        """By the package swebench: the hidden tests on what the attempt left. Nothing is asked of a grader."""
        row, seconds = self._row(task), round(self._code.tests_seconds)
        found = cast(CodeEvidence, evidence)
        return evaluate_row(row, found, image=self.image(row), python=self._python, seconds=seconds)

    def known_patch(self, task: Task) -> str:
        """The gold."""
        return self._row(task).instance.patch

    def patch(self, evidence: Evidence) -> str:
        """What of an attempt is evaluated."""
        return cast(CodeEvidence, evidence).evaluated

    def load_evidence(self, data: dict[str, object]) -> CodeEvidence:
        """Evidence from its stored JSON."""
        return CodeEvidence.model_validate(data)

    def _forget(self) -> None:
        for task_id in list(self._trees):
            self._trees.pop(task_id).forget()

    def _row(self, task: Task) -> Row:
        if task.id not in self.chosen:
            raise SetupError(f"task {task.id} is not among the chosen instances of {self.data.source}")
        return self.chosen[task.id]
