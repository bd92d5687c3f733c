"""The suite of a folder that `scripts/make_swe_suite.py` has made: defects in a package that others have written."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path

from eval.names import known_ids, nearest
from eval.suites.code.backend import CodeBackend
from eval.suites.code.environment import WriteTree
from eval.suites.code.excluded import read_excluded
from eval.suites.code.sandbox import Sandbox, open_sandbox
from eval.suites.code.suite import CodeSuite, Known
from eval.suites.swebench_folder.content import HOW, KIND, Content, WithPaths, read_content
from reasoningbank.errors import SetupError
from reasoningbank.files import source_digest

HERE = Path(__file__).parent
PYTHON_VERSION = "python -c 'import sys; print(*sys.version_info[:2], sep=chr(46))'"
MAKE = ("make.py", "making.py", "ready.py", "forks.py", "hiding.py", "sdist.py")
"""What makes folders, and changes none that is there."""


class SwebenchFolder(CodeSuite):
    """Implements `Suite`. `kinds` (operators) and `task_ids` leave only those tasks that fulfil both, and those whose
    ids stand in the file `exclude` are left out. `code` says where commands run."""

    id = "swebench_folder"
    seed = 0

    def __init__(
        self,
        *,
        folder: str | None = None,
        kinds: Sequence[str] | None = None,
        task_ids: Sequence[str] | None = None,
        exclude: str | None = None,
        code: CodeBackend,
    ) -> None:
        super().__init__(code)
        if folder is None:
            raise SetupError(f"suite.folder is not set: name a suite's folder; {HOW}")
        self._folder = Path(folder).expanduser()
        self._kinds = kinds
        self._task_ids = task_ids
        self._exclude = exclude

    @cached_property
    def content(self) -> Content:
        """All that is in the folder, with its gold."""
        return read_content(self._folder)

    @cached_property
    def version(self) -> str:
        """A hash of what evaluates the tasks; the instances' own is in `digests`."""
        return source_digest((HERE.parent / "code", HERE), without=MAKE)

    def digests(self) -> Mapping[str, str]:
        """Hashes: of the instances, in the place of where they are, and of what is left out."""
        return {"folder": self.content.sha256, "exclude": " ".join(sorted(self._excluded))}

    @cached_property
    def _excluded(self) -> frozenset[str]:
        return read_excluded(self._exclude, self.content.rows)

    @cached_property
    def known(self) -> Mapping[str, Known]:
        """The chosen instances, in the order of the folder."""
        rows = self.content.rows
        every = {
            name: Known(row.instance, row.instance.repo.replace("/", "__"), str(row.line.get(KIND, "")))
            for name, row in rows.items()
        }
        kinds = {each.kind for each in every.values()}
        for kind in self._kinds or ():
            if kind not in kinds:
                raise SetupError(f"suite.kinds: no kind {kind!r} in {self._folder}; {nearest(kind, kinds)}")
        for name in self._task_ids or ():
            if name not in every:
                raise SetupError(f"suite.task_ids: no instance {name} in {self._folder}; {known_ids(name, every)}")
        found = {
            name: each
            for name, each in every.items()
            if (self._kinds is None or each.kind in self._kinds)
            and (self._task_ids is None or name in self._task_ids)
            and name not in self._excluded
        }
        if not found:
            raise SetupError(
                "no instance is left by suite.kinds, suite.task_ids and suite.exclude; leave one of them out"
            )
        return found

    def write_tree(self, task_id: str) -> WriteTree:
        """The package with one defect, without the tests that find it."""
        return self.content.tree_of(self.content.rows[task_id].instance)

    def check(self) -> str:
        """Where commands run. SetupError where they cannot, or by another Python than what its tests tell is of."""
        told, made = super().check(), self.content.made
        with tempfile.TemporaryDirectory(prefix="reasoningbank-") as name:
            ran = self.sandbox.run(PYTHON_VERSION, Path(name), seconds=60.0)
        if (found := ran.output.strip()) != made.python:
            raise SetupError(
                f"{self._folder} was made with Python {made.python}, by which its tests pass, and code.sandbox="
                f"{self.sandbox.name} has {found[-100:] or 'none'}; {HOW} with that one"
            )
        return told

    @cached_property
    def sandbox(self) -> Sandbox:
        """One whose Python finds the package, and what its tests need."""
        made = self.content.made
        return WithPaths(open_sandbox(self._code, packages=made.needs), made.paths)
