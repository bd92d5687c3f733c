"""The formulas behind every number of a report: pass@k, intervals, the judge's confusion.

Everything takes plain sequences and returns plain values, or None where a figure does not apply.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

RESAMPLES = 2000
_Z95 = 1.959963984540054
_Z80 = 0.8416212335729143
"""Of a power of 80 %: what such a design misses one time in five is as large as what it calls detectable."""

IntervalMethod = Literal["wilson", "bootstrap_tasks", "bootstrap_streams"]


@dataclass(frozen=True)
class Interval:
    """A 95 % interval and how it was made."""

    low: float
    high: float
    method: IntervalMethod
    streams: int = 1
    """Of the group that has fewest."""


@dataclass(frozen=True)
class Cluster:
    """The values of one stream by task. Streams of one group are repeats of each other, over the same tasks or not."""

    group: str
    values: Mapping[Any, float]


def mean(values: Sequence[float]) -> float | None:
    """Arithmetic mean; None of nothing."""
    return math.fsum(values) / len(values) if values else None


def pass_at_k(n: int, c: int, k: int) -> float | None:
    """Chance that at least one of k attempts drawn without return from n, of which c solved, has solved the task.

    The unbiased estimator 1 - C(n-c, k) / C(n, k), as a product so that nothing large is formed. None when n < k.
    """
    if not 0 <= c <= n or k < 1:
        raise ValueError(f"pass@k needs 0 <= c <= n and k >= 1, not n={n}, c={c}, k={k}")
    if n < k:
        return None
    if n - c < k:
        return 1.0
    return 1.0 - math.prod(1.0 - k / i for i in range(n - c + 1, n + 1))


def mean_pass_at_k(counts: Sequence[tuple[int, int]], k: int) -> float | None:
    """Mean over tasks, each given as (attempts, solved). None when some task has fewer than k attempts."""
    values = [pass_at_k(n, c, k) for n, c in counts]
    known = [value for value in values if value is not None]
    return mean(known) if len(known) == len(values) else None


def wilson(successes: float, n: int) -> Interval | None:
    """Wilson's score interval of a proportion."""
    if n == 0:
        return None
    p, z2 = successes / n, _Z95**2
    centre = (p + z2 / (2 * n)) / (1 + z2 / n)
    half = _Z95 / (1 + z2 / n) * math.sqrt(p * (1 - p) / n + z2 / (4 * n * n))
    # at the ends the bound is the estimate itself, which rounding could miss
    return Interval(min(p, max(0.0, centre - half)), max(p, min(1.0, centre + half)), "wilson")


def rate_interval(clusters: Sequence[Cluster], seed: int = 0) -> Interval | None:
    """95 % interval of the mean of values in [0, 1] over all tasks.

    One stream (or one for each group) of solved-or-not values: Wilson. Other values: a bootstrap over tasks. Several
    streams of a group: streams and tasks are drawn both, since the tasks of one stream share its memory and the streams
    share their tasks. A task that is drawn counts in all the streams that are, so repeating the same tasks with the
    same outcomes makes no interval narrower. What is chance in each single outcome is drawn with both, which makes an
    interval wider than it need be where that outweighs the differences of streams and tasks; few streams make it too
    narrow. Without any spread to draw from: Wilson, each task counted once.
    """
    values = [value for cluster in clusters for value in cluster.values.values()]
    if not values:
        return None
    groups = _grouped(clusters)
    binary = all(value in (0.0, 1.0) for value in values)
    drawn = None if binary and not _repeated(groups) else mean_interval(clusters, seed)
    if drawn is not None:
        return drawn
    tasks = len({(cluster.group, task) for cluster in clusters for task in cluster.values})
    interval = wilson(tasks * math.fsum(values) / len(values), tasks)
    return interval and replace(interval, streams=_fewest(groups))


