"""Makers of trajectories, judged attempts and episodes, and of the calls that go with them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import cast

from reasoningbank.distill.extract import ExtractSettings
from reasoningbank.distill.parse import ParsedItem
from reasoningbank.interfaces import LLM, Episode
from reasoningbank.llm.calls import EpisodeScopes, ScopeKey
from reasoningbank.llm.record import CallLogs
from reasoningbank.llm.transport import Transport
from reasoningbank.retry import RetryPolicy
from reasoningbank.types import ROLES, Exit, JudgedAttempt, Label, Role, Step, Task, Trajectory, Verdict

EXTRACT = ExtractSettings(max_items=3, judge_reasons=False, tries=3, trajectory_chars=40_000, observation_chars=0)
CONTRAST = EXTRACT.model_copy(update={"max_items": 5, "trajectory_chars": 80_000})
TASK = Task(id="7", suite="any", group="any", intent="How many pears are in the basket?", template_id="t1")


def make_trajectory(
    index: int = 0,
    *,
    steps: int = 2,
    task: Task = TASK,
    exit: Exit = "answered",
    answer: str | None = "3",
    error: str = "",
) -> Trajectory:
    """A run of `steps` steps whose texts name the attempt, so that they can be told apart."""
    return Trajectory(
        attempt_id=f"any.t0/0004/{task.id}/{index}",
        task=task,
        steps=tuple(
            Step(
                index=number,
                observation=f"page text {number}",
                url=f"http://any.test/{number}",
                thought=f"Thought {number} of attempt {index}.",
                action=f"click('{index}{number}')",
                error=error if number == 0 else "",
            )
            for number in range(steps)
        ),
        exit=exit,
        answer=answer,
        final_observation="RootWebArea 'Basket'\n\tStaticText '3 pieces'",
        final_url="http://any.test/basket",
    )


def make_attempt(
    index: int = 0,
    label: Label | None = "success",
    *,
    steps: int = 2,
    exit: Exit = "answered",
    answer: str | None = "3",
    error: str = "",
) -> JudgedAttempt:
    """An attempt with a verdict of `label`; None for no verdict."""
    verdict = None if label is None else Verdict(label=label, reasons=f"Reason {index}.")
    trajectory = make_trajectory(index, steps=steps, exit=exit, answer=answer, error=error)
    return JudgedAttempt(index=index, trajectory=trajectory, verdict=verdict)


def make_episode(*attempts: JudgedAttempt) -> Episode:
    return Episode(id=f"any.t0/0004/{TASK.id}", task=TASK, position=4, attempts=attempts)


def make_scopes(
    llm: object | Mapping[Role, object],
    *,
    retry: RetryPolicy | None = None,
    logs: CallLogs | None = None,
    sleep: Callable[[float], None] = lambda seconds: None,
) -> EpisodeScopes:
    """Call scopes of an episode, with one model for every role or one for each."""
    transport = Transport(retry=retry or RetryPolicy(), sleep=sleep)
    models = llm if isinstance(llm, Mapping) else dict.fromkeys(ROLES, llm)
    key = ScopeKey(seed=0, trial=0, suite="any", suite_seed=0, task=TASK.id, attempt=0)
    return EpisodeScopes(llms=cast(Mapping[Role, LLM], models), key=key, transport=transport, logs=logs)


def item_reply(*titles: str, heading: str = "Memory Item") -> str:
    """An extractor's reply with an item of each title."""
    return "\n\n".join(
        f"# {heading} {number}\n## Title\n{title}\n## Description\nAbout {title}.\n## Content\nDo {title}."
        for number, title in enumerate(titles, start=1)
    )


def written(items: Sequence[ParsedItem], heading: str = "Memory Item") -> str:
    """Items as an extractor is asked to write them."""
    return "\n\n".join(
        f"# {heading} {number}\n## Title\n{item.title}\n## Description\n{item.description}\n## Content\n{item.content}"
        for number, item in enumerate(items, start=1)
    )


def titles(items: Sequence[object]) -> list[str]:
    return [str(getattr(item, "title", "")) for item in items]
