"""The two doors in the gold wall: judges that know the outcome. They hand over a verdict and nothing else.

`judge=oracle` says what the evaluator says; `judge=noisy` is right at given rates. A run that uses one is stamped
with it in `meta.json`, since what it learns depends on gold.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Protocol

from eval.journal import Outcome
from reasoningbank.types import Verdict


class OutcomeJudge(Protocol):
    """Labels an attempt by its outcome."""

    def verdict(self, outcome: Outcome, *, seed: int) -> Verdict: ...


class Oracle:
    """The outcome as the verdict."""

    def verdict(self, outcome: Outcome, *, seed: int) -> Verdict:
        return Verdict(label="success" if outcome.status == "solved" else "failure")


class Noisy:
    """Right about a solved attempt with probability `tpr`, about an unsolved one with `tnr`."""

    def __init__(self, *, tpr: float, tnr: float) -> None:
        for name, value in (("tpr", tpr), ("tnr", tnr)):
            if not 0 <= value <= 1:
                raise ValueError(f"{name} is {value}; a rate is between 0 and 1")
        self.tpr = tpr
        self.tnr = tnr

    def verdict(self, outcome: Outcome, *, seed: int) -> Verdict:
        solved = outcome.status == "solved"
        right = random.Random(seed).random() < (self.tpr if solved else self.tnr)
        return Verdict(label="success" if solved == right else "failure")


DOORS: dict[str, type[Oracle] | type[Noisy]] = {"oracle": Oracle, "noisy": Noisy}
"""`judge.type` of each door. No module of `reasoningbank` is found under these names."""


def door_of(judge: Mapping[str, object]) -> type[Oracle] | type[Noisy] | None:
    """The door that a judge's settings name; None where they name any other judge, or nothing that could be a name."""
    name = judge.get("type")
    return DOORS.get(name) if isinstance(name, str) else None
