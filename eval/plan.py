"""What a run sets out to do: its streams, each an ordered list of tasks over a bank of its own."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from eval.config import Settings
from reasoningbank.errors import SetupError
from reasoningbank.types import Task, derive_seed


@dataclass(frozen=True)
class StreamPlan:
    """The tasks of one stream, in the order in which they are run."""

    name: str
    trial: int
    tasks: tuple[Task, ...]


def plan_streams(settings: Settings, suite_id: str, tasks: Sequence[Task]) -> list[StreamPlan]:
    """Every stream of a run: by site (tasks over several sites are one more), or one for the suite; once a trial."""
    by = settings.stream.by
    grouped: dict[str, list[Task]] = {}
    for task in tasks:
        grouped.setdefault(suite_id if by == "suite" else task.group, []).append(task)
    if not grouped:
        raise SetupError(f"suite {suite_id} has no tasks with these settings")
    if settings.order == "shuffled":
        for group, members in grouped.items():
            random.Random(derive_seed("order", settings.order_seed, group)).shuffle(members)
    if by == "sites_in_order":
        grouped = {suite_id: [task for members in grouped.values() for task in members]}
    return [
        StreamPlan(f"{group}.t{trial}", trial, tuple(members[: settings.limit]))
        for trial in range(settings.trials)
        for group, members in grouped.items()
    ]
