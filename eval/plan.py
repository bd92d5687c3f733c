"""What a run sets out to do: its streams, each an ordered list of tasks over a bank of its own."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from eval.config import Settings
from eval.suites.base import Graded, Suite
from reasoningbank.errors import SetupError
from reasoningbank.types import Task, derive_seed


@dataclass(frozen=True)
class StreamPlan:
    """The tasks of one stream, in the order in which they are run."""

    name: str
    trial: int
    tasks: tuple[Task, ...]


def plan_streams(settings: Settings, suite: Suite) -> list[StreamPlan]:
    """Every stream of a run: by site (tasks over several sites are one more), or one for the suite; once a trial.

    SetupError where there are no tasks, or no difficulties to order them by.
    """
    by = settings.stream.by
    grouped: dict[str, list[Task]] = {}
    for task in suite.tasks():
        grouped.setdefault(suite.id if by == "suite" else task.group, []).append(task)
    if not grouped:
        raise SetupError(f"suite {suite.id} has no tasks with these settings")
    grouped = {group: ordered(members, group, settings, suite) for group, members in grouped.items()}
    if by == "sites_in_order":
        grouped = {suite.id: [task for members in grouped.values() for task in members]}
    return [
        StreamPlan(f"{group}.t{trial}", trial, tuple(members[: settings.limit]))
        for trial in range(settings.trials)
        for group, members in grouped.items()
    ]


def ordered(tasks: Sequence[Task], group: str, settings: Settings, suite: Suite) -> list[Task]:
    """A group's tasks, which come in ascending order, in the order that the settings name."""
    order = list(tasks)
    if settings.order == "shuffled":
        random.Random(derive_seed("order", settings.order_seed, group)).shuffle(order)
    elif settings.order == "hardest_last":
        if not isinstance(suite, Graded):
            raise SetupError(
                f"order=hardest_last: suite {suite.id} does not say how hard its tasks are (it has no method "
                "`difficulty`); choose order=ascending or order=shuffled"
            )
        order.sort(key=suite.difficulty)
    return order
