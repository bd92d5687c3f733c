"""The suite: tasks without their gold, a copy of the repository for every attempt, and the evaluation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path

from eval.names import known_ids, nearest
from eval.suites.code.backend import CodeBackend
from eval.suites.code.environment import WriteTree
from eval.suites.code.excluded import read_excluded
from eval.suites.code.suite import CodeSuite, Known
from eval.suites.profile import SuiteProfile
from eval.suites.swebench_mini.build import PER_PACKAGE
from eval.suites.swebench_mini.built import Built, id_of
from eval.suites.swebench_mini.catalog import load_package, package_names
from eval.suites.swebench_mini.store import built_set, digest
from eval.suites.swebench_mini.tree import Tree
from reasoningbank.errors import SetupError
from reasoningbank.files import source_digest
from reasoningbank.types import Task

FOLDER = Path(__file__).parent
DIFFICULTIES = ("easy", "standard", "hard")
"""Made by an operator; by hand; by hand, with a house rule that its fix has to keep."""


class SwebenchMini(CodeSuite):
    """Implements `Suite`. `seed` chooses the instances: which hand-written defects, which others, how all is written.

    `packages`, `kinds`, `task_ids` and `difficulty` leave only those tasks that fulfil all of them, and those whose ids
    stand in the file `exclude` are left out. In the folder `kept`, instances that were made are found again; None: they
    are made each time. `code` says where commands run.
    """

    id = "swebench_mini"

    def __init__(
        self,
        *,
        seed: int = 0,
        packages: Sequence[str] | None = None,
        kinds: Sequence[str] | None = None,
        task_ids: Sequence[str] | None = None,
        difficulty: str | None = None,
        exclude: str | None = None,
        kept: Path | None = None,
        code: CodeBackend | None = None,
    ) -> None:
        super().__init__(code or CodeBackend())
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
        self._exclude = exclude
        self._kept = kept

    @cached_property
    def version(self) -> str:
        """A hash of everything that tasks and their evaluation are made from."""
        return f"{digest()}{source_digest((FOLDER.parent / 'code', FOLDER), without=('packages', 'measure.py'))}"

    def digests(self) -> Mapping[str, str]:
        """What is left out, in the place of the file that says so."""
        return {"exclude": " ".join(sorted(self._excluded))}

    @cached_property
    def _excluded(self) -> frozenset[str]:
        every = [id_of(name, number) for name in package_names() for number in range(PER_PACKAGE)]
        return read_excluded(self._exclude, every)

    @cached_property
    def built(self) -> dict[str, Built]:
        """The chosen tasks with their gold, by id: for evaluation and tests, never for an agent."""
        excluded = self._excluded  # told of before anything is made
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
            and task_id not in excluded
        }
        if not found:
            raise SetupError(
                "no task fulfils all that suite.packages, kinds, task_ids, difficulty and exclude ask; leave one out"
            )
        return found

    def difficulty(self, task: Task) -> float:
        """0 for easy, 1 for standard, 2 for hard."""
        return level(self.built[task.id])

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

    @cached_property
    def known(self) -> Mapping[str, Known]:
        """The chosen instances in ascending order."""
        return {name: Known(each.instance, each.package, each.kind) for name, each in sorted(self.built.items())}

    def write_tree(self, task_id: str) -> WriteTree:
        """Its variant of the library, with its defect and those of others."""
        return Tree(self.built[task_id].files)


def level(built: Built) -> int:
    """The place in DIFFICULTIES."""
    return 2 if built.rules else 1 if built.hard else 0
