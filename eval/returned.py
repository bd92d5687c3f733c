"""What the parts of an episode return, looked at before anything is made of it.

A part that says something that cannot be is at fault itself: it ends the command (CodeError) and leaves no line, since
a figure made of it would be wrong, and a run that has stored it could not be finished.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from textwrap import shorten
from typing import NoReturn

from eval.journal import Outcome
from eval.suites.base import Suite
from reasoningbank.boundary import at_fault, capture, expect
from reasoningbank.errors import CodeError, ReasoningBankError
from reasoningbank.interfaces import Episode, MemoryMethod, ScalingStrategy
from reasoningbank.types import Distilled, JudgedAttempt, Selection, Task


def tasks_of(suite: Suite) -> list[Task]:
    """The suite's tasks, each once."""
    done = capture(suite.tasks)
    if isinstance(done.error, Exception) and not isinstance(done.error, ReasoningBankError):
        raise CodeError(f"{type(suite).__name__}.tasks failed: {done.error!r}") from done.error
    tasks = expect(done.unwrap(), list, suite, "tasks")
    seen: set[str] = set()
    for task in tasks:
        if expect(task, Task, suite, "tasks").id in seen:
            refuse(suite, "tasks", f"returned two tasks of the id {task.id!r}")
        seen.add(task.id)
    return tasks


def check_attempts(
    attempts: tuple[JudgedAttempt, ...], given: Mapping[int, JudgedAttempt], scaling: ScalingStrategy
) -> tuple[JudgedAttempt, ...]:
    """What the rollouts returned: all of it, once, unchanged, ordered by index."""
    wanted = list(range(scaling.attempts))
    found = expect(attempts, tuple, scaling, "run")
    numbers = [each.index if isinstance(each, JudgedAttempt) else each for each in found]
    if not wanted or numbers != wanted or sorted(given) != wanted:
        told = shorten(repr(numbers), 200, placeholder="...")
        refuse(scaling, "run", f"returned attempts {told} of the {sorted(given)} it had, not {wanted}")
    if any(each is not given[each.index] and each != given[each.index] for each in found):
        refuse(scaling, "run", "returned attempts that are not what its rollouts returned")
    return found


def check_selection(selection: Selection, given: Mapping[int, JudgedAttempt], scaling: ScalingStrategy) -> Selection:
    """One of the attempts, or none."""
    selection = expect(selection, Selection, scaling, "select")
    if selection.index is not None and selection.index not in given:
        refuse(scaling, "select", f"chose attempt {selection.index}, and there are {sorted(given)}")
    return selection


def check_learnt(learnt: Distilled, episode: Episode, memory: MemoryMethod) -> Distilled:
    """Experiences that can be stored, and pass for nobody else's."""
    learnt = expect(learnt, Distilled, memory, "distill")
    seen: set[str] = set()
    for each in learnt.experiences:
        wrong = ""
        if not each.id.startswith(f"{episode.id}#"):
            wrong = f"the id {each.id!r}, which does not begin with '{episode.id}#'"
        elif each.id in seen:
            wrong = f"the id {each.id!r} twice"
        elif each.position != episode.position:
            wrong = f"position {each.position}, not {episode.position}"
        elif each.task_id != episode.task.id:
            wrong = f"task {each.task_id!r}, not {episode.task.id!r}"
        if wrong:
            refuse(memory, "distill", f"returned an experience with {wrong}")
        seen.add(each.id)
    return learnt


def check_outcome(outcome: Outcome, task: Task, suite: Suite) -> Outcome:
    """Numbers that can be averaged."""
    outcome = expect(outcome, Outcome, suite, "evaluate")
    for name, value in {"reward": outcome.reward, **outcome.checks}.items():
        if not math.isfinite(value):
            refuse(suite, "evaluate", f"returned {name}={value} for task {task.id}, which cannot be averaged")
    return outcome


def refuse(part: object, method: str, what: str) -> NoReturn:
    raise CodeError(f"{type(part).__name__}.{method} {what}: {at_fault(part)}")
