"""A sweep's runs pooled by setting: over seeds, trials, orders and worlds, and each setting against the first one.

A setting is everything that two runs share but for `seed`, `trials`, `order_seed` and `suite.seed`. Streams are what is
drawn from: the tasks of one stream share a memory and are not independent of each other.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from pydantic import Field

from eval.analysis import stats
from eval.analysis.labels import repeat_keys, setting_key, setting_name
from eval.analysis.records import RunRecord, StreamRecord
from eval.analysis.summary import IntervalValue, success_metric
from eval.journal import EpisodeResult
from reasoningbank.types import Record, SuccessMetric


class StreamKey(NamedTuple):
    """What a stream repeats: `stream` is its name, which ends in the trial."""

    world: str
    seed: str
    order: str
    """Which shuffle; empty where the tasks are not shuffled, which is one order whatever the shuffle's seed is."""
    stream: str

    def pairs(self, other: StreamKey) -> bool:
        """Whether a task of one is the same task in the other. Two shuffles are not paired with each other."""
        same_order = self.order == other.order or "" in (self.order, other.order)
        return same_order and self._replace(order="") == other._replace(order="")


class SolvedSteps(Record):
    """Steps on the pairs that both settings solved: means over the pairs of the mean over their solved attempts."""

    n: int
    steps_mean: float
    steps_mean_other: float


class Difference(Record):
    """A setting's success less that of another, task by task."""

    to: str = Field(description="the setting it is compared with: the sweep's first")
    n: int = Field(description="pairs: tasks that both ran in the same world, with the same seed, order and trial")
    streams: int
    success_rate: float | None = Field(description="mean difference over the pairs")
    interval: IntervalValue | None = Field(description="null where all pairs differ by the same")
    detectable: float | None = Field(
        description="the least true difference that pairs like these show with a chance of 80 %, tested at 5 %; null "
        "where none is"
    )
    both_solved: SolvedSteps | None = Field(description="null where no pair was solved by both")


class Setting(Record):
    """The runs of one setting taken together."""

    runs: tuple[str, ...]
    complete: bool
    streams: int = Field(description="streams with an outcome, over all groups, seeds, orders and worlds")
    n: int
    planned: int | None = Field(description="tasks that the runs set out to do; null when a meta does not say")
    success_rate: float | None
    success_metric: SuccessMetric
    interval: IntervalValue | None
    difference: Difference | None = Field(description="null for the first setting, and where no task is paired")


@dataclass(frozen=True)
class Pool:
    """One setting's streams; of a stream that several of its runs hold, the one that came further."""

    name: str
    runs: tuple[str, ...]
    metric: SuccessMetric
    complete: bool
    streams: Mapping[StreamKey, StreamRecord]

    def values(self, key: StreamKey) -> dict[str, float]:
        """Each counted task's success in one of the streams."""
        return {result.task_id: result.success(self.metric) for result in self._counted(key)}

    def solved_steps(self, key: StreamKey) -> dict[str, float]:
        """Each counted task's mean steps over its solved attempts, where it has some."""
        steps = {
            result.task_id: stats.mean([attempt.steps for attempt in result.attempts if attempt.solved])
            for result in self._counted(key)
        }
        return {task: mean for task, mean in steps.items() if mean is not None}

    def _counted(self, key: StreamKey) -> list[EpisodeResult]:
        return [line.result for line in self.streams[key].lines if line.result.counted]


def pool_settings(runs: Mapping[str, RunRecord]) -> dict[str, Setting]:
    """Each setting's figures, by name."""
    pools = pool_runs(runs)
    return {pool.name: pooled(pool, pools[0]) for pool in pools}


def pool_runs(runs: Mapping[str, RunRecord]) -> list[Pool]:
    """The runs by setting, in the order of each setting's first run."""
    members: dict[str, dict[str, RunRecord]] = {}
    for label, run in runs.items():
        members.setdefault(setting_key(label, run), {})[label] = run
    pools: list[Pool] = []
    for number, group in enumerate(members.values(), 1):
        streams: dict[StreamKey, StreamRecord] = {}
        for label, run in group.items():
            for stream in run.streams:
                key = StreamKey(*repeat_keys(label, run), stream.name)
                if key not in streams or len(stream.lines) > len(streams[key].lines):
                    streams[key] = stream
        label, first = next(iter(group.items()))
        name = setting_name(label, first)
        if name in {pool.name for pool in pools}:
            name = f"{name} ({number})"
        complete = all(run.complete for run in group.values())
        pools.append(Pool(name, tuple(group), success_metric(first), complete, streams))
    return pools


def pooled(pool: Pool, first: Pool) -> Setting:
    """A setting's figures, with its difference to those of `first`, if that is another one."""
    clusters = [_cluster(key, stream, pool.values(key)) for key, stream in pool.streams.items()]
    clusters = [cluster for cluster in clusters if cluster.values]
    values = [value for cluster in clusters for value in cluster.values.values()]
    planned = [stream.planned for stream in pool.streams.values()]
    return Setting(
        runs=pool.runs,
        complete=pool.complete,
        streams=len(clusters),
        n=len(values),
        planned=None if None in planned else sum(number or 0 for number in planned),
        success_rate=stats.mean(values),
        success_metric=pool.metric,
        interval=IntervalValue.of(stats.rate_interval(clusters)),
        difference=None if pool is first else _difference(pool, first),
    )


def _difference(pool: Pool, first: Pool) -> Difference | None:
    clusters = []
    steps: list[tuple[float, float]] = []
    for key, other_key in ((key, other) for key in pool.streams for other in first.streams if key.pairs(other)):
        mine, other = pool.values(key), first.values(other_key)
        if both := {task: mine[task] - other[task] for task in mine if task in other}:
            clusters.append(_cluster(key, pool.streams[key], both))
        mine, other = pool.solved_steps(key), first.solved_steps(other_key)
        steps += [(mine[task], other[task]) for task in mine if task in other]
    values = [value for cluster in clusters for value in cluster.values.values()]
    if not values:
        return None
    interval = stats.mean_interval(clusters)
    return Difference(
        to=first.name,
        n=len(values),
        streams=len(clusters),
        success_rate=stats.mean(values),
        interval=IntervalValue.of(interval),
        detectable=stats.detectable_by(interval),
        both_solved=_both_solved(steps),
    )


def _both_solved(steps: Sequence[tuple[float, float]]) -> SolvedSteps | None:
    if not steps:
        return None
    mine, other = (math.fsum(each) / len(steps) for each in zip(*steps, strict=True))
    return SolvedSteps(n=len(steps), steps_mean=mine, steps_mean_other=other)


def _cluster(key: StreamKey, stream: StreamRecord, values: Mapping[str, float]) -> stats.Cluster:
    """A task is the same one in two streams when the world is, too."""
    return stats.Cluster(stream.group, {(key.world, task): value for task, value in values.items()})
