"""The profile of the suite beside that of real episodes: how long solutions are, how large pages, which kinds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from eval.suites.profile import Convention, SuiteProfile, quantiles, shares

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

REAL_EVALUATIONS = {"string_match": 0.40, "program_html": 0.35, "url_match, program_html": 0.16, "url_match": 0.08}
"""Shares of evaluation types among WebArena's 812 tasks, rounded."""

REAL_SOURCE = "812 WebArena episodes of the agent MadeAgents/browser-agent (commit cbdadd8a)"

NOTE = (
    "known solutions make no mistakes and look at the entries of a list one after the other: more go_back than in "
    "real episodes, no hover and no goto"
)

ACTIONS, TOKENS = "actions of a known solution", "tokens of an observation"
SEVERAL_PAGES, VAGUE, IMPOSSIBLE = "read from several pages", "vague wording", "impossible"


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
    evaluation: str
    """The types of its evaluation."""
    kind: str
    difficulty: str
    needs: tuple[str, ...]
    vague: bool
    impossible: bool


def profile(tasks: Sequence[tuple[Labels, Measured]], conventions: Mapping[str, str]) -> SuiteProfile:
    """Sums up tasks; `conventions` says what each of those is that templates need."""
    labels = [label for label, _ in tasks]
    runs = [run for _, run in tasks]
    templates: dict[str, Labels] = {label.template: label for label in labels}
    needed = Counter(code for label in templates.values() for code in label.needs)
    return SuiteProfile(
        tasks=len(tasks),
        templates=len(templates),
        solved=sum(run.reward == 1 for run in runs) / len(runs),
        measures={
            ACTIONS: quantiles([len(run.actions) for run in runs]),
            TOKENS: quantiles([tokens for run in runs for tokens in run.observation_tokens]),
        },
        actions=shares(Counter(name for run in runs for name in run.actions)),
        real_actions=REAL_ACTIONS,
        real_source=REAL_SOURCE,
        note=NOTE,
        evaluations=shares(Counter(label.evaluation for label in labels)),
        real_evaluations=REAL_EVALUATIONS,
        real_tasks="WebArena",
        shares={
            **shares(Counter(label.kind for label in labels)),
            **shares(Counter(label.difficulty for label in labels)),
            SEVERAL_PAGES: sum(run.pages_read > 1 for run in runs) / len(runs),
            VAGUE: sum(label.vague for label in labels) / len(labels),
            IMPOSSIBLE: sum(label.impossible for label in labels) / len(labels),
        },
        conventions={
            code: Convention(says=says, templates=needed[code]) for code, says in conventions.items() if needed[code]
        },
    )
