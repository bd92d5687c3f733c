"""What can be measured of a suite: the shape of it that `python -m eval tasks --profile` prints."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Sequence

from pydantic import Field

from reasoningbank.types import Record


class Quantiles(Record):
    """Spread of a measure."""

    lowest: float
    q25: float
    median: float
    q75: float
    highest: float


class Convention(Record):
    """Something that a site or a repository does without saying so, and how many templates cannot do without it."""

    says: str
    templates: int


class SuiteProfile(Record):
    """How tasks and their known solutions are made up. Shares are fractions of tasks, of actions for actions."""

    tasks: int
    templates: int
    solved: float
    """Share of tasks that their known solutions solve."""
    measures: dict[str, Quantiles]
    actions: dict[str, float] = Field(default_factory=dict)
    real_actions: dict[str, float] = Field(default_factory=dict)
    """Shares in episodes of real agents, to compare with; `real_source` says whose."""
    real_source: str = ""
    note: str = ""
    """Where the two differ, and why."""
    evaluations: dict[str, float] = Field(default_factory=dict)
    """Shares of the ways in which tasks are evaluated."""
    real_evaluations: dict[str, float] = Field(default_factory=dict)
    """The same of `real_tasks`, to compare with."""
    real_tasks: str = ""
    shares: dict[str, float] = Field(default_factory=dict)
    conventions: dict[str, Convention] = Field(default_factory=dict)


def quantiles(values: Sequence[float]) -> Quantiles:
    """Five numbers of a sample, all the same where it is a single value."""
    several = values if len(values) > 1 else [*values, *values]
    q25, median, q75 = statistics.quantiles(several, n=4, method="inclusive")
    return Quantiles(lowest=min(values), q25=q25, median=median, q75=q75, highest=max(values))


def shares(counts: Counter[str]) -> dict[str, float]:
    """Fractions of the total, the largest first."""
    total = counts.total()
    return {name: number / total for name, number in counts.most_common()}
