"""Best-of-N: a model sees all attempts at a task, in random order and without verdicts, and picks one."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import partial

from reasoningbank.distill.ask import ask_until_usable
from reasoningbank.distill.parse import parse_selection
from reasoningbank.distill.render import answer_text, render_steps
from reasoningbank.distill.shell import SHELL_CHARS
from reasoningbank.interfaces import Calls
from reasoningbank.prompts import PromptPack
from reasoningbank.truncate import keep_ends
from reasoningbank.types import JudgedAttempt, Refused, Selection


def select_best(
    attempts: Sequence[JudgedAttempt],
    calls: Calls,
    *,
    prompts: PromptPack,
    seed: int,
    tries: int,
    trajectory_chars: int,
) -> Selection:
    """The attempt that the model of role `selector` prefers.

    Attempts that ended in an infra error are no candidates, and a single candidate is chosen unasked. When no reply can
    be read, the first candidate shown is taken: a random one by `seed`, so that the fallback favours no attempt.
    """
    candidates = sorted(
        (attempt for attempt in attempts if attempt.trajectory.exit != "infra_error"),
        key=lambda attempt: attempt.index,
    )
    if len(candidates) <= 1:
        return Selection(index=candidates[0].index if candidates else None)
    random.Random(seed).shuffle(candidates)
    budget = trajectory_chars // len(candidates)
    messages = prompts.messages(
        "select",
        intent=candidates[0].trajectory.task.intent,
        medium=candidates[0].trajectory.medium,
        candidates=[_candidate(attempt, budget) for attempt in candidates],
    )
    parse = partial(parse_selection, candidates=len(candidates))
    answer = ask_until_usable(calls, "selector", messages, parse, tries=tries)
    if isinstance(answer, Refused):
        return Selection(index=candidates[0].index, by_lot=True)
    return Selection(index=candidates[answer - 1].index)


def _candidate(attempt: JudgedAttempt, budget: int) -> str:
    trajectory = attempt.trajectory
    answer = answer_text(trajectory.exit, trajectory.answer)
    if trajectory.medium == "shell":  # where it may be a patch, which stands above it already
        answer = keep_ends(answer, SHELL_CHARS)
    return f"{render_steps(trajectory, budget)}\n\n## Answer\n{answer}"
