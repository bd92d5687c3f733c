"""What a run sets out to do: its streams, each an ordered list of tasks over a bank of its own."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from eval.config.settings import Settings
from eval.journal import stream_name
from eval.returned import tasks_of
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

    Each trial of `order=shuffled` has a shuffle of its own: with one for all they would not tell what an order does.
    SetupError where there are no tasks, or no difficulties to order them by.
    """
    by = settings.stream.by
    grouped: dict[str, list[Task]] = {}
    for task in tasks_of(suite):
        grouped.setdefault(suite.id if by == "suite" else task.group, []).append(task)
    if not grouped:
        raise SetupError(f"suite {suite.id} has no tasks with these settings")
    if settings.retrieval.get("exclude_later") is True:
        check_dated([task for members in grouped.values() for task in members])
    plans = []
    for trial in range(settings.trials):
        streams = {group: ordered(members, group, trial, settings, suite) for group, members in grouped.items()}
        if by == "sites_in_order":
            streams = {suite.id: [task for members in streams.values() for task in members]}
        plans += [
            StreamPlan(stream_name(group, trial), trial, tuple(members[: settings.limit]))
            for group, members in streams.items()
        ]
    return plans


def check_dated(tasks: Sequence[Task]) -> None:
    """SetupError where nothing tells which of them is later than another."""
    if undated := [task.id for task in tasks if not task.date]:
        raise SetupError(
            f"retrieval.exclude_later=true: {len(undated)} of {len(tasks)} tasks have no date, such as {undated[0]}: "
            "nothing tells what is later; leave the setting out, or those tasks"
        )


def ordered(tasks: Sequence[Task], group: str, trial: int, settings: Settings, suite: Suite) -> list[Task]:
    """A group's tasks, which come in ascending order, in the order that the settings name."""
    order = list(tasks)
    if settings.order == "shuffled":
        random.Random(derive_seed("order", settings.order_seed, trial, group)).shuffle(order)
    elif settings.order == "hardest_last":
        if not isinstance(suite, Graded):
            raise SetupError(
                f"order=hardest_last: suite {suite.id} does not say how hard its tasks are (it has no method "
                "`difficulty`); choose order=ascending or order=shuffled"
            )
        order.sort(key=suite.difficulty)
    return order
