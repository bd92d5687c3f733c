"""What became of answers that were held back and checked: how often they turned right, and how often wrong."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from pydantic import Field

from eval.analysis import stats
from eval.journal import AttemptResult
from reasoningbank.types import Record


class Answers(Record):
    """The sequences of answers of some attempts."""

    most: int
    mean: float | None
    n: int = Field(description="attempts whose answers were all evaluated, which the figures below are over")
    solved_after: dict[str, float | None] = Field(description="success had the first, second ... answer been the last")
    wrong_to_right: int
    right_to_wrong: int


def answers_of(attempts: Sequence[AttemptResult]) -> Answers:
    """Their figures. An attempt without any answer was evaluated, and is unsolved after each."""
    most = max((len(attempt.rounds) for attempt in attempts), default=0)
    known = [attempt for attempt in attempts if all(each.outcome is not None for each in attempt.rounds)]
    # what an attempt came to is not always what its last answer was worth when given: steps may have followed it
    sequences = [[*(each.solved for each in attempt.rounds), attempt.solved] for attempt in known]
    turns = [turn for sequence in sequences for turn in pairwise(sequence)]
    return Answers(
        most=most,
        mean=stats.mean([len(attempt.rounds) for attempt in attempts]),
        n=len(known),
        solved_after={
            str(number): stats.mean([float(sequence[min(number, len(sequence)) - 1]) for sequence in sequences])
            for number in range(1, most + 1)
        },
        wrong_to_right=turns.count((False, True)),
        right_to_wrong=turns.count((True, False)),
    )
