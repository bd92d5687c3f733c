"""What a suite of tasks must offer to the runner."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol, runtime_checkable

from eval.journal import Outcome
from eval.suites.profile import SuiteProfile
from reasoningbank.errors import InfraError
from reasoningbank.interfaces import AsksRoles, Environment, Evidence
from reasoningbank.types import Task

NOT_AVAILABLE = "N/A"
"""The answer that evaluators read where the agent reported a task infeasible, whatever its reason."""


def unachievable(reference: str) -> str | None:
    """Why a task cannot be done, of a reference such as "N/A: nobody sells it"; None where it is an answer."""
    mark, _, reason = reference.partition(":")
    return reason.strip() if mark == NOT_AVAILABLE else None


class NotEvaluated(InfraError):
    """Evidence that an evaluator cannot tell anything of. The attempt has no outcome then, which is not to be unsolved:
    it is tried again, and left out of all means or stops its stream, by `on_infra_error`."""


Grader = Callable[[str, str, str], bool]
"""Fuzzy match: (question, reference, answer) -> do they say the same? The only model that may see gold."""


def asks_grader(suite: object) -> bool:
    """Whether its evaluations may ask one. Those of a suite that does not say may."""
    return not isinstance(suite, AsksRoles) or "grader" in suite.roles


@runtime_checkable
class Inspectable(Protocol):
    """An environment that can be looked at before the end. Without `look`, answers that are held back for a check are
    recorded and not evaluated, but for the last one."""

    def look(self, answer: str | None) -> Evidence:
        """The evidence that `finish` would give at this moment. It changes nothing, and the attempt goes on."""
        ...


@runtime_checkable
class KeepsImages(Protocol):
    """An environment that can keep an image of what it shows at every step. No result depends on them."""

    def keep_images(self, folder: Path) -> None:
        """Where they go, if any are wanted; told before `reset`, which makes the folder or empties it of older ones."""
        ...


@runtime_checkable
class HealthChecked(Protocol):
    """A suite whose environments stand on something that can be down, such as servers. Without it they are held to be
    well."""

    def check_health(self) -> None:
        """Looked at before a failed episode is tried again, and quick. InfraError, or any other, says what is down:
        the try counts as failed, and no model was asked for it."""
        ...


@runtime_checkable
class BeginsStreams(Protocol):
    """A suite that looks whether all is there for a stream, or makes it ready, such as sites that are put back to where
    they began."""

    def begin_stream(self, tasks: Sequence[Task], *, fresh: bool) -> None:
        """Before these tasks, which are all of a `fresh` stream or the rest of one that is continued. InfraError stops
        the stream."""
        ...


@runtime_checkable
class EndsStreams(Protocol):
    """A suite that keeps something for a stream as long as it runs, such as servers that nobody else may put back."""

    def end_stream(self) -> None:
        """After the stream that was begun last, however it ended, and also where none was."""
        ...


@runtime_checkable
class KnowsItsEvidence(Protocol):
    """A suite that can tell of stored evidence whether it holds what an evaluation reads. Without it all does."""

    def lacks(self, task: Task, evidence: Evidence) -> list[str]:
        """What is missing, in words; empty where nothing is."""
        ...


@runtime_checkable
class EvaluatedElsewhere(Protocol):
    """A suite that may not be able to evaluate where its attempts run. Without it all are evaluated as they end."""

    @property
    def elsewhere(self) -> str:
        """Why its runs have no outcomes, and how they get them later; empty where they have."""
        ...


@runtime_checkable
class LeavesPatches(Protocol):
    """A suite of code. Its runs are kept as SWE-bench's predictions too, from every line of a journal on."""

    def patch(self, evidence: Evidence) -> str:
        """What of an attempt is evaluated, as a unified diff; empty where nothing was changed, or not to be taken."""
        ...


@runtime_checkable
class KnowsPatches(Protocol):
    """A suite of code whose tasks have known solutions as patches: `python -m eval validate` evaluates them."""

    def known_patch(self, task: Task) -> str:
        """The gold, as a unified diff. No component but the evaluation may have it."""
        ...


@runtime_checkable
class Graded(Protocol):
    """A suite that says how hard its tasks are, as its authors see it: `order=hardest_last` needs that."""

    def difficulty(self, task: Task) -> float:
        """The higher, the harder. It depends on no outcome and on no gold."""
        ...


@runtime_checkable
class Profiled(Protocol):
    """A suite that can be measured by its known solutions: `python -m eval tasks --profile` needs that."""

    def profile(self) -> SuiteProfile:
        """Runs the known solutions of the chosen tasks. No model is asked."""
        ...


@runtime_checkable
class Suite(Protocol):
    """Tasks, isolated environments for them, and their evaluation. Gold stays inside."""

    id: str
    seed: int
    version: str
    """Changes whenever a task, a page or an evaluator does: part of a run's identity."""
    agent: str
    """Which agent works on it: `web` or `code`."""

    def tasks(self) -> list[Task]:
        """All tasks in ascending order."""
        ...

    def environment(self, task: Task) -> Environment:
        """A new isolated environment. Its evidence type is the suite's own."""
        ...

    def evaluate(self, task: Task, evidence: Evidence, grader: Grader) -> Outcome:
        """A pure function of the task's gold and the evidence."""
        ...

    def load_evidence(self, data: dict[str, object]) -> Evidence:
        """Evidence from its stored JSON, for rescoring."""
        ...
