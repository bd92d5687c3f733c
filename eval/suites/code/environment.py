"""A repository as an environment for one attempt: commands in a sandbox, and the diff of what they changed."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Literal

from eval.suites.code.evidence import CodeEvidence
from eval.suites.code.printed import repeatable
from eval.suites.code.repository import Repository, Unusable, open_folders
from eval.suites.code.sandbox import Sandbox
from reasoningbank.errors import InfraError
from reasoningbank.interfaces import Observation, ShellObservation
from reasoningbank.types import Task

WriteTree = Callable[[Path], None]
"""Writes a task's files, as its agent finds them, into an empty folder: no hidden test, no history."""


class CodeEnvironment:
    """Implements `Environment`, `ShowsChanges` and `Inspectable`.

    Every attempt has a folder of its own, in which `write_tree` makes the task's files; they are its repository's only
    commit. It holds no gold: what it is evaluated by is not known here.
    """

    def __init__(
        self,
        *,
        sandbox: Sandbox,
        write_tree: WriteTree,
        command_seconds: float = 30.0,
        patch_from: Literal["folder", "answer"] = "folder",
    ) -> None:
        """`command_seconds`: after which a command is stopped. `patch_from`: whether the evidence is what was changed
        in the folder, or the text that was handed in, as with a public task set's own agent."""
        self._sandbox = sandbox
        self._write_tree = write_tree
        self._seconds = command_seconds
        self._patch_from = patch_from
        self._place: Path | None = None
        self._repository: Repository | None = None

    def reset(self, task: Task, seed: int) -> Observation:
        """The task's files anew. The seed changes nothing: the worlds are the suite's."""
        self.close()
        self._place = Path(tempfile.mkdtemp(prefix="reasoningbank-"))
        folder = self._place / "workspace"
        for path in (folder, self._scratch):
            path.mkdir()
        self._write_tree(folder)
        self._repository = Repository.begin(folder, self._place / "git")
        self._repository.hand_over()
        return Observation(text="")

    def step(self, text: str) -> ShellObservation:
        """One bash command, in a new shell in the repository's folder."""
        repository = self._opened()
        ran = self._sandbox.run(text, repository.folder, seconds=self._seconds, scratch=self._scratch)
        return ShellObservation(text=repeatable(ran.output), returncode=ran.returncode, error=ran.stopped)

    def changes(self) -> str:
        """What has been changed since the reset, as a diff."""
        return self._opened().changes()

    def look(self, answer: str | None) -> CodeEvidence:
        """The evidence at this moment."""
        repository = self._opened()
        if self._patch_from == "answer":
            return CodeEvidence(answer=answer, patch=answer or "")
        try:
            patch, problem = repository.patch()
        except Unusable as error:
            return CodeEvidence(answer=answer, patch=None, problem=str(error))
        return CodeEvidence(answer=answer, patch=patch, problem=problem)

    def finish(self, answer: str | None) -> CodeEvidence:
        """The evidence at the end."""
        return self.look(answer)

    def close(self) -> None:
        """Removes the attempt's files."""
        place, self._place, self._repository = self._place, None, None
        if place is not None:
            remove(place)

    @property
    def _scratch(self) -> Path:
        assert self._place is not None
        return self._place / "scratch"

    def _opened(self) -> Repository:
        if self._repository is None:
            raise InfraError("the environment is closed: call reset before step or finish")
        return self._repository


def remove(folder: Path) -> None:
    """Removes a folder, also one in which somebody has taken away the right to."""
    open_folders(folder)
    shutil.rmtree(folder, ignore_errors=True)