def mean_interval(clusters: Sequence[Cluster], seed: int = 0) -> Interval | None:
    """95 % bootstrap interval of the mean of any values, drawn as in `rate_interval`. None without any spread."""
    groups = _grouped(clusters)
    values = [value for members in groups for cluster in members for value in cluster.values.values()]
    if not values or min(values) == max(values):
        return None
    low, high = np.quantile(_resampled_means(groups, np.random.default_rng(seed)), (0.025, 0.975))
    estimate = math.fsum(values) / len(values)
    method: IntervalMethod = "bootstrap_streams" if _repeated(groups) else "bootstrap_tasks"
    return Interval(min(float(low), estimate), max(float(high), estimate), method, _fewest(groups))


def smallest_detectable_difference(pairs: int, *, variance: float, design_effect: float = 1.0) -> float | None:
    """The least true difference that `pairs` paired tasks show with a chance of 80 %, tested two-sided at 5 %.

    `variance` is that of a pair's difference. Before a run, of outcomes solved or not, it is at most the share of pairs
    in which the two settings will differ: 0.2 to 0.3 is usual. `design_effect` is by how many times the tasks of a
    stream, which share its memory, make the mean's variance larger than independent ones would; 1 is a lower bound.
    A fraction, as success rates are. None where it is above 1, which no difference is, and without pairs or variance.
    """
    if pairs < 1 or variance <= 0:
        return None
    return _detectable(math.sqrt(variance * design_effect / pairs))


def detectable_by(interval: Interval | None) -> float | None:
    """The same from a measured difference's interval, whose half width has the streams' part in it."""
    return None if interval is None else _detectable((interval.high - interval.low) / 2 / _Z95)


def _detectable(standard_error: float) -> float | None:
    found = (_Z95 + _Z80) * standard_error
    return found if 0 < found <= 1 else None


def _grouped(clusters: Sequence[Cluster]) -> list[list[Cluster]]:
    """The clusters that hold something, those of a group together."""
    groups: dict[str, list[Cluster]] = {}
    for cluster in clusters:
        if cluster.values:
            groups.setdefault(cluster.group, []).append(cluster)
    return list(groups.values())


def _repeated(groups: Sequence[Sequence[Cluster]]) -> bool:
    return any(len(members) > 1 for members in groups)


def _fewest(groups: Sequence[Sequence[Cluster]]) -> int:
    return min(map(len, groups))


def _resampled_means(groups: Sequence[Sequence[Cluster]], generator: np.random.Generator) -> np.ndarray:
    """Means of RESAMPLES draws. How often each stream and each task was drawn multiplies what it weighs."""
    totals, counts = np.zeros(RESAMPLES), np.zeros(RESAMPLES)
    for members in groups:
        tasks = list(dict.fromkeys(task for member in members for task in member.values))
        values = np.array([[member.values.get(task, 0.0) for task in tasks] for member in members])
        held = np.array([[task in member.values for task in tasks] for member in members], dtype=float)
        streams_drawn = generator.multinomial(len(members), [1 / len(members)] * len(members), size=RESAMPLES)
        tasks_drawn = generator.multinomial(len(tasks), [1 / len(tasks)] * len(tasks), size=RESAMPLES)
        totals += (streams_drawn * (tasks_drawn @ values.T)).sum(axis=1)
        counts += (streams_drawn * (tasks_drawn @ held.T)).sum(axis=1)
    # streams over other tasks than those drawn leave nothing, once in a while
    return totals[counts > 0] / counts[counts > 0]


@dataclass(frozen=True)
class Confusion:
    """Verdicts against outcomes. Positive is "success"; an unparseable verdict is a kind of its own."""

    tp: int = 0
    fp: int = 0
    tn: int = 0
    fn: int = 0
    unparseable: int = 0

    @property
    def accuracy(self) -> float | None:
        """Share of right verdicts among those that could be read."""
        read = self.tp + self.fp + self.tn + self.fn
        return (self.tp + self.tn) / read if read else None


def confusion(pairs: Sequence[tuple[str, bool]]) -> Confusion:
    """From (verdict's label, solved) pairs."""
    counts = dict.fromkeys(("tp", "fp", "tn", "fn", "unparseable"), 0)
    for label, solved in pairs:
        if label == "unparseable":
            counts["unparseable"] += 1
        elif label == "success":
            counts["tp" if solved else "fp"] += 1
        else:
            counts["fn" if solved else "tn"] += 1
    return Confusion(**counts)
