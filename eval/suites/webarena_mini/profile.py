"""The measured profile of a suite's tasks: lengths of known solutions, sizes of pages, shares of kinds."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from reasoningbank.types import Record

REAL_ACTIONS = {
    "click": 0.57,
    "fill": 0.16,
    "send_msg_to_user": 0.16,
    "press": 0.04,
    "select_option": 0.02,
    "goto": 0.01,
    "hover": 0.01,
}
"""Shares of actions in REAL_SOURCE."""

REAL_SOURCE = "812 WebArena episodes of the agent MadeAgents/browser-agent (commit cbdadd8a)"

CONVENTIONS = {
    "C1": "search wants every word in name or brand",
    "C2": "in a category, sorting drops the filter",
    "C3": "totals exclude canceled orders",
    "C4": "more reviews repeat the first ones",
    "C5": "edits need a confirmation",
    "C6": "order dates begin with the day",
    "F1": "in search results, refining drops the sort (as C2, turned round)",
    "F2": "numbers of orders include canceled ones (as C3, turned round)",
    "F3": "the wish list's further lines repeat nothing (as C4, turned round)",
    "F4": "review dates begin with the month (as C6, turned round)",
    "A1": "reports leave out their last day",
    "A2": "filters of a list stay until they are cleared",
    "A3": "states of orders have other names than in the shop",
    "A4": "mass actions act on the rows of one page",
    "A5": "edits need Save, mass actions Submit and Confirm",
    "A6": "the bestsellers report counts invoiced units, the list of products ordered ones",
    "FA1": "date filters of lists include the last day (as A1, turned round)",
    "FA2": "filters of coupons apply at once and do not stay (as A2, turned round)",
}
"""The sites' conventions by code, A those of the back office.

Those with an F are false friends: what looks like another needs the opposite.
"""


class Quantiles(Record):
    """Spread of a measure."""

    lowest: float
    q25: float
    median: float
    q75: float
    highest: float


class Profile(Record):
    """What `python -m eval tasks --profile` prints. Shares are fractions of tasks, of actions for `actions`."""

    tasks: int
    templates: int
    solution_actions: Quantiles
    observation_tokens: Quantiles
    actions: dict[str, float]
    real_actions: dict[str, float]
    kinds: dict[str, float]
    difficulty: dict[str, float]
    conventions: dict[str, int]
    several_pages: float
    vague: float
    impossible: float
    solved: float


@dataclass(frozen=True)
class Measured:
    """One known solution as it ran."""

    actions: tuple[str, ...]
    observation_tokens: tuple[int, ...]
    pages_read: int
    consulted: frozenset[str]
    """Conventions on which the solver did the one thing or the other."""
    reward: float
    answer: str | None
    gave_up: str


@dataclass(frozen=True)
class Labels:
    """What the suite says of a task."""

    template: str
    kind: str
    difficulty: str
    needs: tuple[str, ...]
    vague: bool
    impossible: bool


def quantiles(values: Sequence[float]) -> Quantiles:
    """Five numbers of a sample."""
    q25, median, q75 = statistics.quantiles(values, n=4, method="inclusive")
    return Quantiles(lowest=min(values), q25=q25, median=median, q75=q75, highest=max(values))


def profile(tasks: Sequence[tuple[Labels, Measured]]) -> Profile:
    """Sums up all tasks of a suite."""
    labels = [label for label, _ in tasks]
    runs = [run for _, run in tasks]
    actions = Counter(name for run in runs for name in run.actions)
    templates: dict[str, Labels] = {label.template: label for label in labels}
    needed = Counter(convention for label in templates.values() for convention in label.needs)
    return Profile(
        tasks=len(tasks),
        templates=len(templates),
        solution_actions=quantiles([len(run.actions) for run in runs]),
        observation_tokens=quantiles([tokens for run in runs for tokens in run.observation_tokens]),
        actions=_shares(actions),
        real_actions=REAL_ACTIONS,
        kinds=_shares(Counter(label.kind for label in labels)),
        difficulty=_shares(Counter(label.difficulty for label in labels)),
        conventions=dict(sorted(needed.items())),
        several_pages=sum(run.pages_read > 1 for run in runs) / len(runs),
        vague=sum(label.vague for label in labels) / len(labels),
        impossible=sum(label.impossible for label in labels) / len(labels),
        solved=sum(run.reward == 1 for run in runs) / len(runs),
    )


def _shares(counts: Counter[str]) -> dict[str, float]:
    total = counts.total()
    return {name: number / total for name, number in counts.most_common()}
